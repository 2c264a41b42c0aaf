import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Console, EXIT, type ExitCode, jsonText } from "../../../console/console.js";
import type { Block } from "../../../report/block.js";
import {
  type ColumnOf,
  heading,
  notice,
  numberColumn,
  sentence,
  tableOf,
  textColumn,
} from "../../../report/make-block.js";
import { showBlocks } from "../../../report/terminal.js";
import { writeTable } from "../../../store/csv.js";
import { columnsOf, type Table } from "../../../store/table.js";
import { openRoom } from "../../../trial/bench-room.js";
import type { Bench } from "../../../trial/bench-task.js";
import { codeOf, requireSandbox, wordsOf } from "../../../trial/named-code.js";
import { selectTasks } from "../../../trial/select-tasks.js";
import { openCage, type Sandbox } from "../../../workspace/cage.js";
import { Workspace } from "../../../workspace/workspace.js";
import { codetasteAdapter } from "../taste-adapter.js";
import type { TasteTask } from "../taste-task.js";
import { type CheckedRule, checkRules } from "./check-rules.js";
import { SIDES } from "./taste-rule.js";

interface RulesValues {
  readonly data: string | null;
  readonly repo: string | null;
  readonly ruleEngine: string;
  readonly taskId: readonly string[];
  readonly sandbox: Sandbox;
  readonly image: string | null;
  readonly out: string | null;
  readonly json: boolean;
}

/** The rules of an instance, checked. */
interface CheckedTask {
  readonly task: string;
  readonly rules: readonly CheckedRule[];
  /** Reason why none of them could be; `null`: they were. */
  readonly obstacle: string | null;
}

type RuleRow = CheckedRule & { readonly task: string };

/** `rules.csv`. */
export const RULES: Table<RuleRow> = {
  file: "rules.csv",
  title: "One row a static rule of an instance, held against the code before and behind its refactoring.",
  primaryKey: ["task_id", "side", "rule"],
  columns: columnsOf<RuleRow>([
    ["task_id", "string", "The instance.", ({ task }) => task],
    ["side", "string", "additive: what is to come; reductive: what is to go.", ({ side }) => side],
    ["rule", "string", "The rule.", ({ id }) => id],
    ["kind", "string", "Key of its pattern.", ({ kind }) => kind],
    ["base_matches", "integer", "Matches on the unmodified code; empty: not run.", ({ base }) => base],
    ["gold_matches", "integer", "Matches on the right solution; empty: not run.", ({ gold }) => gold],
    ["valid", "boolean", "It tells one from the other, and is no double; empty: not known.", ({ valid }) => valid],
    ["why", "string", "Why it is not valid, or not known.", ({ why }) => why],
    ["likest_rule", "string", "The valid rule before it with the likest lines.", ({ likest }) => likest],
    ["jaccard", "number", "Jaccard similarity with the lines of that, 0–1.", ({ jaccard }) => jaccard],
    ["witness", "string", "A match that should not be, of a rule that is all but right.", ({ witness }) => witness],
  ]),
};

/** Checks rules of instances on both of their trees. */
export async function handleRules(values: RulesValues, console: Console): Promise<ExitCode> {
  const { workingDirectory } = console;
  const { repo, ruleEngine } = values;
  const folder = values.data === null ? null : resolve(workingDirectory, values.data);
  const data = await codetasteAdapter.load(folder, workingDirectory, { repo, ruleEngine, testCmd: null });
  const tasks = selectTasks(data, { taskId: values.taskId, sample: null, seed: 0, limit: null });
  const cage = await openCage({ sandbox: values.sandbox, image: values.image, hidden: data.hidden });
  requireSandbox(wordsOf(codeOf({ data: values.data, repo })), cage);
  const room = await openRoom(`rules ${process.pid} ${data.source}`);
  const checked: CheckedTask[] = [];
  try {
    for (const task of tasks) {
      const bench = room.open(cage, new AbortController().signal);
      checked.push(await checkTask(task, bench).finally(() => bench.close()));
    }
  } finally {
    await room.close();
  }
  const rows = checked.flatMap(({ task, rules }) => rules.map((rule) => ({ task, ...rule })));
  if (values.out !== null) {
    const out = resolve(workingDirectory, values.out);
    await mkdir(out, { recursive: true });
    await writeTable(join(out, RULES.file), RULES, rows);
  }
  if (values.json) console.out(jsonText({ tasks: checked.map(documentOf) }));
  else showBlocks(console, checked.flatMap(blocksOf));
  const isComplete = rows.length > 0 && checked.every(({ obstacle }) => obstacle === null);
  return isComplete && rows.every(({ valid }) => valid !== null) ? EXIT.done : EXIT.failedAnswers;
}

async function checkTask(task: TasteTask, bench: Bench): Promise<CheckedTask> {
  const { id, rules, engine, source, treeObstacle } = task;
  const patch = treeObstacle === null ? await codetasteAdapter.gold(task) : null;
  const failed = (obstacle: string): CheckedTask => ({ task: id, rules: [], obstacle });
  if (patch === null) return failed(treeObstacle ?? "there is no right solution");
  const base = await Workspace.create(join(await bench.folder(), "work"), source);
  const gold = await Workspace.create(join(await bench.folder(), "work"), source);
  const fault = await gold.apply(patch);
  if (fault !== null) return failed(`the right solution does not apply: ${fault}`);
  const checked: CheckedRule[] = [];
  for (const side of SIDES) {
    const scans = {
      base: await engine.scan(rules[side], base.tree, bench),
      gold: await engine.scan(rules[side], gold.tree, bench),
    };
    checked.push(...checkRules(rules[side], scans));
  }
  return { task: id, rules: checked, obstacle: null };
}

function documentOf({ task, rules, obstacle }: CheckedTask): object {
  return {
    task_id: task,
    obstacle,
    rules: rules.map(({ id, base, gold, likest, ...rule }) => ({
      rule: id,
      base_matches: base,
      gold_matches: gold,
      likest_rule: likest,
      ...rule,
    })),
  };
}

function blocksOf({ task, rules, obstacle }: CheckedTask): Block[] {
  if (obstacle !== null) return [heading(3, task), notice("warning", obstacle)];
  const count = (valid: boolean | null) => rules.filter((rule) => rule.valid === valid).length;
  const text = `Rules: ${rules.length}. Valid: ${count(true)}, not valid: ${count(false)}, not known: ${count(null)}.`;
  return [heading(3, task), sentence(text), tableOf(null, COLUMNS, rules)];
}

const WORDS = new Map([
  [true, "valid"],
  [false, "no"],
  [null, "?"],
]);

const COLUMNS: readonly ColumnOf<CheckedRule>[] = [
  textColumn("rule", "rule", ({ id }) => id),
  textColumn("side", "side", ({ side }) => side),
  numberColumn("base", "base", "count", ({ base }) => base),
  numberColumn("gold", "gold", "count", ({ gold }) => gold),
  textColumn("valid", "valid", ({ valid }) => WORDS.get(valid) ?? ""),
  numberColumn("jaccard", "likest", "coefficient", ({ jaccard }) => jaccard, { importance: 2 }),
  textColumn("why", "why", ({ why, witness }) => [why, witness].filter((part) => part !== null).join(", such as "), {
    width: 30,
  }),
];
