import { basename, dirname, relative } from "node:path";
import { badInput, type ProbeError } from "../../base/errors.js";
import { sha256OfFile } from "../../base/sha256.js";
import { counted, shorten } from "../../base/text.js";
import { type Console, EXIT, type ExitCode } from "../../console/console.js";
import { datasetFile } from "../../dataset/dataset-file.js";
import { DIFFICULTIES, type Example } from "../../dataset/example.js";
import { loadProbes } from "../../question/probes.js";
import { isAsked, isChoiceForm, probeForms } from "../../question/question-build.js";
import type { Block } from "../../report/block.js";
import { sentence } from "../../report/make-block.js";
import { showBlocks } from "../../report/terminal.js";
import { compareDecisions } from "../../review/annotator-agreement.js";
import { DecisionStore, type DecisionsFile, readDecisions } from "../../review/decisions-file.js";
import { type ReviewExample, readReviewExamples } from "../../review/review-examples.js";
import { ReviewSession, type ReviewSummary, reviewRoutes } from "../../review/review-session.js";
import { type AskedQuestion, type DistractorOrigin, originsPath, readOrigins } from "../../review/shown-questions.js";
import { serveUntilInterrupted } from "../../serve/serve-until-interrupted.js";
import type { ReviewValues } from "./dataset-options.js";

/** `probe dataset review`: serves the page until it is interrupted. */
export async function handleReview(values: ReviewValues, console: Console): Promise<ExitCode> {
  const file = datasetFile(values.file);
  const annotator = annotatorOf(values);
  const out = values.out ?? `${values.file}.review.${annotator}.jsonl`;
  const all = await loadExamples(file, values.skipInvalid, console);
  const sha256 = await sha256OfFile(file);
  const earlier = await loadEarlier(values.conflicts, sha256);
  const examples = inConflict(all, earlier);
  const questionsOf = await questionBuilder();
  const origins = await loadOrigins(file, console);
  const path = (relative(dirname(out), file) || basename(file)).replaceAll("\\", "/");
  const dataset = { path, sha256, examples: all.length };
  const store = await DecisionStore.open({ path: out, dataset, annotator, now: console.now });
  try {
    const session = new ReviewSession({ file, annotator, examples, store, questionsOf, origins, earlier });
    tellStart(session, store, console);
    const page = { command: "probe dataset review", routes: await reviewRoutes(session) };
    await serveUntilInterrupted(page, values, console);
    showBlocks(console, reviewBlocks(session.summary(), file, store.path), "err");
  } finally {
    await store.close();
  }
  return EXIT.done;
}

/** A name that can stand in a file's name on every system. */
const ANNOTATOR = /^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,63}$/u;

function annotatorOf({ annotator: name }: ReviewValues): string {
  if (name !== null && ANNOTATOR.test(name)) return name;
  const found = name === null ? "none" : `"${shorten(name, 120)}"`;
  throw badInput(`Expected --annotator with a name of 1 to 64 letters, digits and . _ @ -, found ${found}.`);
}

async function loadExamples(file: string, skipInvalid: boolean, console: Console): Promise<ReviewExample[]> {
  const examples: ReviewExample[] = [];
  const invalid: string[] = [];
  const skipped = new Map<string, number>();
  for await (const line of readReviewExamples(file)) {
    if (line.status === "example") examples.push(line.example);
    else {
      if (line.reason === "invalid line") invalid.push(line.detail);
      skipped.set(line.reason, (skipped.get(line.reason) ?? 0) + 1);
    }
  }
  if (invalid.length > 0 && !skipInvalid) throw invalidLines(invalid);
  for (const [reason, count] of skipped)
    console.err(`Left out ${count} ${count === 1 ? "line" : "lines"}: ${reason}.\n`);
  if (examples.length > 0) return examples;
  throw badInput(`Expected at least one code review in ${file}, found none.`);
}

const SHOWN_PROBLEMS = 10;

