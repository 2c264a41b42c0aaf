import type { TrialFailure } from "../../judge/classes/class-blocks.js";
import type { SortedSuite } from "../../judge/classes/classify-handler.js";
import { classingOf, type FailureClass, type KnownFailure } from "../../judge/classes/classing.js";
import { ratingsByTrial } from "../../judge/judged-run.js";
import { type Opinion, opinionsOf, RATINGS } from "../../judge/rating-records.js";
import type { StoredRun } from "../../run/suite.js";
import { judgedTrials } from "../../trial/score/summarise-trials.js";
import { readArtifacts } from "../../trial/trial-artifacts.js";
import { recordsOf, TRIALS, type TrialRecord } from "../../trial/trial-records.js";
import type { TrialRun } from "../../trial/trial-run.js";
import { SMELLS } from "./smell-case.js";
import { type ErrorClass, errorClass, measuredIn, trialScores } from "./smell-scores.js";
import { DESCRIPTIONS, suite } from "./smell-suite.js";

/** Classes of failures: those of the rule, and what is none of them, which only a reader tells. */
const CLASSES: readonly (FailureClass & { readonly id: ErrorClass | "other" })[] = [
  { id: "timeout", title: "timeout", meaning: "the time was over before the work was done" },
  {
    id: "broken",
    title: "tests broken",
    meaning: "the smelly code was worked on, and the program no longer does what it did: tests fail",
  },
  { id: "location", title: "wrong place", meaning: "the work was done elsewhere; the smelly code was left as it was" },
  {
    id: "incomplete",
    title: "incomplete",
    meaning:
      "the right change was begun in the right place, and parts of the smell, or files that it touches, are left",
  },
  {
    id: "wrong fix",
    title: "wrong fix",
    meaning: "the smelly code was changed in a way that does not answer the smell: names, layout, or the smell moved",
  },
  {
    id: "other",
    title: "other",
    meaning: "the smell is gone and tests hold; the failure is of another kind, such as what the patch brings besides",
  },
];

const known = (classId: (typeof CLASSES)[number]["id"], criterion: string, why: string, submission: string) => ({
  classId,
  criterion,
  why,
  submission,
});

const PASSED = "The tests passed. The smelly code was changed.";

