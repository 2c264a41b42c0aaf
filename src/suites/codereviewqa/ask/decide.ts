import { groupBy } from "../../../base/grouping.js";
import { hash32, seededIntegers, shuffled } from "../../../base/random.js";
import type { FormFloors } from "../../../question/floors/floors.js";
import { formName } from "../../../question/form.js";
import type { Question } from "../../../question/question.js";
import { buildQuestions, isChoiceForm } from "../../../question/question-build.js";
import type { Performance } from "../../../run/suite.js";
import { taskOfProbe } from "../../../verdict/task-probe.js";
import type { Answer } from "../answer/answer.js";
import { decidedStateOf } from "../metric/form-judgement.js";
import { type QuestionScore, scoreQuestionOf } from "../metric/question-score.js";
import { floorsByForm } from "../suite/form-floors.js";
import type { PlannedForm, RunRequest } from "./count-plan.js";
import { plannedExamples, type RunPlan } from "./plan.js";

/** Clusters of the first block, and the part of those asked so far that each next one has. */
const FIRST_BLOCK = 10;
const GROWTH = 0.15;

/** Asks some questions and gives the answers to each, those from before included. */
type AskAll = (
  questions: AsyncGenerator<Question>,
  onAnswered: (question: Question, answers: readonly Answer[]) => void,
) => Promise<void>;

/**
 * Asks the examples of a plan in random order, block by block, each form until its verdict is decided (`--until decided`).
 * Blocks depend on the seed alone, so that a run that was stopped asks what an uninterrupted one would have asked.
 * @param isOver nothing more is to be asked
 */
export async function askUntilDecided(
  plan: RunPlan,
  session: Performance,
  ask: AskAll,
  isOver: () => boolean,
): Promise<void> {
  const { request } = plan;
  const floors = await floorsByForm(session.folder, session.fingerprint);
  const open = new Map(plan.forms.filter(isChoiceForm).map((form) => [nameOf(form), form]));
  const scores = new Map<string, QuestionScore[]>();
  const clusterOf = (id: string) => (plan.dataset.hasHunksOfTasks ? (taskOfProbe(id) ?? id) : id);
  for (const block of await blocksOf(plan, clusterOf)) {
    const forms = plan.forms.filter((form) => open.has(nameOf(form)));
    if (forms.length === 0 || isOver()) return;
    const asked = buildQuestions(plannedExamples(plan), plan.forms, ({ id }) => block.has(clusterOf(id)));
    await ask(stillOpen(asked, open), (question, answers) => {
      if (question.ablation !== undefined || answers.length === 0) return;
      const score = scoreQuestionOf({ parameters: scoringOf(request) }, answers);
      const own = scores.get(formName(score)) ?? [];
      own.push(score);
      scores.set(formName(score), own);
    });
    if (isOver()) return;
    for (const [name, form] of open)
      if (isDecided(form, scores.get(name) ?? [], floors.get(name) ?? null, { clusterOf, request })) open.delete(name);
  }
}

/** Name of a form with nothing withheld: with it its controls are asked, and stop. */
function nameOf({ probe, difficulty }: Pick<PlannedForm, "probe" | "difficulty">): string {
  return formName({ task: probe.task, difficulty });
}

async function* stillOpen(questions: AsyncGenerator<Question>, open: ReadonlyMap<string, unknown>) {
  for await (const question of questions) {
    if (open.has(formName({ task: question.task, difficulty: question.difficulty }))) yield question;
  }
}

async function blocksOf(plan: RunPlan, clusterOf: (id: string) => string): Promise<ReadonlySet<string>[]> {
  const ids: string[] = [];
  for await (const { id } of plannedExamples(plan)) ids.push(clusterOf(id));
  const { seed } = plan.request.selection;
  const clusters = shuffled([...groupBy(ids, (id) => id).keys()], seededIntegers(hash32("until decided", seed)));
  const blocks: ReadonlySet<string>[] = [];
  for (let at = 0; at < clusters.length; ) {
    const size = Math.max(FIRST_BLOCK, Math.ceil(GROWTH * at));
    blocks.push(new Set(clusters.slice(at, at + size)));
    at += size;
  }
  return blocks;
}

/** Parameters that say how questions are scored, as a record has them. */
function scoringOf({ earlyStop, firstOrder, selection, design }: RunRequest) {
  return {
    early_stop: earlyStop,
    seed: selection.seed,
    ...(firstOrder && { first_order: firstOrder }),
    ...(design && { orders: design.orders, repeats: design.repeats }),
  };
}

function isDecided(
  { probe }: PlannedForm,
  scores: readonly QuestionScore[],
  floors: FormFloors | null,
  { clusterOf, request }: { readonly clusterOf: (id: string) => string; readonly request: RunRequest },
): boolean {
  if (probe.kind !== "choice") return true;
  const { optionCount } = probe;
  return decidedStateOf({ optionCount, scores, floors, caseOf: clusterOf, isEarlyStop: request.earlyStop }) !== null;
}
