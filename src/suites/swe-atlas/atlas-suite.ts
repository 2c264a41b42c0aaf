import { z } from "zod";
import { judgePart } from "../../judge/judge-part.js";
import type { Criterion, JudgePrompt, Judging, Reading, Submitted } from "../../judge/judging.js";
import { objectInReply } from "../../judge/reply-json.js";
import { agentSuite } from "../../trial/agent-suite.js";
import { addedLines } from "../../trial/make/gold-book.js";
import { changesOf } from "../../trial/make/work-tools.js";
import { sweAtlasAdapter } from "./atlas-adapter.js";
import { MANIFEST, trialScores } from "./atlas-scores.js";
import { type AtlasTask, asciiJson, filled, type Rubric, WORKFLOWS, type Workflow } from "./atlas-task.js";
import { goldOf } from "./hand-in.js";
import { type PublishedVerdict, publishedManifest, publishedRating } from "./published-reply.js";

/** Fields that the reports of trials keep for the judge. */
const handedInSchema = z.object({ answer: z.string().nullable(), manifest: z.string().nullable() });

/** Judging of a submission: rubric by rubric, and the manifest of added tests. */
export const atlasJudging: Judging<AtlasTask> = {
  criteria: ({ workflow, rubrics }) => [
    ...rubrics.filter((rubric) => isJudged(workflow, rubric)).map(criterionOf),
    ...(workflow === "tw" ? [MANIFEST_CRITERION] : []),
  ],
  prompt: (task, criterion, submitted) =>
    criterion.id === MANIFEST ? manifestPrompt(task, submitted) : rubricPrompt(task, criterion, submitted),
  isEmpty: ({ workflow }, submitted) => judgedText(workflow, submitted) === "",
  async sample(task) {
    const patch = (await goldOf(task))?.toString("utf8") ?? "";
    const text = [...addedLines(patch)].join("\n");
    return { patch, report: { answer: text, manifest: text } };
  },
  read: ({ workflow }, { id, polarity }, reply) =>
    id === MANIFEST ? readManifestAnswer(reply) : readRating(workflow, polarity === "negative", reply),
  kindOf: rubricKind,
  scores: trialScores,
};

/** Headings are no rubrics, but where the released judge takes them for some. */
function isJudged(workflow: Workflow, { type }: Rubric): boolean {
  return workflow === "qa" || type !== "high level intent";
}

function criterionOf({ id, title, type, importance }: Rubric): Criterion {
  return { id, title, polarity: type.includes("negative") ? "negative" : "positive", importance };
}

const MANIFEST_CRITERION: Criterion = {
  id: MANIFEST,
  title: "The manifest names the tests that were added, and no others.",
  polarity: "positive",
  importance: MANIFEST,
};

/** An answer, or a whole patch. */
function judgedText(workflow: Workflow, { patch, report }: Submitted): string {
  return workflow === "qa" ? (handedIn(report).answer ?? "") : changesOf(patch);
}

function handedIn(report: unknown): z.infer<typeof handedInSchema> {
  return handedInSchema.safeParse(report).data ?? { answer: null, manifest: null };
}

function rubricPrompt(
  { workflow, problem, prompts }: AtlasTask,
  { title }: Criterion,
  submitted: Submitted,
): JudgePrompt {
  const shown = workflow === "qa" ? title.replace(/^\d+(\.\d+)*:\s*/, "") : title;
  const values = { problem_statement: problem, model_answer: judgedText(workflow, submitted), title: asciiJson(shown) };
  return {
    system: prompts.system,
    user: filled(prompts.template, values),
    responseFormat: workflow === "qa" ? null : "json",
  };
}

/** Without a manifest there is nothing to ask: it fails. */
function manifestPrompt({ manifestPrompts }: AtlasTask, submitted: Submitted): JudgePrompt | null {
  const { manifest } = handedIn(submitted.report);
  if (manifestPrompts === null || manifest === null) return null;
  const values = { model_edits: changesOf(submitted.patch), model_answer: manifest };
  return { system: manifestPrompts.system, user: filled(manifestPrompts.template, values), responseFormat: "json" };
}