/** Failures made up by us, two of each class. */
const KNOWN: readonly KnownFailure[] = [
  known(
    "timeout",
    "dead code: `packOld` in crate.js is called by nobody",
    "The agent's end: time limit. The tests passed. The smelly code was not changed.",
    "",
  ),
  known(
    "timeout",
    "god class: `Harbour` in harbour.py keeps berths, prices and mail",
    "The agent's end: time limit. The tests failed. The smelly code was changed.",
    "-class Harbour:\n+class Berths:\n+    pass  # prices and mail follow\n",
  ),
  known(
    "broken",
    "dead code: `packOld` in crate.js is called by nobody",
    "The agent's end: finished. The tests failed: pack is not defined. The smelly code was changed.",
    "-function packOld(box) {\n-  return [box];\n-}\n-function pack(box) {\n-  return [box, box.lid];\n-}\n",
  ),
  known(
    "broken",
    "deeply inlined method: `bake` in oven.py",
    "The agent's end: finished. The tests failed: expected 180, got None. The smelly code was changed.",
    "-    heat = 160 + 20 * trays\n+    heat = self._heat(trays)\n+    def _heat(self, trays):\n+        160 + 20 * trays\n",
  ),
  known(
    "location",
    "feature envy: `Invoice.postage` in invoice.js works with the data of `Parcel`",
    "The agent's end: finished. The tests passed. The smelly code was not changed.",
    "--- a/mail.js\n+++ b/mail.js\n-const greet = (name) => 'Dear ' + name;\n+const greet = (name) => 'Hello ' + name;\n",
  ),
  known(
    "location",
    "data clump: street, town and code in label.py travel together",
    "The agent's end: finished. The tests passed. The smelly code was not changed.",
    "--- a/weights.py\n+++ b/weights.py\n-def grams(kilos): return kilos * 1000\n+def grams(kilos):\n+    return kilos * 1000\n",
  ),
  known(
    "incomplete",
    "shotgun surgery: the rate 0.19 stands in till.js, bill.js and refund.js",
    `The agent's end: finished. ${PASSED} Marks of 10: all files go together 2 (refund.js and bill.js still have the rate).`,
    "--- a/till.js\n+++ b/till.js\n-  return net * 0.19;\n+  return net * RATE;\n+import { RATE } from './rate.js';\n",
  ),
  known(
    "incomplete",
    "data clump: street, town and code travel together through five signatures",
    `The agent's end: finished. ${PASSED} Marks of 10: the smell is gone 4 (one of five signatures takes an address now).`,
    "-export function label(name, street, town, code) {\n+export function label(name, address) {\n",
  ),
  known(
    "wrong fix",
    "god class: `Harbour` in harbour.py keeps berths, prices and mail",
    `The agent's end: finished. ${PASSED} Marks of 10: the smell is gone 0 (the class has another name, and all its duties).`,
    "-class Harbour:\n+class HarbourManager:\n",
  ),
  known(
    "wrong fix",
    "feature envy: `Invoice.postage` in invoice.js works with the data of `Parcel`",
    `The agent's end: finished. ${PASSED} Marks of 10: the smell is gone 1 (comments were added, the method asks as before).`,
    "+  // The parcel's length and width are asked for here.\n   const size = parcel.length * parcel.width;\n",
  ),
  known(
    "other",
    "dead code: `packOld` in crate.js is called by nobody",
    `The agent's end: finished. ${PASSED} Marks of 10: the smell is gone 10; all files go together 4 (a script and a log of the agent's own were left in the repository).`,
    "-function packOld(box) {\n-  return [box];\n-}\n--- /dev/null\n+++ b/find-dead.log\n+packOld: 0 calls\n",
  ),
  known(
    "other",
    "shotgun surgery: the rate 0.19 stands in till.js and bill.js",
    `The agent's end: finished. ${PASSED} Marks of 10: the smell is gone 10; all files go together 4 (the licence of the package was changed too).`,
    '-  return net * 0.19;\n+  return net * RATE;\n--- a/package.json\n+++ b/package.json\n-  "license": "MIT"\n+  "license": "ISC"\n',
  ),
];

/** Sorting of the trials in which a smell was not taken out. */
export async function sortedTrials(): Promise<SortedSuite> {
  return {
    suite,
    classing: await classingOf("smellbench", CLASSES, KNOWN),
    failed: "trials that fail",
    failuresIn,
  };
}

/** Trials that fail by the rule: of the agent that a run is about, on valid cases. */
async function failuresIn(stored: StoredRun<TrialRun>): Promise<TrialFailure[]> {
  const { run } = stored;
  const own = (await recordsOf(stored, TRIALS)).filter(({ agent }) => agent === run.agents[0]?.name);
  const ratingsOf = ratingsByTrial(await recordsOf(stored, RATINGS));
  const failures: TrialFailure[] = [];
  for (const record of judgedTrials(own)) {
    const opinions = opinionsOf(ratingsOf(record));
    const scores = trialScores(record, opinions);
    const rule = errorClass({ ...record, scores });
    if (rule === null) continue;
    const { smell } = measuredIn(record);
    failures.push({
      runId: run.run_id,
      taskId: record.task_id,
      condition: record.condition,
      trial: record.trial,
      criterionId: suite.measures[0] ?? "",
      criterion: `${SMELLS[smell]}: ${DESCRIPTIONS[smell]}`,
      why: reasonOf(record, opinions),
      submission: (await readArtifacts(stored.folder, run, record)).patch,
      rule,
    });
  }
  return failures;
}

/** Facts of a trial in words: its end, tests, place, marks. */
function reasonOf(record: TrialRecord, opinions: readonly Opinion[]): string {
  const { tpr, la } = measuredIn(record);
  const end = `The agent's end: ${(record.agent_end ?? "not known").replaceAll("_", " ")}.`;
  const place = la === null ? "" : ` The smelly code was ${la ? "" : "not "}changed.`;
  const marks = opinions.flatMap(({ title, score, justification }) =>
    score === null ? [] : [`${title} ${score * 10}${justification === null ? "" : ` (${justification})`}`],
  );
  const judged = marks.length === 0 ? "" : ` Marks of 10: ${marks.join("; ")}`;
  return `${end} The tests ${tpr ? "passed" : "failed"}.${place}${judged}`;
}
