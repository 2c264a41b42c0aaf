import { sumOrNull } from "../../base/sums.js";
import { counted } from "../../base/text.js";
import { modelName } from "../../model/vendor/model-name.js";
import type { StoredRun, SuiteScore, WriteTable } from "../../run/suite.js";
import { entryOf } from "../../store/table.js";
import { judgementText } from "../../verdict/judgement.js";
import type { BenchAdapter } from "../adapter.js";
import type { BenchTask } from "../bench-task.js";
import { FACTS, factBlocks, factRows } from "../facts/fact-table.js";
import type { SuitePart } from "../suite-part.js";
import { CHECKS, isLost, recordsOf, TRIALS, type TrialRecord } from "../trial-records.js";
import { plannedTrials, type TrialRun, tasksOf } from "../trial-run.js";
import { tableBy } from "./own-table.js";
import { goldRows, strengthRows, trialReality } from "./reality.js";
import { markedBlocks, markedForms } from "./score-doubt.js";
import { summarise } from "./summarise-trials.js";
import { trialBlocks } from "./trial-blocks.js";
import { SUMMARY, trialsTable, VALIDITY, validityRows } from "./trial-tables.js";
import { trialVerdicts, unfinishedTexts } from "./trial-verdicts.js";

/** The results of a run of agents: its tables, verdicts and blocks, with those of the suite's part. */
export async function scoreTrials<Task extends BenchTask>(
  adapter: BenchAdapter<Task>,
  part: SuitePart<Task>,
  stored: StoredRun<TrialRun>,
  write: WriteTable,
): Promise<SuiteScore<TrialRun>> {
  const { run, folder } = stored;
  const { scores, headline } = adapter;
  const made = await recordsOf(stored, TRIALS);
  const checks = await recordsOf(stored, CHECKS);
  const more = await part.score(stored, made);
  const records = made.map(more.scored);
  const cluster = run.parameters["cluster"] === "group" ? "group" : "task";
  const options = { scores, headline, trials: run.trials_per_task, cluster, seed: 0 } as const;
  const summary = [
    ...summarise(records, options),
    ...(adapter.moreSummary?.(records, options) ?? []),
    ...strengthRows(records, checks),
    ...goldRows(records, options),
  ];
  const owner = { runId: run.run_id, suite: run.suite, model: modelName(run.model) };
  const owned = summary.map((row) => ({ ...row, owner }));
  const table = trialsTable(scores);
  const rows = records.map((record) => ({ ...record, owner }));
  await write(table, rows);
  await write(VALIDITY, validityRows(run.suite, checks));
  await write(SUMMARY, owned);
  const facts = factRows(records, adapter, adapter.groupings ?? []);
  const factTables = facts.length === 0 ? [] : [tableBy(FACTS, () => facts.map((row) => ({ ...row, run })))];
  const tables = [...factTables, ...(adapter.tables ?? []), ...more.tables];
  for (const each of tables) await each.write(write, run, records);
  const found = trialVerdicts({ run, folder, records, summary, scores, headline, ruleOf: adapter.ruleOf });
  const open = unfinished(run, records) ?? more.unfinished;
  const judgements = found.forms.flatMap(({ judgement }) => (judgement === null ? [] : judgementText(judgement)));
  return {
    tables: [table, VALIDITY, SUMMARY, ...tables.map(({ description }) => description)],
    run: { ...run, ...spent(records) },
    verdicts: {
      ...found,
      forms: markedForms(found.forms, adapter, more.doubt),
      warnings: [...found.warnings, ...more.warnings, ...(open === null ? [] : unfinishedTexts(run, folder, open))],
      reality: [...trialReality(run, checks, summary), ...more.reality],
    },
    failed: records.filter(isLost).length + checks.filter(({ valid }) => valid === null).length,
    unfinished: open,
    facts: [counted(tasksOf(run).length, "tasks"), run.conditions.join(" and "), counted(records.length, "trials")],
    blocks: [
      ...markedBlocks(
        [
          ...trialBlocks({ run, summary, records, checks, scores, headline, judgements }),
          ...(adapter.moreBlocks?.(run, summary, records) ?? []),
          ...factBlocks(run, facts, scores),
        ],
        options,
        more.doubt,
      ),
      ...more.blocks,
    ],
    document: { summary: owned.map((row) => entryOf(SUMMARY.columns, row)), ...more.document },
  };
}

function unfinished(run: TrialRun, records: readonly TrialRecord[]): string | null {
  const planned = plannedTrials(run);
  const missing = planned - records.length;
  return missing === 0 ? null : `${missing} of ${planned} trials that are not made yet`;
}

/** Tokens and cost of all trials; `null` as soon as one of them is unknown. */
function spent(records: readonly TrialRecord[]): Pick<TrialRun, "tokens" | "cost"> {
  const graded = records.filter(({ status }) => status === "graded");
  const total = (of: "prompt_tokens" | "completion_tokens" | "cost_usd") =>
    sumOrNull(graded.map((record) => record[of]));
  return {
    tokens: { prompt: total("prompt_tokens"), cached: null, completion: total("completion_tokens"), evaluated: null },
    cost: total("cost_usd"),
  };
}
