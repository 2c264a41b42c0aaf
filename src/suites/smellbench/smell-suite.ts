import { fillTemplate } from "../../base/prompt-template.js";
import type { Bytes } from "../../base/text.js";
import { judgePart } from "../../judge/judge-part.js";
import type { Criterion, JudgePrompt, Judging, Reading, Submitted } from "../../judge/judging.js";
import { isObject, objectsInReply } from "../../judge/reply-json.js";
import { agentSuite } from "../../trial/agent-suite.js";
import { smellbenchAdapter } from "./smell-adapter.js";
import { loadPrompts, type Prompts, SMELLS, type Smell, type SmellCase, type SmellTask } from "./smell-case.js";
import { JUDGED, type Judged, trialScores } from "./smell-scores.js";

const TITLES: Readonly<Record<Judged, string>> = {
  smell_elimination: "The smell is gone.",
  cross_file_coordination: "All files that it touched go together.",
  structural_soundness: "The code is built better than before.",
  code_quality: "The new code reads well.",
};

const CRITERIA: readonly Criterion[] = JUDGED.map((id) => ({
  id,
  title: TITLES[id],
  polarity: "positive",
  importance: "dimension",
  scale: "points",
}));

/** Judging of a patch: one question, four marks. */
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

function analysisPrompt(prompts: Prompts, { type }: SmellCase, smellPatch: Bytes): JudgePrompt {
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

/** SmellBench as every command runs a suite. */
export const suite = agentSuite(smellbenchAdapter, judgePart(smellJudging(await loadPrompts())));

/** Descriptions of the smells for a judge, in our words. */
export const DESCRIPTIONS: Readonly<Record<Smell, string>> = {
  feature_envy:
    "A method works mostly with the data of another class, which it asks for piece by piece. It is gone when the work is done by the class whose data they are.",
  god_classes:
    "One class has taken over the duties of several: it holds data that have nothing to do with each other, and everything goes through it. It is gone when each duty has a class or module of its own and the one that is left coordinates at most.",
  data_clumps:
    "The same few values travel together through many signatures and calls, or are copied together from place to place. It is gone when they are one thing with a name, which the code passes on and asks.",
  shotgun_surgery:
    "One decision is written down in several files, so that to change it all of them have to be changed alike. It is gone when the decision stands in one place and the others use it.",
  dead_code_elimination:
    "Code that nothing reaches or whose result nothing uses: functions, branches, parameters, imports, and what only they need. It is gone when all of it is removed and nothing that is used went with it.",
  interface_segregation:
    "An interface or base class asks for more than its users need, so that they implement or depend on methods that mean nothing for them. It is gone when each user sees only what it uses.",
  deeply_inlined_method:
    "What were small methods that call each other was written out into one long body, levels of detail side by side. It is gone when the steps are methods with names again and the long body reads as their sequence.",
};

/** The highest mark. */
const MOST = 10;

/**
 * Mark of a reply in one dimension: a number from 0 to 10, as a share of 10; anything else is no score, and no 0. Of several
 * objects that differ there, such as one that an agent wrote and the judge quotes, none is the judge's.
 */
export function readScore(dimension: string, reply: string): Reading {
  const parts = objectsInReply(reply, dimension)
    .map((each) => each[dimension])
    .filter(isObject);
  const marks = new Set(parts.map(({ score: mark }) => mark));
  const [part] = parts;
  const { score: given, justification } =
    marks.size === 1 && part !== undefined ? part : { score: null, justification: null };
  const score = typeof given === "number" && given >= 0 && given <= MOST ? given / MOST : null;
  return {
    verdict: score === null ? null : String(given),
    score,
    scorePublished: score,
    justification: typeof justification === "string" ? justification : null,
  };
}
