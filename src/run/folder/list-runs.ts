import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { messageOf, ProbeError } from "../../base/errors.js";
import { modelName } from "../../model/vendor/model-name.js";
import type { Tone } from "../../report/block.js";
import { isHeld } from "../../store/folder/own-files.js";
import type { VerdictForm } from "../../verdict/verdict.js";
import type { RunRecord } from "../run-record.js";
import { readScore, suiteOfRun } from "../score-folder.js";
import type { AnySuite } from "../suite.js";
import type { SuiteEntry } from "../suite-entry.js";
import { RUN_FILE } from "./run-folder.js";

/**
 * State of a run.
 * - `complete`: everything came
 * - `unfinished`: `--resume` goes on
 * - `locked`: a process is at work on it
 * - `damaged`: it cannot be read
 */
type RunState = "complete" | "unfinished" | "locked" | "damaged";

/** Tones of the states. */
export const RUN_TONES: Readonly<Record<RunState, Tone>> = {
  complete: "plain",
  unfinished: "warning",
  locked: "warning",
  damaged: "bad",
};

interface DatedFolder {
  readonly folder: string;
  /** ISO 8601; `null` where it cannot be read. */
  readonly createdAt: string | null;
}

/** A run of a folder, as a list shows it. What cannot be read is `null`. */
export interface ListedRun extends DatedFolder {
  readonly state: RunState;
  readonly suite: string | null;
  readonly model: string | null;
  /** Forms with their judgements so far; none while it is locked. */
  readonly forms: readonly Pick<VerdictForm, "name" | "task" | "difficulty" | "ablation" | "judgement">[];
  /** Damage; `null`: there is none. */
  readonly problem: string | null;
}

/** Facts that `run.json` and the lock of a folder hold: no journal is read. */
export type RunHead =
  | { readonly kind: "damaged"; readonly folder: string; readonly problem: string }
  | {
      readonly kind: "recorded";
      readonly folder: string;
      readonly suite: AnySuite;
      readonly run: RunRecord;
      readonly isHeld: boolean;
    };

/**
 * The runs in the folders of a folder, or the one that it is, the newest first. Writes nothing. Other folders are passed
 * over.
 * @throws ProbeError `bad_input` where there is no such folder
 */
export async function listRuns(suites: readonly SuiteEntry[], folder: string): Promise<ListedRun[]> {
  const runs: ListedRun[] = [];
  // One after the other: each reads its journals.
  for (const found of await findRuns(folder)) runs.push(await listRun(await readHead(suites, found)));
  return runs.sort(newestFirst);
}

/**
 * The folders of the runs in a folder, or the one that it is.
 * @throws ProbeError `bad_input` where there is no such folder
 */
export async function findRuns(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw new ProbeError("bad_input", `Expected a folder of runs, found none at ${folder}. Name another.`, { cause });
  });
  const folders = [folder, ...entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name))];
  const isRun = await Promise.all(
    folders.map((candidate) => stat(join(candidate, RUN_FILE)).then(Boolean, () => false)),
  );
  return folders.filter((_, i) => isRun[i]);
}

/** The newest first; those without a date last. */
export function newestFirst(a: DatedFolder, b: DatedFolder): number {
  return (b.createdAt ?? "").localeCompare(a.createdAt ?? "") || a.folder.localeCompare(b.folder);
}

export async function readHead(suites: readonly SuiteEntry[], folder: string): Promise<RunHead> {
  try {
    const { suite, run } = await suiteOfRun(suites, folder);
    return { kind: "recorded", folder, suite, run, isHeld: await isHeld(folder) };
  } catch (error) {
    return { kind: "damaged", folder, problem: problemOf(error) };
  }
}

/** A run with the judgements of its forms, by its journals. */
export async function listRun(head: RunHead): Promise<ListedRun> {
  const listed = listedHead(head);
  if (head.kind === "damaged" || head.isHeld) return listed;
  try {
    const { score } = await readScore(head.suite, head.folder);
    const isWhole = head.run.status === "complete" && score.unfinished === null;
    return { ...listed, state: isWhole ? "complete" : "unfinished", forms: score.verdicts.forms };
  } catch (error) {
    return listedHead({ kind: "damaged", folder: head.folder, problem: problemOf(error) });
  }
}

/** A run without the judgements of its forms. */
export function listedHead(head: RunHead): ListedRun {
  const { folder } = head;
  if (head.kind === "damaged") {
    const { problem } = head;
    return { folder, state: "damaged", createdAt: null, suite: null, model: null, forms: [], problem };
  }
  const { run, isHeld } = head;
  const ended = run.status === "complete" ? "complete" : "unfinished";
  const own = { createdAt: run.times.created_at, suite: run.suite, model: modelName(run.model) };
  return { folder, state: isHeld ? "locked" : ended, ...own, forms: [], problem: null };
}

/** The fault of a file in words; any other error is one of the program. */
function problemOf(error: unknown): string {
  if (error instanceof ProbeError || (error instanceof Error && "syscall" in error)) return messageOf(error);
  throw error;
}
