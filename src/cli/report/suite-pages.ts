import { join } from "node:path";
import { badInput } from "../../base/errors.js";
import { ANY_RUN, RUN_FILE, readRun } from "../../run/folder/run-folder.js";
import { plainPage } from "../../run/plain-page.js";
import type { AnySuite } from "../../run/suite.js";
import { findSuite, type SuiteEntry, type Suites } from "../../run/suite-entry.js";
import type { SuitePage } from "../../run/suite-page.js";
import type { DataFact } from "../../verdict/verdict.js";

/** The folders of one suite. */
export interface SuiteFolders {
  readonly suite: AnySuite;
  /** Folders of its runs. */
  readonly runs: string[];
  /** Further ones that belong to them, such as of audits. */
  readonly others: string[];
  /** The files that its page is made of. */
  readonly inputs: string[];
}

/**
 * Sorts folders by the suites that they are of; one that is none of theirs is left out with a note.
 * @throws ProbeError `bad_input` for a run of a suite that there is not
 */
export async function suiteFolders(
  suites: Suites,
  folders: readonly string[],
  warn: (note: string) => void,
): Promise<SuiteFolders[]> {
  const bySuite = new Map<string, SuiteFolders>();
  const ownOf = async (entry: SuiteEntry) => {
    const own = bySuite.get(entry.name) ?? { suite: await entry.load(), runs: [], others: [], inputs: [] };
    bySuite.set(entry.name, own);
    return own;
  };
  const strangers: string[] = [];
  for (const folder of folders) {
    const record = await ANY_RUN.find(folder);
    if (record === null) {
      strangers.push(folder);
      continue;
    }
    const own = await ownOf(findSuite(suites, record.suite));
    own.runs.push(folder);
    own.inputs.push(...(await runFiles(own.suite, folder)));
  }
  for (const folder of strangers) {
    const owner = await findOwner(folder, suites);
    if (owner === null) {
      warn(`Left out ${folder}: it holds no run.`);
      continue;
    }
    const own = await ownOf(owner.entry);
    own.others.push(folder);
    own.inputs.push(...owner.files.map((file) => join(folder, file)));
  }
  return [...bySuite.values()];
}

async function runFiles(suite: AnySuite, folder: string): Promise<string[]> {
  const journals = suite.journals(await readRun(suite, folder));
  return [RUN_FILE, ...journals.map(({ codec }) => codec.file)].map((file) => join(folder, file));
}

/** The files that are read: never replaced, even when asked for. */
export function recordsOf(found: readonly SuiteFolders[]): string[] {
  return found.flatMap(({ inputs }) => inputs);
}

/**
 * The folders of the runs.
 * @throws ProbeError `bad_input` without any
 */
export function requireRuns(found: readonly SuiteFolders[]): readonly string[] {
  const runs = found.flatMap((own) => own.runs);
  if (runs.length > 0) return runs;
  throw badInput(
    "Expected at least one folder of a run to report, found none. Name the folder that probe run printed.",
  );
}

/** The suite that a folder which is no run belongs to, and its files that are read. */
async function findOwner(
  folder: string,
  suites: Suites,
): Promise<{ readonly entry: SuiteEntry; readonly files: readonly string[] } | null> {
  for (const entry of suites) {
    const files = (await (await entry.load()).otherRecords?.(folder)) ?? null;
    if (files !== null) return { entry, files };
  }
  return null;
}

/** Facts about the data of other suites, from folders that are no runs, such as those of audits. */
export async function readDataFacts(found: readonly SuiteFolders[]): Promise<DataFact[]> {
  const facts = await Promise.all(found.map(({ suite, others }) => suite.dataFacts?.(others) ?? []));
  return facts.flat();
}

/** The pages of these folders, a suite each. */
export function readPages(found: readonly SuiteFolders[], datasets: readonly string[]): Promise<SuitePage[]> {
  return Promise.all(found.filter(({ runs }) => runs.length > 0).map((own) => pageOfSuite(own, datasets)));
}

async function pageOfSuite({ suite, runs, others }: SuiteFolders, datasets: readonly string[]): Promise<SuitePage> {
  if (suite.page !== undefined) return await suite.page({ runs, others, datasets });
  return plainPage(suite, runs);
}
