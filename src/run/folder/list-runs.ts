import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { badInput, messageOf, ProbeError } from "../../base/errors.js";
import { didYouMean, nearHint } from "../../base/near-names.js";
import { counted, shorten } from "../../base/text.js";
import { modelName } from "../../model/vendor/model-name.js";
import type { Tone } from "../../report/block.js";
import { isHeld } from "../../store/folder/own-files.js";
import { RESULTS_FOLDER } from "../../store/folder/work-folder.js";
import type { VerdictForm } from "../../verdict/verdict.js";
import type { RunRecord } from "../run-record.js";
import { readScore, suiteOfRun } from "../score-folder.js";
import type { AnySuite } from "../suite.js";
import type { SuiteEntry } from "../suite-entry.js";
import { ANY_RUN, RUN_FILE } from "./run-folder.js";

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
  readonly forms: readonly Pick<VerdictForm, "name" | "task" | "difficulty" | "ablation" | "orders" | "judgement">[];
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
    throw badInput(`Expected a folder of runs, found none at ${folder}. Name another.`, cause);
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

/** Numbers that name no year. */
const NUMBER = /^\d{1,3}$/;

/** Name of the newest run. */
const LATEST = "latest";

/** Folders of the runs under `results`, in the order of `probe runs`; none where there is no such folder. */
async function resultRuns(): Promise<string[]> {
  if (!existsSync(RESULTS_FOLDER)) return [];
  const folders = await findRuns(RESULTS_FOLDER);
  const runs = await Promise.all(
    folders.map(async (folder) => {
      // A record that cannot be read has no date; the command that is given it says what is wrong with it.
      const record = await ANY_RUN.find(folder).catch(() => null);
      return { folder, createdAt: record?.times.created_at ?? null };
    }),
  );
  return runs.sort(newestFirst).map(({ folder }) => folder);
}

/** Names that runs under `results` have. */
export async function runNames(): Promise<string[]> {
  const folders = await resultRuns();
  return folders.length === 0 ? [] : [LATEST, ...folders.map((folder) => basename(folder))];
}

/**
 * The folder that a run is named by: itself, `latest`, a number of `probe runs`, or the name of a folder under
 * `results`, or its beginning where one begins so. A folder that is there comes first.
 * @throws ProbeError `bad_input` for none, or for several
 */
export async function folderOfRun(name: string): Promise<string> {
  if (existsSync(name)) {
    await requireRunFolder(name);
    return name;
  }
  const folders = await resultRuns();
  const [newest] = folders;
  const numbered = /^[1-9]\d{0,5}$/.test(name) ? folders[Number(name) - 1] : undefined;
  const found = name === LATEST ? newest : numbered;
  if (found !== undefined) return found;
  // Every name begins with a 2, the millennium: a short number that is too high names no run.
  if (NUMBER.test(name)) throw badInput(noneText(name, folders));
  const whole = folders.filter((folder) => basename(folder) === name);
  const begun = whole.length > 0 ? whole : folders.filter((folder) => basename(folder).startsWith(name));
  const [only] = begun;
  if (only !== undefined && begun.length === 1) return only;
  throw badInput(begun.length > 1 ? severalText(name, begun) : noneText(name, folders));
}

/**
 * Refuses what is no run and has one around it, or runs below it.
 * @throws ProbeError `bad_input` naming them
 */
async function requireRunFolder(path: string): Promise<void> {
  const isRecord = basename(path) === RUN_FILE;
  const meant = isRecord ? [dirname(path)] : await runsBelow(path);
  if (meant.length === 0) return;
  const found = isRecord ? "its record" : `a folder with ${counted(meant.length, "runs")}`;
  throw badInput(
    `Expected a folder of a run, found ${found}: ${shorten(path, 120)}.${didYouMean(meant.slice(0, MOST_MEANT))}`,
  );
}

async function runsBelow(path: string): Promise<string[]> {
  const isFolder = (await stat(path)).isDirectory();
  return !isFolder || existsSync(join(path, RUN_FILE)) ? [] : await findRuns(path);
}

const MOST_MEANT = 3;
const MOST_SHOWN = 5;

function severalText(name: string, folders: readonly string[]): string {
  const names = folders.slice(0, MOST_SHOWN).map((folder) => basename(folder));
  const more = folders.length > names.length ? ` and ${folders.length - names.length} more` : "";
  return `Expected "${shorten(name, 120)}" to begin the name of one run, found ${folders.length}: ${names.join(", ")}${more}.`;
}

function noneText(name: string, folders: readonly string[]): string {
  if (folders.length === 0) {
    return `Expected a folder of a run, found none at ${shorten(name, 120)}, and no runs in ${RESULTS_FOLDER}. \`probe run\` makes one.`;
  }
  const names = [LATEST, ...folders.map((folder) => basename(folder))];
  const all = name.split(",");
  const isList = all.length > 1 && all.every((each) => names.includes(basename(each)));
  const near = isList ? didYouMean([all.join(" ")]) : nearHint(basename(name), names);
  return (
    `Expected a folder of a run, ${LATEST}, a number or the beginning of a name (\`probe runs\` lists them), ` +
    `found ${shorten(name, 120)}.${near}`
  );
}