function invalidLines(details: readonly string[]): ProbeError {
  const more = details.length - SHOWN_PROBLEMS;
  const lines = [...details.slice(0, SHOWN_PROBLEMS), ...(more > 0 ? [`… and ${more} more`] : [])];
  return badInput(
    `Expected code reviews in every line, found ${details.length} without:\n${lines.map((line) => `  ${line}`).join("\n")}\n` +
      "Repair them, or leave them out with --skip-invalid.",
  );
}

async function loadEarlier(paths: readonly string[], sha256: string): Promise<DecisionsFile[]> {
  if (paths.length !== 0 && paths.length !== 2) {
    throw badInput(`Expected --conflicts with two decisions files, found ${paths.length}.`);
  }
  const files = await Promise.all(paths.map(readDecisions));
  const other = files.find(({ header }) => header.dataset.sha256 !== sha256);
  if (other === undefined) return files;
  throw badInput(
    `Expected decisions about this file (sha256 ${sha256}), found ${other.path} about another ` +
      `(${other.header.dataset.sha256}).`,
  );
}

function inConflict(examples: readonly ReviewExample[], earlier: readonly DecisionsFile[]): readonly ReviewExample[] {
  const [a, b] = earlier;
  if (a === undefined || b === undefined) return examples;
  const ids = new Set(compareDecisions(a, b).conflicts.map((conflict) => conflict.example_id));
  const conflicting = examples.filter(({ id }) => ids.has(id));
  if (conflicting.length > 0) return conflicting;
  throw badInput("Expected conflicts to resolve, found none: both files agree.");
}

async function loadOrigins(file: string, console: Console): Promise<ReadonlyMap<string, DistractorOrigin>> {
  const path = originsPath(file);
  const { byExample, unread } = await readOrigins(path);
  if (unread > 0) console.err(`${path}: passed over ${unread} lines that explain no distractor.\n`);
  return byExample;
}

async function questionBuilder(): Promise<(example: Example) => readonly AskedQuestion[]> {
  const forms = probeForms([...(await loadProbes()).values()], DIFFICULTIES).filter(isChoiceForm);
  return (example) =>
    forms
      .filter((form) => isAsked(form, example))
      .map(({ probe, difficulty }) => ({
        task: probe.task,
        title: probe.title,
        difficulty,
        options: probe.options(example, difficulty),
      }));
}

function tellStart(session: ReviewSession, store: DecisionStore, console: Console): void {
  const { kept, dropped, undecided } = session.summary();
  const decided = kept + dropped.reduce((sum, { count }) => sum + count, 0);
  if (store.droppedBytes > 0) {
    console.err(`Dropped a torn last line of the decisions (${store.droppedBytes} bytes).\n`);
  }
  console.err(
    `Reviewing ${counted(decided + undecided, "examples")}, ${decided} of them decided already.\n` +
      `Decisions are saved in ${store.path}\nOpen this address in a browser on this machine; Ctrl-C ends the review.\n`,
  );
}

/** Summary at the end of a review. */
function reviewBlocks({ kept, dropped, undecided, questions }: ReviewSummary, file: string, savedTo: string): Block[] {
  const count = dropped.reduce((sum, drop) => sum + drop.count, 0);
  const reasons = dropped.map((drop) => `${drop.reason.replaceAll("_", " ")} ${drop.count}`).join(", ");
  const drops = count === 0 ? "0 dropped" : `${count} dropped (${reasons})`;
  const rest = undecided === 0 ? "all decided" : `${undecided} undecided; the same command goes on`;
  const byReason = questions.map((drop) => `${drop.reason.replaceAll("_", " ")} ${drop.count}`).join(", ");
  return [
    sentence(),
    sentence(`${kept} kept, ${drops}; ${rest}.`),
    ...(questions.length > 0 ? [sentence(`Questions dropped by themselves: ${byReason}.`)] : []),
    sentence(`Saved in ${savedTo}`),
    sentence(`What it leaves: probe dataset apply ${file} ${savedTo} --out FILE`),
  ];
}
