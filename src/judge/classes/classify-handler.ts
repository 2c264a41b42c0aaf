import { lstat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { openReplyBook } from "../../agent/replies.js";
import { badInput } from "../../base/errors.js";
import { type Console, EXIT, type ExitCode, jsonText } from "../../console/console.js";
import { interruptibly } from "../../console/progress.js";
import { NO_CONNECTION } from "../../model/model.js";
import type { Think } from "../../model/requests.js";
import { showBlocks } from "../../report/terminal.js";
import { runFingerprint } from "../../run/folder/run-folder.js";
import { storedRun } from "../../run/score-folder.js";
import type { StoredRun, Suite } from "../../run/suite.js";
import { writeTable } from "../../store/csv.js";
import { makeFolder } from "../../store/folder/work-folder.js";
import type { TrialValues } from "../../trial/trial-options.js";
import type { TrialRun } from "../../trial/trial-run.js";
import { namedJudge, openJudge } from "../open-judge.js";
import { classBlocks, classCounts, FAILURE_CLASSES, sorterWorth, type TrialFailure } from "./class-blocks.js";
import { ASKINGS, type Classed, type Classing, classify, type Failure } from "./classing.js";

/** Suite whose failures a model can sort. */
export interface SortedSuite {
  readonly suite: Suite<TrialValues, TrialRun>;
  readonly classing: Classing;
  /** Failures in words, many of them. */
  readonly failed: string;
  /** Failures of the agent that a run is about. */
  failuresIn(stored: StoredRun<TrialRun>): Promise<TrialFailure[]>;
}

interface ClassifyValues {
  readonly run: string;
  readonly judge: string | null;
  readonly judgeBaseUrl: readonly string[];
  readonly judgeApiKeyEnv: string | null;
  readonly judgeThink: Think | null;
  readonly seed: number;
  readonly dryRun: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** Folder in a run's folder: replies about its failures, and their table. */
const CLASSES_FOLDER = "classes";

/** Sorts the failures of a run, and those whose class is known; what was replied before is not asked again. */
export async function handleClassify(
  { suite, classing, failed, failuresIn }: SortedSuite,
  values: ClassifyValues,
  console: Console,
): Promise<ExitCode> {
  const folder = resolve(console.workingDirectory, values.run);
  const stored = await storedRun(suite, folder);
  const failures = await failuresIn(stored);
  if (failures.length === 0)
    throw badInput(
      `Expected ${failed} in ${values.run}, found none. Name a run that has some, such as one with --judge.`,
    );
  const calls = (failures.length + classing.known.length) * ASKINGS;
  if (values.dryRun) {
    const text = `${failures.length} ${failed} and ${classing.known.length} of known class, ${ASKINGS} times each: ${calls} calls. Nobody was asked.`;
    console.out(
      values.json ? jsonText({ failures: failures.length, known: classing.known.length, calls }) : `${text}\n`,
    );
    return EXIT.done;
  }
  const say = (text: string) => {
    if (!values.quiet) console.err(`${text}\n`);
  };
  const request = {
    values: { ...values, replies: null, replay: "off" as const },
    model: { label: "", provider: "none", name: "", settings: {} },
    connection: NO_CONNECTION,
    promptMode: "chat" as const,
    resumed: null,
    workingDirectory: console.workingDirectory,
    warn: say,
  };
  return interruptibly(console, { message: say, stop: () => {} }, async (signal) => {
    const named = await namedJudge(request);
    if (named === null) throw badInput("Expected --judge M, found none. Name the model that sorts.");
    const judge = await openJudge(named, request, { onMessage: say, signal });
    await makeOwnFolder(join(folder, CLASSES_FOLDER));
    const book = await openReplyBook(join(folder, CLASSES_FOLDER), { fingerprint: runFingerprint(suite, stored.run) });
    try {
      const sorter = { converse: judge.askingIn(book), atOnce: judge.atOnce, seed: values.seed };
      const known = await classify(classing, classing.known, sorter, signal);
      const found = await classify(classing, failures, sorter, signal);
      await writeTable(join(folder, CLASSES_FOLDER, FAILURE_CLASSES.file), FAILURE_CLASSES, found);
      const worth = sorterWorth(named.label, classing.classes, known, found);
      const counts = classCounts(classing.classes, found);
      if (values.json) console.out(jsonText({ judge: named.label, n: found.length, classes: counts, worth }));
      else showBlocks(console, classBlocks(counts, worth));
      return exitOf([...known, ...found], say);
    } finally {
      await book.close();
      await judge.close();
    }
  });
}

/** @throws ProbeError `bad_input` where a run that was received has a link in its place */
async function makeOwnFolder(path: string): Promise<void> {
  if ((await lstat(path).catch(() => null))?.isDirectory() === false)
    throw badInput(`Expected a folder of this run at ${path}, found a link or a file. Remove it.`);
  await makeFolder(path);
}

function exitOf(all: readonly Classed<Failure>[], say: (text: string) => void): ExitCode {
  const lost = all.flatMap(({ votes }) => votes.flatMap((vote) => (vote.status === "lost" ? [vote.detail] : [])));
  if (lost.length === 0) return EXIT.done;
  say(`${lost.length} replies are lost (${lost[0]}); the same command asks for them again.`);
  return EXIT.failedAnswers;
}
