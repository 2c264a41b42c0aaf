import { join } from "node:path";
import type { Block } from "../../report/block.js";
import { leaderboardTable, titleOf } from "../../report/leaderboard-blocks.js";
import { heading } from "../../report/make-block.js";
import { type PagePart, sectionOf } from "../../report/page-section.js";
import { ANY_RUN, RUN_FILE, readRun } from "../../run/run-folder.js";
import { readScore, type ScoredRun } from "../../run/score-folder.js";
import type { AnySuite, SuitePage } from "../../run/suite.js";
import { findSuite, type SuiteEntry } from "../../run/suite-entry.js";
import { leaderboardTables } from "../../verdict/leaderboard.js";

/** The folders of one suite. */
interface SuiteFolders {
  readonly suite: AnySuite;
  readonly runs: string[];
  readonly others: string[];
  /** The files that its page is made of. */
  readonly inputs: string[];
}

/** What is to be reported: the folders of runs, and how they are read. */
interface PageSources {
  readonly runs: readonly string[];
  /** The files that are read: never to be replaced. */
  readonly inputs: readonly string[];
  readonly read: () => Promise<SuitePage[]>;
}

/**
 * Sorts folders by the suites that they are of; one that is none of theirs is left out with a note.
 * @throws ProbeError `bad_input` for a run of a suite that there is not
 */
export async function suitePages(
  suites: readonly SuiteEntry[],
  folders: readonly string[],
  datasets: readonly string[],
  warn: (note: string) => void,
): Promise<PageSources> {
  const bySuite = new Map<string, SuiteFolders>();
  const strangers: string[] = [];
  for (const folder of folders) {
    const record = await ANY_RUN.find(folder);
    if (record === null) {
      strangers.push(folder);
      continue;
    }
    const entry = findSuite(suites, record.suite);
    const own = bySuite.get(entry.name) ?? { suite: await entry.load(), runs: [], others: [], inputs: [] };
    own.runs.push(folder);
    own.inputs.push(...(await runFiles(own.suite, folder)));
    bySuite.set(entry.name, own);
  }
  for (const folder of strangers) await takeIn(folder, [...bySuite.values()], warn);
  return {
    runs: [...bySuite.values()].flatMap(({ runs }) => runs),
    inputs: [...bySuite.values()].flatMap(({ inputs }) => inputs),
    read: () => Promise.all([...bySuite.values()].map((own) => pageOfSuite(own, datasets))),
  };
}

async function runFiles(suite: AnySuite, folder: string): Promise<string[]> {
  const journals = suite.journals(await readRun(suite, folder));
  return [RUN_FILE, ...journals.map(({ codec }) => codec.file)].map((file) => join(folder, file));
}

async function takeIn(folder: string, suites: readonly SuiteFolders[], warn: (note: string) => void): Promise<void> {
  for (const { suite, others, inputs } of suites) {
    const files = (await suite.otherRecords?.(folder)) ?? null;
    if (files === null) continue;
    others.push(folder);
    inputs.push(...files.map((file) => join(folder, file)));
    return;
  }
  warn(`Left out ${folder}: it holds no run.`);
}

async function pageOfSuite({ suite, runs, others }: SuiteFolders, datasets: readonly string[]): Promise<SuitePage> {
  if (suite.page !== undefined) return await suite.page({ runs, others, datasets });
  const scored: ScoredRun[] = [];
  for (const folder of runs) scored.push(await readScore(suite, folder));
  return { part: plainPart(suite, scored), runs: scored.map(({ score }) => score.verdicts), notes: [], others: {} };
}

/** A section of what each run came to, and a leaderboard of several. */
function plainPart(suite: AnySuite, scored: readonly ScoredRun[]): PagePart {
  const boards = leaderboardTables(scored.map(({ score }) => score.verdicts));
  const results = scored.flatMap(({ run, score }): Block[] => [
    heading(3, `${run.model.label} · ${score.facts.join(" · ")}`),
    ...score.blocks,
  ]);
  const board = boards.map((table) => leaderboardTable(table, titleOf(table)));
  return {
    subject: suite.title,
    models: scored.map(({ run }) => run.model.label),
    facts: [`${scored.length} run${scored.length === 1 ? "" : "s"}`],
    sections: [
      sectionOf({ id: suite.name, title: suite.title, blocks: results }),
      ...(scored.length > 1
        ? [sectionOf({ id: `${suite.name}-leaderboard`, title: `${suite.title}: leaderboard`, blocks: board })]
        : []),
    ],
    shortTitles: {},
    style: "",
    script: "",
    data: null,
  };
}
