import { z } from "zod";
import { hash32, seededIntegers, shuffled } from "../../../base/random.js";
import { jsonValue, shorten } from "../../../base/text.js";
import type { Criterion, Judging, Submitted } from "../../../judge/judging.js";
import { artifactsOf, TRANSCRIPT_FILE } from "../../../trial/trial-artifacts.js";
import { sealedText } from "../../../workspace/sealed-files.js";
import { conditionOf, judgeText, type Prompts, selectedPlan } from "../plans.js";
import type { TasteTask } from "../taste-task.js";

/** The conditions whose plans are held against each other. */
export const SINGLE = "open/plan";
export const SEVERAL = "open/multiplan";

/** Place of the plan that was written alone, behind those that were written together. */
const ALONE = conditionOf(SEVERAL).plans;
const ALL = ALONE + 1;

/** Questions of a pair of trials: the six plans, the same in another order, and controls of who judges. */
const QUESTIONS = {
  six_plans: "The plan that was written alone is chosen.",
  six_plans_again: "The plan that was written alone is chosen, in another order.",
  wanted: "What is wanted is chosen, as a plan in its place.",
  nothing: "To change nothing is chosen, as a plan in its place.",
} as const;

/** One of them. */
export type SixQuestion = keyof typeof QUESTIONS;

const CRITERIA: readonly Criterion[] = Object.entries(QUESTIONS).map(([id, title]) => ({
  id,
  title,
  polarity: "positive",
  importance: "control",
}));

/** Questions about each trial. */
export const QUESTION_COUNT = CRITERIA.length;

const NOTHING = "Leave the code as it is: no file is changed.";

const submittedSchema = z.object({ plans: z.array(z.string()).length(ALL) });

/**
 * Judging of six plans (CodeTaste, A.6): five that were written together and one that was written alone, in an order drawn by
 * task and question; the number that is chosen is mapped back. In the controls what is wanted, or to change nothing, stands in
 * place of the last.
 */
export function sixJudging(prompts: Prompts): Judging<TasteTask> {
  return {
    criteria: () => CRITERIA,
    async submitted(record, { folder, run }): Promise<Submitted | null> {
      if (record.condition !== SEVERAL) return null;
      const several = await plansIn(artifactsOf(folder, run, record), ALONE);
      const alone = await plansIn(artifactsOf(folder, run, { ...record, condition: SINGLE }), 1);
      return several === null || alone === null ? null : { patch: "", report: { plans: [...several, ...alone] } };
    },
    prompt(task, { id }, { report }) {
      const { plans } = submittedSchema.parse(report);
      const shown = orderOf(task, id).map((place) =>
        place === ALONE ? lastOf(id, task, plans) : (plans[place] ?? ""),
      );
      return { ...judgeText(prompts, task, shown), responseFormat: null };
    },
    isEmpty: () => false,
    sample: async () => ({ patch: "", report: { plans: Array.from({ length: ALL }, () => "") } }),
    read(task, { id }, reply) {
      const number = selectedPlan(reply, ALL);
      const place = number === null ? null : (orderOf(task, id)[number] ?? null);
      const score = place === null ? null : Number(place === ALONE);
      const verdict = place === null ? null : place === ALONE ? "alone" : String(place);
      return {
        verdict,
        score,
        scorePublished: null,
        justification: place === null ? null : shorten(reply.trim(), 500),
      };
    },
    scores: ({ scores }) => scores,
  };
}

function lastOf(id: string, task: TasteTask, plans: readonly string[]): string {
  if (id === "wanted") return task.description.instructed;
  return id === "nothing" ? NOTHING : (plans[ALONE] ?? "");
}

/** Places of the plans in the order of the question; never the same order for both questions about the six. */
function orderOf({ id: task }: TasteTask, question: string): readonly number[] {
  const places = Array.from({ length: ALL }, (_, i) => i);
  const order = shuffled(places, seededIntegers(hash32(task, 0)));
  // Half a turn: no plan stands where it stood.
  return question === "six_plans_again" ? order.map((_, i) => order[(i + ALL / 2) % ALL] ?? 0) : order;
}

const entrySchema = z.looseObject({ role: z.literal("plans"), plans: z.array(z.string()) });
/** The most of a transcript that is read, in bytes. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Notes of a role in the transcript of a trial, the last first. */
async function notesOf(place: string, role: string): Promise<unknown[]> {
  const lines = ((await sealedText(place, TRANSCRIPT_FILE, MOST_BYTES)) ?? "").split("\n");
  return lines
    .filter((line) => line.includes(`"role":"${role}"`))
    .map(jsonValue)
    .toReversed();
}

/** The plans of a trial by its transcript, of its last attempt; `null`: fewer were written than asked for. */
async function plansIn(place: string, count: number): Promise<readonly string[] | null> {
  const read = (await notesOf(place, "plans")).map((note) => entrySchema.safeParse(note).data?.plans);
  const plans = read.find((each) => each !== undefined);
  return plans?.length === count && plans.every((plan) => plan.trim() !== "") ? plans : null;
}

const judgedSchema = z.looseObject({ role: z.literal("judge"), reply: z.looseObject({ text: z.string() }) });

/** The plan that a trial of several followed, by its number; `null`: its files do not tell. */
export async function chosenIn(place: string): Promise<string | null> {
  const [last] = await notesOf(place, "judge");
  const reply = judgedSchema.safeParse(last).data?.reply.text;
  const number = reply === undefined ? null : selectedPlan(reply, ALONE);
  return number === null ? null : String(number);
}
