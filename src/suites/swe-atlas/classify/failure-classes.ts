import { fillTemplate, loadPrompt } from "../../../base/prompt-template.js";
import type { Classing, FailureClass, KnownFailure } from "../../../judge/classes/classing.js";

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

/** Longest answer that is shown to who sorts, in characters. */
const MOST_SHOWN = 16_000;

/** Sorting of the rubrics that answers fail. */
export async function answerClassing(): Promise<Classing> {
  const [system, user] = await Promise.all(
    ["class_system", "class_user"].map((name) => loadPrompt(`suites/swe-atlas/${name}`)),
  );
  if (system === undefined || user === undefined) throw new Error("Expected two prompts.");
  return {
    classes: CLASSES,
    known: KNOWN,
    prompt: ({ criterion, why, submission }, classes) => ({
      system: system.text,
      user: fillTemplate(user, {
        criterion,
        why: why ?? "None is told.",
        answer: submission.slice(0, MOST_SHOWN),
        classes: classes.map(({ id, meaning }) => `- ${id}: ${meaning}`).join("\n"),
      }),
      responseFormat: "json",
    }),
  };
}
