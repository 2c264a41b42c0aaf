import { modelName } from "../model/vendor/model-name.js";
import type { Block } from "../report/block.js";
import { heading, notice } from "../report/make-block.js";
import { type BlockSection, type PagePart, sectionOf } from "../report/page.js";
import { costBlocks } from "../report/verdicts/cost-blocks.js";
import { leaderboardTable, titleOf } from "../report/verdicts/leaderboard-blocks.js";
import { leaderboardTables, modelNames } from "../verdict/leaderboard.js";
import type { RunVerdicts } from "../verdict/verdict.js";
import { shareOf, warningBlocks } from "./run-blocks.js";
import { readScore, type ScoredRun } from "./score-folder.js";
import type { AnySuite } from "./suite.js";
import type { SuitePage } from "./suite-page.js";

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
    heading(3, [modelName(run.model), ...shareOf(run), ...score.facts].join(" · ")),
    ...warningBlocks(score.verdicts),
    ...score.blocks,
  ]);
  const verdicts = scored.map(({ score }) => score.verdicts);
  const board = [
    ...ruleBlocks(verdicts),
    ...boards.map((table) => ({ ...leaderboardTable(table, titleOf(table)), isCards: true })),
    ...costBlocks(verdicts),
  ];
  return {
    subject: suite.title,
    models: scored.map(({ run }) => modelName(run.model)),
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

/** Warning where runs beside each other have scores that were made by different rules; nothing where all are by one. */
export function ruleBlocks(runs: readonly RunVerdicts[]): Block[] {
  const names = modelNames(runs);
  const ruled = runs.flatMap(({ suite, rules = [] }, i) =>
    rules.map((rule) => ({ suite, rule, name: names[i] ?? "" })),
  );
  const isOne = ruled.every(({ suite, rule }) => ruled.every((other) => other.suite !== suite || other.rule === rule));
  if (isOne) return [];
  const told = ruled.map(({ name, rule }) => `${name}: ${rule}`).join("; ");
  return [notice("warning", `Scores were made by different rules, so that they are not alike: ${told}.`)];
}
