import { z } from "zod";
import type { Criterion, JudgePrompt, Judging, Submitted } from "../../../judge/criterion.js";
import { addedLines } from "../../../trial/gold/added-lines.js";
import { changesOf } from "../patch/hand-in.js";
import { MANIFEST, trialScores } from "../score/trial-scores.js";
import { goldOf } from "../task/gold.js";
import type { AtlasTask, Rubric, Workflow } from "../task/task.js";
import { readManifestAnswer, readRating } from "./read-rating.js";
import { asciiJson, filled } from "./task-prompts.js";

/** What the reports of trials keep for the judge. */
export const handedInSchema = z.object({ answer: z.string().nullable(), manifest: z.string().nullable() });

/** How a judge reads what was handed in: rubric by rubric, and the manifest of added tests. */
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
