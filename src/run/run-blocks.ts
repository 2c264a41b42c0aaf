import { shardText } from "../base/shard.js";
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
import { type Markdown, renderMarkdownPart } from "../report/markdown.js";
import { type BlockSection, type PagePart, sectionOf } from "../report/page.js";
import { leaderboardTable, titleOf } from "../report/verdicts/leaderboard-blocks.js";
import type { GateFinding } from "../verdict/gate.js";
import { leaderboardTables } from "../verdict/leaderboard.js";
import type { RunRecord } from "./run-record.js";
import { readScore, type ScoredRun } from "./score-folder.js";
import type { AnySuite, SuitePage } from "./suite.js";

/** The end of a run for people: model, results, folder. */
export function runBlocks({ run, folder, score }: ScoredRun): Block[] {
  return [
    sentence([run.model.label, ...shareOf(run), ...score.facts].join(" · ")),
    ...warnings(score.verdicts.warnings),
    ...score.blocks,
    sentence(`Results: ${folder}`),
  ];
}

/** The end of a run for the page of a GitHub job. */
export function runMarkdown({ run, score }: ScoredRun, findings: readonly GateFinding[] = []): Markdown {
  return renderMarkdownPart([
    heading(2, `probe: ${run.model.label}`),
    sentence([...shareOf(run), ...score.facts, `run ${run.run_id}`].join(" · ")),
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

/**
 * The page of runs whose suite has none of its own: each run's results, and a leaderboard of several.
 * @param more what stands behind it
 */
export async function plainPage(
  suite: AnySuite,
  runs: readonly string[],
  more: readonly BlockSection[] = [],
): Promise<SuitePage> {
  const scored: ScoredRun[] = [];
  for (const folder of runs) scored.push(await readScore(suite, folder));
  return {
    part: plainPart(suite, scored, more),
    runs: scored.map(({ score }) => score.verdicts),
    notes: [],
    others: {},
  };
}

/** A section of each run's results, and a leaderboard of several. */
function plainPart(
  suite: Pick<AnySuite, "name" | "title">,
  scored: readonly ScoredRun[],
  more: readonly BlockSection[],
): PagePart {
  const boards = leaderboardTables(scored.map(({ score }) => score.verdicts));
  const results = scored.flatMap(({ run, score }): Block[] => [
    heading(3, `${run.model.label} · ${score.facts.join(" · ")}`),
    ...score.blocks,
  ]);
  const board = boards.map((table) => leaderboardTable(table, titleOf(table)));
  return {
    subject: suite.title,
    models: scored.map(({ run }) => run.model.label),
    facts: [],
    runs: scored.length,
    sections: [
      sectionOf({ id: suite.name, title: suite.title, blocks: results }),
      ...(scored.length > 1
        ? [sectionOf({ id: `${suite.name}-leaderboard`, title: `${suite.title}: leaderboard`, blocks: board })]
        : []),
      ...more.map(sectionOf),
    ],
    shortTitles: {},
    style: "",
    script: "",
    data: null,
  };
}