/** SWE Atlas as every command runs a suite. */
export const suite = agentSuite(sweAtlasAdapter, judgePart(atlasJudging));

type Rating = Readonly<Record<string, unknown>>;
type Verdict = "YES" | "NO";

/**
 * Reads what a judge says of a rubric, by the workflow's rule; of several ratings the first counts.
 * @param isNegative whether the rubric is a fault: it is passed where it is not there
 */
function readRating(workflow: Workflow, isNegative: boolean, reply: string): Reading {
  const rating = firstRating(objectInReply(reply, "ratings"));
  const verdict = rating === null ? null : VERDICTS[workflow](rating);
  const justification = rating?.["justification"];
  return {
    verdict,
    score: scoreOf(verdict, isNegative),
    ...publishedScore(publishedRating(workflow, reply), isNegative),
    justification: typeof justification === "string" ? justification : null,
  };
}

function publishedScore(
  verdict: PublishedVerdict,
  isNegative: boolean,
): Pick<Reading, "scorePublished" | "breaksPublished"> {
  if (verdict === "broken") return { scorePublished: null, breaksPublished: true };
  return { scorePublished: scoreOf(verdict, isNegative) };
}

function firstRating(object: Rating | null): Rating | null {
  const ratings = object?.["ratings"];
  const first: unknown = Array.isArray(ratings) ? ratings[0] : null;
  return typeof first === "object" && first !== null ? (first as Rating) : null;
}

function scoreOf(verdict: Verdict | null, isNegative: boolean): number | null {
  return verdict === null ? null : Number((verdict === "YES") !== isNegative);
}

/** Reader of the verdict in a rating, by the evaluator of each workflow. */
const VERDICTS: Readonly<Record<Workflow, (rating: Rating) => Verdict | null>> = {
  // The status, else the score, each in several spellings.
  qa: ({ status, score }) => spelled(status, YES, NO) ?? spelled(score, ONE, ZERO),
  // The score, where there is a status too.
  tw: ({ status, score }) => (statusOf(status) === null ? null : spelled(score, ["1"], ["0"])),
  rf: ({ status }) => statusOf(status),
};

const YES = ["YES", "Y", "TRUE", "1"];
const NO = ["NO", "N", "FALSE", "0"];
const ONE = [...YES, "1.0"];
const ZERO = [...NO, "0.0"];

function statusOf(status: unknown): Verdict | null {
  return spelled(status, ["YES"], ["NO"]);
}

function spelled(value: unknown, yes: readonly string[], no: readonly string[]): Verdict | null {
  if (value === undefined || value === null) return null;
  const text = String(value).trim().toUpperCase();
  return yes.includes(text) ? "YES" : no.includes(text) ? "NO" : null;
}

/** Reads whether a judge finds a manifest true; anything but `YES` and `NO` is no verdict, which the released rule takes for NO. */
export function readManifestAnswer(reply: string): Reading {
  const object = objectInReply(reply, "answer");
  const answer = object?.["answer"];
  const verdict = answer === "YES" || answer === "NO" ? answer : null;
  const justification = object?.["justification"];
  return {
    verdict,
    score: scoreOf(verdict, false),
    ...publishedScore(publishedManifest(reply), false),
    justification: typeof justification === "string" ? justification : null,
  };
}

/** Kinds of rubrics of each workflow, by the number that a title begins with. */
const KINDS: Readonly<Record<Workflow, readonly string[]>> = {
  qa: ["1 Answer Comprehensiveness", "2 Negative Rubrics"],
  tw: ["1 Test Comprehensiveness", "2 Test Placement", "3 Test Suite Conventions", "4 Test Bucket Conventions"],
  rf: ["1 Code Maintainability", "2 Documentation Maintainability", "3 Artifact Cleanup", "4 Negative Rubrics"],
};

/** Kind of a rubric by its title, such as `1.2: …`; one without a number, or of another workflow, is of none. */
export function rubricKind({ title }: { readonly title: string }, condition: string): string | null {
  const workflow = WORKFLOWS.find((name) => name === condition);
  const number = /^\s*(\d+)[.:]/.exec(title)?.[1];
  if (workflow === undefined || number === undefined) return null;
  return KINDS[workflow][Number(number) - 1] ?? null;
}
