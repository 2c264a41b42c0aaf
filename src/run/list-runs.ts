import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { messageOf, ProbeError } from "../base/errors.js";
import { isHeld } from "../store/folder/is-held.js";
import type { Judgement } from "../verdict/verdict.js";
import { RUN_FILE } from "./run-folder.js";
import { readScore } from "./score-folder.js";
import type { SuiteEntry } from "./suite-entry.js";
import { suiteOfRun } from "./suite-of-run.js";

/**
 * How far a run is.
 * - `complete`: everything came
 * - `unfinished`: `--resume` goes on
 * - `locked`: a process is at work on it
 * - `damaged`: it cannot be read
 */
export type RunState = "complete" | "unfinished" | "locked" | "damaged";

/** A run of a folder, as a list shows it. */
export interface ListedRun {
  readonly folder: string;
  readonly state: RunState;
  /** ISO 8601; `null` where it cannot be read, as the others. */
  readonly createdAt: string | null;
  readonly suite: string | null;
  readonly model: string | null;
  /** What each form came to so far; none while it is locked. */
  readonly forms: readonly { readonly name: string; readonly judgement: Judgement }[];
  /** Why it is damaged; `null`: it is not. */
  readonly problem: string | null;
}

/**
 * The runs in the folders of a folder, or the one that it is, the newest first. Writes nothing. Other folders are passed
 * over.
 * @throws ProbeError `bad_input` where there is no such folder
 */
export async function listRuns(suites: readonly SuiteEntry[], folder: string): Promise<ListedRun[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw new ProbeError("bad_input", `Expected a folder of runs, found none at ${folder}. Name another.`, { cause });
  });
  const folders = [folder, ...entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name))];
  const runs: ListedRun[] = [];
  // One after the other: each reads its journals.
  for (const candidate of folders) {
    if (await stat(join(candidate, RUN_FILE)).catch(() => null)) runs.push(await listed(suites, candidate));
  }
  return runs.sort((a, b) => (b.createdAt ?? "").localeCompare(a.createdAt ?? "") || a.folder.localeCompare(b.folder));
}

async function listed(suites: readonly SuiteEntry[], folder: string): Promise<ListedRun> {
  try {
    const { suite, run } = await suiteOfRun(suites, folder);
    const own = { folder, createdAt: run.times.created_at, suite: run.suite, model: run.model.label, problem: null };
    if (await isHeld(folder)) return { ...own, state: "locked", forms: [] };
    const { score } = await readScore(suite, folder);
    const isWhole = run.status === "complete" && score.unfinished === null;
    const forms = score.verdicts.forms.map(({ name, judgement }) => ({ name, judgement }));
    return { ...own, state: isWhole ? "complete" : "unfinished", forms };
  } catch (error) {
    if (!(error instanceof ProbeError)) throw error;
    const none = { createdAt: null, suite: null, model: null, forms: [] };
    return { folder, state: "damaged", ...none, problem: messageOf(error) };
  }
}
