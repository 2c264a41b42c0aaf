import { lstat, mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { z } from "zod";
import { openReplyBook } from "../../../agent/replies.js";
import { ProbeError } from "../../../base/errors.js";
import { groupBy } from "../../../base/grouping.js";
import { type Console, EXIT, type ExitCode } from "../../../console/console.js";
import { jsonText } from "../../../console/json-output.js";
import { interruptibly } from "../../../console/progress.js";
import { classBlocks, classCounts, FAILURE_CLASSES, type TrialFailure } from "../../../judge/classes/class-blocks.js";
import { sorterWorth } from "../../../judge/classes/class-worth.js";
import { ASKINGS, type Classed, classify, type Failure } from "../../../judge/classes/classing.js";
import { type JudgedRun, judgedRunSchema } from "../../../judge/judged-run.js";
import { namedJudge, openJudge } from "../../../judge/open-judge.js";
import { opinionsOf, RATINGS, type RatingRecord } from "../../../judge/rating-records.js";
import { NO_CONNECTION } from "../../../model/model.js";
import { showBlocks } from "../../../report/terminal.js";
import { runFingerprint } from "../../../run/folder/run-folder.js";
import { storedRun } from "../../../run/score-folder.js";
import { writeTable } from "../../../store/csv.js";
import { readArtifacts } from "../../../trial/trial-artifacts.js";
import { recordsOf } from "../../../trial/trial-records.js";
import { suite } from "../atlas-suite.js";
import { answerClassing } from "./failure-classes.js";

interface ClassifyValues {
  readonly run: string;
  readonly judge: string | null;
  readonly judgeBaseUrl: readonly string[];
  readonly judgeApiKeyEnv: string | null;
  readonly seed: number;
  readonly dryRun: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** Folder in a run's folder: replies about its failures, and their table. */
const CLASSES_FOLDER = "classes";

/** Sorts the rubrics that answers of a run fail, and those whose class is known; what was replied before is not asked again. */
export async function handleClassify(values: ClassifyValues, console: Console): Promise<ExitCode> {
  const folder = resolve(console.workingDirectory, values.run);
  const stored = await storedRun(suite, folder);
  const { run } = stored;
  const failures = await failuresIn(folder, judgedRunSchema.parse(run), await recordsOf(stored, RATINGS));
  if (failures.length === 0)
    throw new ProbeError(
      "bad_input",
      `Expected rubrics that answers (qa) fail in ${values.run}, found none. Name a run with --judge.`,
    );
  const classing = await answerClassing();
  const calls = (failures.length + classing.known.length) * ASKINGS;
  if (values.dryRun) {
    const text = `${failures.length} failed rubrics and ${classing.known.length} of known class, ${ASKINGS} times each: ${calls} calls. Nobody was asked.`;
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
    if (named === null) throw new ProbeError("bad_input", "Expected --judge M, found none. Name the model that sorts.");
    const judge = await openJudge(named, request, { onMessage: say, signal });
    await makeFolder(join(folder, CLASSES_FOLDER));
    const book = await openReplyBook(join(folder, CLASSES_FOLDER), { fingerprint: runFingerprint(suite, run) });
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
async function makeFolder(path: string): Promise<void> {
  if ((await lstat(path).catch(() => null))?.isDirectory() === false)
    throw new ProbeError("bad_input", `Expected a folder of this run at ${path}, found a link or a file. Remove it.`);
  await mkdir(path, { recursive: true });
}

function exitOf(all: readonly Classed<Failure>[], say: (text: string) => void): ExitCode {
  const lost = all.flatMap(({ votes }) => votes.flatMap((vote) => (vote.status === "lost" ? [vote.detail] : [])));
  if (lost.length === 0) return EXIT.done;
  say(`${lost.length} replies are lost (${lost[0]}); the same command asks for them again.`);
  return EXIT.failedAnswers;
}

const answered = z.looseObject({ answer: z.string() });

/** Rubrics that answers of the agent that a run is about fail. */
async function failuresIn(folder: string, run: JudgedRun, ratings: readonly RatingRecord[]): Promise<TrialFailure[]> {
  const own = ratings.filter(({ agent, condition }) => agent === run.agents[0]?.name && condition === "qa");
  const trials = groupBy(own, ({ task_id, trial }) => JSON.stringify([task_id, trial]));
  const failures: TrialFailure[] = [];
  for (const [first, ...rest] of trials.values()) {
    if (first === undefined) continue;
    const failed = opinionsOf([first, ...rest]).filter(({ score }) => score === 0);
    if (failed.length === 0) continue;
    const submission = answered.safeParse((await readArtifacts(folder, run, first)).report).data?.answer ?? "";
    const { task_id: taskId, condition, trial } = first;
    for (const { criterion, title, justification } of failed)
      failures.push({
        runId: run.run_id,
        taskId,
        condition,
        trial,
        criterionId: criterion,
        criterion: title,
        why: justification,
        submission,
      });
  }
  return failures;
}
