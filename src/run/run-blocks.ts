import { shardText } from "../base/shard.js";
import { modelName, wayTo } from "../model/vendor/model-name.js";
import type { Block } from "../report/block.js";
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
import type { RunRecord } from "./run-record.js";
import type { ScoredRun } from "./score-folder.js";

/** The end of a run for people: model, results, folder. */
export function runBlocks({ run, folder, score }: ScoredRun): Block[] {
  return [
    sentence([modelName(run.model), ...wayTo(run.model), ...shareOf(run), ...score.facts].join(" · ")),
    ...warnings(score.verdicts.warnings),
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
    ...warnings(score.verdicts.warnings),
    ...score.blocks,
    ...(findings.length === 0 ? [] : [tableOf("Asked for", GATE_COLUMNS, findings)]),
  ]);
}

function shareOf({ shard }: RunRecord): string[] {
  return shard === undefined ? [] : [`share ${shardText(shard)}`];
}

function warnings(texts: readonly string[]): Block[] {
  return texts.map((text) => notice("bad", text));
}

const GATE_COLUMNS: readonly ColumnOf<GateFinding>[] = [
  textColumn("form", "probe", ({ form }) => form),
  textColumn("wanted", "asked for", ({ wanted }) => wanted),
  textColumn("found", "found", ({ found }) => found, { importance: 2 }),
  leftColumn("passed", "passed", ({ passed }) => textCell(passed ? "yes" : "NO", passed ? "good" : "bad")),
];
