import { fillTemplate } from "../../../base/prompt-template.js";
import type { Criterion, JudgePrompt, Judging, Submitted } from "../../../judge/criterion.js";
import type { SmellCase, SmellTask } from "../case/smell-case.js";
import { SMELLS } from "../case/smells.js";
import type { Prompts } from "../prompt/prompts.js";
import { JUDGED, type Judged } from "../score/columns.js";
import { trialScores } from "../score/trial-scores.js";
import { DESCRIPTIONS } from "./descriptions.js";
import { readScore } from "./read-scores.js";

const TITLES: Readonly<Record<Judged, string>> = {
  smell_elimination: "The smell is gone.",
  cross_file_coordination: "All files that it touched go together.",
  structural_soundness: "The code is built better than before.",
  code_quality: "The new code reads well.",
};

const CRITERIA: readonly Criterion[] = JUDGED.map((id) => ({
  ...{ id, title: TITLES[id], polarity: "positive", importance: "dimension", scale: "points" },
}));

/** How a judge reads a patch: one question, four marks. */
export function smellJudging(prompts: Prompts): Judging<SmellTask> {
  return {
    criteria: () => CRITERIA,
    first: ({ smellCase, smellPatch }, { smellAnalysis }) =>
      smellCase === null || smellAnalysis !== true || smellCase.smell_analysis !== null
        ? null
        : analysisPrompt(prompts, smellCase, smellPatch),
    // The same for all four: the judge is asked once.
    prompt: ({ smellCase }, _, { patch }, said) =>
      smellCase === null ? null : judgePrompt(prompts, smellCase, patch, smellCase.smell_analysis ?? said),
    // An empty patch has marks too, as the floor has: who does nothing is not left out of the means.
    isEmpty: () => false,
    sample: async ({ goldPatch }): Promise<Submitted> => ({ patch: goldPatch?.toString("utf8") ?? "", report: {} }),
    read: (_, { id }, reply) => readScore(id, reply),
    scores: trialScores,
  };
}

function analysisPrompt(prompts: Prompts, { type }: SmellCase, smellPatch: Buffer): JudgePrompt {
  const values = { smell: SMELLS[type], description: DESCRIPTIONS[type], patch: smellPatch.toString("utf8") };
  return {
    system: prompts.analysis_system.text,
    user: fillTemplate(prompts.analysis_user, values),
    responseFormat: null,
  };
}

function judgePrompt(prompts: Prompts, smellCase: SmellCase, patch: string, analysis: string | null): JudgePrompt {
  const { type, difficulty, smell_function } = smellCase;
  const user = fillTemplate(prompts.judge_user, {
    smell: SMELLS[type],
    description: DESCRIPTIONS[type],
    place: smell_function.filter((part) => part !== null).join(", "),
    difficulty,
    analysis: analysis === null ? "" : `\n# What is known of it\n\n${analysis.trim()}\n`,
    patch: patch === "" ? "The patch is empty: nothing was changed." : patch,
  });
  return { system: prompts.judge_system.text, user, responseFormat: "json" };
}
