import { z } from "zod";
import { groupBy } from "../../base/grouping.js";
import type { TrialFailure } from "../../judge/classes/class-blocks.js";
import type { SortedSuite } from "../../judge/classes/classify-handler.js";
import { classingOf, type FailureClass, type KnownFailure } from "../../judge/classes/classing.js";
import { opinionsOf, RATINGS } from "../../judge/rating-records.js";
import type { StoredRun } from "../../run/suite.js";
import { readArtifacts } from "../../trial/trial-artifacts.js";
import { recordsOf } from "../../trial/trial-records.js";
import type { TrialRun } from "../../trial/trial-run.js";
import { suite } from "./atlas-suite.js";

/** Classes of what is wrong with an answer: two that the paper names, and two of ours. */
const CLASSES: readonly FailureClass[] = [
  {
    id: "incomplete",
    title: "missing or incomplete information",
    meaning: "the answer speaks of what the statement is about, but leaves out part of what it asks for",
  },
  {
    id: "no_evidence",
    title: "no runtime evidence",
    meaning: "the statement asks for what a run shows, and the answer has it from reading or guessing alone",
  },
  {
    id: "wrong",
    title: "wrong information",
    meaning: "the answer says something else than the statement, and it is not so",
  },
  { id: "not_addressed", title: "not addressed", meaning: "the answer says nothing of what the statement is about" },
];

const known = (classId: string, criterion: string, submission: string): KnownFailure => ({
  classId,
  criterion,
  submission,
  why: null,
});

/** Failures made up by us, two of each class. */
const KNOWN: readonly KnownFailure[] = [
  known(
    "incomplete",
    "States that `open` tries three times and waits longer before each.",
    "`open` tries again where the socket is refused.",
  ),
  known(
    "incomplete",
    "Names both callers of `trim`: `save` and `publish`.",
    "`trim` is called by `save`, before the record is written.",
  ),
  known(
    "no_evidence",
    "Shows the log of a run in which the second request is served by the cache.",
    "`lookup` finds the key, so by the code the second request should be served by the cache.",
  ),
  known(
    "no_evidence",
    "Gives the measured time of `reindex` with and without the flag.",
    "With the flag `reindex` leaves out the second pass and should take about half as long; it was not measured.",
  ),
  known(
    "wrong",
    "States that locks are given back in the reverse of the order in which they were taken.",
    "Locks are given back in the order in which they were taken.",
  ),
  known("wrong", "States that the limit is 64 unless it is set.", "Unless it is set the limit is 128."),
  known(
    "not_addressed",
    "Explains what the parser does with an empty file.",
    "The worker writes its results to the queue, from which a second process sends them on.",
  ),
  known(
    "not_addressed",
    "Says which thread frees the buffers.",
    "The settings are read from three files, of which the last one wins.",
  ),
];

const answered = z.looseObject({ answer: z.string() });

/** Rubrics that answers of the agent that a run is about fail. */
async function failuresIn(stored: StoredRun<TrialRun>): Promise<TrialFailure[]> {
  const { folder, run } = stored;
  const ratings = await recordsOf(stored, RATINGS);
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
        rule: null,
      });
  }
  return failures;
}

/** Sorting of the rubrics that answers fail. */
export async function sortedAnswers(): Promise<SortedSuite> {
  return {
    suite,
    classing: await classingOf("swe-atlas", CLASSES, KNOWN),
    failed: "rubrics that answers (qa) fail",
    failuresIn,
  };
}
