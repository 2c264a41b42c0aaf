import { groupBy } from "../base/grouping.js";
import { shardText } from "../base/shard.js";
import { shellWord } from "../base/text.js";
import type { GivenOptions } from "../console/option.js";
import { modelName, wayTo } from "../model/vendor/model-name.js";
import type { Block } from "../report/block.js";
import { plainWords, STATE_WORDS } from "../report/judgement-words.js";
import {
  type ColumnOf,
  heading,
  leftColumn,
  notice,
  sentence,
  tableOf,
  textCell,
  textColumn,
} from "../report/make-block.js";
import type { Markdown } from "../report/markdown.js";
import type { GateFinding } from "../verdict/gate.js";
import type { RunVerdicts } from "../verdict/verdict.js";
import type { RunRecord } from "./run-record.js";
import type { ScoredRun } from "./score-folder.js";

/** The end of a run for people: model, results, folder. */
export function runBlocks({ run, folder, score }: ScoredRun): Block[] {
  return [
    sentence([modelName(run.model), ...wayTo(run.model), ...shareOf(run), ...score.facts].join(" · ")),
    ...warningBlocks(score.verdicts),
    ...score.blocks,
    sentence(`Results: ${folder}`),
  ];
}

/** The end of a run for the page of a GitHub job. */
export async function runMarkdown({ run, score }: ScoredRun, findings: readonly GateFinding[] = []): Promise<Markdown> {
  const { renderMarkdownPart } = await import("../report/markdown.js");
  return renderMarkdownPart([
    heading(2, `probe: ${modelName(run.model)}`),
    sentence([...wayTo(run.model), ...shareOf(run), ...score.facts, `run ${run.run_id}`].join(" · ")),
    ...warningBlocks(score.verdicts),
    ...score.blocks,
    ...(findings.length === 0 ? [] : [tableOf("Asked for", GATE_COLUMNS, findings)]),
  ]);
}

/** Which share of a split run this is, to stand with its facts; nothing of a whole run. */
export function shareOf({ shard }: Pick<RunRecord, "shard">): string[] {
  return shard === undefined ? [] : [`share ${shardText(shard)}`];
}

/** What a run warns of, to stand before its scores. */
export function warningBlocks({ warnings }: RunVerdicts): Block[] {
  return warnings.map((text) => notice("bad", text));
}

const GATE_COLUMNS: readonly ColumnOf<GateFinding>[] = [
  textColumn("form", "probe", ({ form }) => form),
  textColumn("wanted", "asked for", ({ wanted }) => wanted),
  textColumn("found", "found", ({ found }) => found, { importance: 2 }),
  leftColumn("passed", "passed", ({ passed }) => textCell(passed ? "yes" : "NO", passed ? "good" : "bad")),
];

/** Models that nobody would ask for their own sake. */
const TRIAL_MODEL = /^(tiny$|scripted:)/;

/** The command that asks again what a run asked, with these options in place of its own. */
export type AskAgain = (instead: GivenOptions) => string;

/** Variables of the process, of which npm sets one: the command it was called by. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Commands that come next, with what each gives; behind `npx` where this one was called by it. */
export function nextBlocks(lines: readonly string[], { npm_command: called }: Environment): Block[] {
  const items = lines.map((line) => [called === "exec" && line.startsWith("probe ") ? `npx ${line}` : line]);
  return [heading(3, "Next"), { kind: "list", items }];
}

/** Words behind the tables of a run for a person at the terminal: what each number means, and what comes next. */
export function nextSteps({ folder, run, score }: ScoredRun, again: AskAgain, environment: Environment = {}): Block[] {
  const choices = score.verdicts.forms.filter(({ kind }) => kind === "choice");
  const judged = score.verdicts.forms.flatMap(({ kind, name, judgement }) =>
    judgement === null
      ? []
      : [{ name, meaning: `${STATE_WORDS[judgement.state].text}: ${plainWords(kind, judgement)}` }],
  );
  const meanings = [...groupBy(judged, ({ meaning }) => meaning)].map(([meaning, forms]) =>
    sentence(`${forms.map(({ name }) => name).join(", ")}: ${meaning}`),
  );
  const lines = [
    `probe report ${shellWord(folder)}: the page, with every question`,
    ...(choices.length === 0 ? [] : [furtherRun(run, again)]),
  ];
  return [
    ...(meanings.length === 0 ? [] : [heading(3, "What it means"), ...meanings]),
    ...nextBlocks(lines, environment),
  ];
}

function furtherRun({ model, parameters }: ScoredRun["run"], again: AskAgain): string {
  if (TRIAL_MODEL.test(model.label)) {
    return `${again({ model: "path/to/model.gguf" })}: the same, asked of a model of yours (servers: probe models check)`;
  }
  const isAblated = [parameters["ablate"] ?? []].flat().length > 0;
  return isAblated
    ? "probe compare RUN RUN: this run and one of another model, tested"
    : `${again({ ablate: "review" })}: does it need the review at all?`;
}
