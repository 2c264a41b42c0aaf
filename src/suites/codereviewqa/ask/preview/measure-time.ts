import { sum } from "simple-statistics";
import type { Model } from "../../../../model/model.js";
import type { CompletionRequest, SymbolRequest } from "../../../../model/requests.js";
import { formName } from "../../../../question/form.js";
import type { PromptTemplate } from "../../../../question/prompt.js";
import { workAtOnce } from "../../../../run/asking.js";
import { plannedOpenQuestions, plannedQuestions, type RunPlan, templatesByTask } from "../plan.js";
import { openRequest, questionOrders } from "../question-requests.js";
import { rangeOfThoughts, type ThoughtRange, watchThoughts } from "./preview-cost.js";

/** Estimated duration of a run, and its basis; or why it is not known. */
export type RunTime =
  | (TimeEstimate & {
      readonly status: "estimated";
      /** Questions that were asked for it, and how long that took. */
      readonly questions: number;
      readonly durationMs: number;
      /** True if a server was asked, which others may ask too. */
      readonly isServer: boolean;
      /** Tokens of thoughts, by those that were asked; absent: nobody thought. */
      readonly thoughts?: ThoughtRange;
    })
  | { readonly status: "unknown"; readonly reason: string };

/** Questions of each form that are asked, spread over it. */
const SAMPLES = 4;

/** No question is begun after this; a model in this process stops at it within a question too. */
const BUDGET_MS = 10_000;

/** Tokens that a model may write for it: how long it would go on is not known then. */
const MOST_WRITTEN = 64;

/** A server is never promised closer than this: its load and its limits are its own. */
const SERVER_RANGE = { least: 0.5, most: 2 } as const;

/** A question of a run, ready to be asked. */
interface Sample {
  readonly form: string;
  readonly bytes: number;
  readonly ask:
    | { readonly kind: "choice"; readonly orders: readonly SymbolRequest[] }
    | { readonly kind: "open"; readonly request: CompletionRequest };
}

/**
 * Asks some questions of a run and tells from their time how long all of it takes. Nothing is recorded.
 * @param forms with the bytes of their prompts, by the names that the plan's questions have
 */
export async function measureTime(
  plan: RunPlan,
  forms: readonly TimedForm[],
  model: Model,
  isServer: boolean,
): Promise<RunTime> {
  const samples = await drawSamples(plan, forms);
  const started = performance.now();
  const thoughts: number[][] = [];
  const watched = watchThoughts(model, thoughts);
  const measured = isServer ? await askAtOnce(watched, samples) : await askInTurn(watched, samples);
  const durationMs = performance.now() - started;
  if (measured.length === 0) return { status: "unknown", reason: "no question was answered" };
  const { leastMs, mostMs, tokensToEvaluate } = estimateTime(forms, measured);
  const { earlyStop } = plan.request;
  // Where questions stop at their first wrong order, one order each may be all that is asked.
  const least = earlyStop ? (leastMs * plan.questions) / Math.max(1, plan.plannedAnswers) : leastMs;
  const range = rangeOfThoughts(thoughts, plan.plannedAnswers);
  const asked = { questions: measured.length, durationMs, isServer };
  return {
    status: "estimated",
    leastMs: least,
    mostMs,
    tokensToEvaluate: earlyStop ? null : tokensToEvaluate,
    ...asked,
    ...(range && { thoughts: range }),
  };
}

/** Draws samples in turns, a question of each form: where time runs out, every form has had its turn. */
async function drawSamples(plan: RunPlan, forms: readonly TimedForm[]): Promise<Sample[]> {
  const wanted = new Map(forms.map(({ name, questions }) => [name, placesOf(questions)]));
  const seen = new Map<string, number>();
  const turns: Sample[][] = Array.from({ length: SAMPLES }, () => []);
  for await (const sample of plannedSamples(plan)) {
    const place = seen.get(sample.form) ?? 0;
    seen.set(sample.form, place + 1);
    const turn = wanted.get(sample.form)?.indexOf(place) ?? -1;
    if (turn >= 0) turns[turn]?.push(sample.make());
  }
  return turns.flat();
}

/** Positions of the questions that are asked, of so many: the middle ones of as many parts. */
function placesOf(questions: number): number[] {
  const count = Math.min(SAMPLES, questions);
  return Array.from({ length: count }, (_, i) => Math.floor(((i + 0.5) * questions) / count));
}

/** Every question of the plan, not made yet. */
async function* plannedSamples(plan: RunPlan): AsyncGenerator<{ readonly form: string; readonly make: () => Sample }> {
  const templates = templatesByTask(plan);
  const bytesOf = (prompts: readonly { readonly prompt: string }[]) =>
    prompts.reduce((bytes, { prompt }) => bytes + Buffer.byteLength(prompt), 0);
  for await (const question of plannedQuestions(plan)) {
    const form = formName(question);
    const make = (): Sample => {
      const template = templates.get(question.task) as PromptTemplate;
      const orders = questionOrders(question, template, plan.request).map(({ request }) => request);
      return { form, bytes: bytesOf(orders), ask: { kind: "choice", orders } };
    };
    yield { form, make };
  }
  for await (const question of plannedOpenQuestions(plan)) {
    const make = (): Sample => {
      const template = templates.get(question.task) as PromptTemplate;
      const { request } = openRequest(question, template, plan.request.selection.seed);
      return { form: question.task, bytes: bytesOf([request]), ask: { kind: "open", request } };
    };
    yield { form: question.task, make };
  }
}

/** One after the other, until the time is over. What comes first wakes the engine up, and does not count if it was short. */
async function askInTurn(model: Model, samples: readonly Sample[]): Promise<MeasuredQuestion[]> {
  const deadline = performance.now() + BUDGET_MS;
  const measured: MeasuredQuestion[] = [];
  for (const sample of samples) {
    if (performance.now() >= deadline) break;
    const question = await askTimed(model, sample, deadline);
    if (question !== null) measured.push(question);
  }
  const [first, ...rest] = measured;
  return rest.length > 0 && first !== undefined && first.mostMs < BUDGET_MS / 10 ? rest : measured;
}

/** `null`: it failed. */
async function askTimed(model: Model, sample: Sample, deadline: number): Promise<MeasuredQuestion | null> {
  const tokens = () => model.evaluatedTokens?.() ?? null;
  const [started, before] = [performance.now(), tokens()];
  const { asked, whole } = await ask(model, sample, () => performance.now() >= deadline);
  const [durationMs, after] = [performance.now() - started, tokens()];
  if (asked === 0) return null;
  const { form, bytes } = sample;
  const isWhole = asked === whole;
  return {
    form,
    bytes,
    leastMs: durationMs,
    mostMs: (durationMs * whole) / asked,
    evaluatedTokens: isWhole && before !== null && after !== null ? after - before : null,
  };
}

/** Asks a part of a question: returns its size and that of the whole, in orders or in tokens written. */
async function ask(
  model: Model,
  { ask: what }: Sample,
  isOver: () => boolean,
): Promise<{ asked: number; whole: number }> {
  const { signal } = new AbortController();
  if (what.kind === "open") {
    const maxTokens = Math.min(MOST_WRITTEN, what.request.maxTokens);
    const reply = await model.complete?.({ ...what.request, maxTokens }, signal);
    if (reply?.status !== "completed") return { asked: 0, whole: 1 };
    return reply.end === "length" ? { asked: maxTokens, whole: what.request.maxTokens } : { asked: 1, whole: 1 };
  }
  let asked = 0;
  for await (const { reply } of model.scoreSymbols?.(what.orders, signal) ?? []) {
    if (reply.status !== "failed") asked++;
    if (isOver()) break;
  }
  return { asked, whole: what.orders.length };
}

/** Asks as many at once as the server takes: each counts with its share of the time of all. */
async function askAtOnce(model: Model, samples: readonly Sample[]): Promise<MeasuredQuestion[]> {
  const started = performance.now();
  const answered: { readonly sample: Sample; readonly asked: number; readonly whole: number }[] = [];
  const next = async function* () {
    yield* samples;
  };
  const isOver = () => performance.now() - started >= BUDGET_MS;
  await workAtOnce(next(), model.maxOpenGroups, isOver, async (sample) => {
    const { asked, whole } = await ask(model, sample, () => false);
    if (asked > 0) answered.push({ sample, asked, whole });
  });
  const bytes = answered.reduce((sum, { sample }) => sum + sample.bytes, 0);
  const rate = (performance.now() - started) / Math.max(1, bytes);
  return answered.map(({ sample: { form, bytes: own }, asked, whole }) => ({
    form,
    bytes: own,
    evaluatedTokens: null,
    leastMs: SERVER_RANGE.least * rate * own,
    mostMs: (SERVER_RANGE.most * rate * own * whole) / asked,
  }));
}

/** A form of a run as far as its time is concerned. */
interface TimedForm {
  readonly name: string;
  readonly questions: number;
  /** Bytes of all its prompts. */
  readonly bytes: number;
}

/** Measurement of one question, with all its orders. */
export interface MeasuredQuestion {
  /** Name of its form. */
  readonly form: string;
  /** Bytes of all its prompts. */
  readonly bytes: number;
  /** Milliseconds. Where not all of it was asked, bounds of what all of it takes. */
  readonly leastMs: number;
  readonly mostMs: number;
  /** Tokens by the engine's own meter; `null` where it has none, or not all of it was asked. */
  readonly evaluatedTokens: number | null;
}

/** Estimated duration of a run, from a short measurement. */
interface TimeEstimate {
  readonly leastMs: number;
  readonly mostMs: number;
  /** Prompt tokens that are not found in the cache, and generated ones; `null` where that is not known. */
  readonly tokensToEvaluate: number | null;
}

/** A machine that is busy with something else later, or is not any more: never promised closer than this. */
const LEAST_MARGIN = 0.2;

/** Relative deviation of questions of a form of which a single one was measured. */
const UNKNOWN_SPREAD = 0.3;

/**
 * The time of a whole run by some of its questions: each form by the ratio of time to bytes of its own, one without a
 * measured question by that of all. The margin is two standard errors, or a fifth where that is more.
 * @param measured at least one
 */
export function estimateTime(forms: readonly TimedForm[], measured: readonly MeasuredQuestion[]): TimeEstimate {
  const most = totalOf(forms, measured, ({ mostMs }) => mostMs);
  const error = Math.sqrt(sum(partsOf(forms, measured).map((part) => standardError(part) ** 2)));
  const margin = Math.max(LEAST_MARGIN * most, 2 * error);
  const metered = measured.filter(({ evaluatedTokens }) => evaluatedTokens !== null);
  return {
    leastMs: Math.max(0, totalOf(forms, measured, ({ leastMs }) => leastMs) - margin),
    mostMs: most + margin,
    tokensToEvaluate:
      metered.length === 0 ? null : Math.round(totalOf(forms, metered, ({ evaluatedTokens }) => evaluatedTokens ?? 0)),
  };
}

/** A form, and the questions that stand for it. */
interface Part {
  readonly form: TimedForm;
  readonly samples: readonly MeasuredQuestion[];
}

function partsOf(forms: readonly TimedForm[], measured: readonly MeasuredQuestion[]): Part[] {
  return forms.map((form) => {
    const own = measured.filter(({ form: name }) => name === form.name);
    return { form, samples: own.length > 0 ? own : measured };
  });
}

function totalOf(
  forms: readonly TimedForm[],
  measured: readonly MeasuredQuestion[],
  of: (question: MeasuredQuestion) => number,
): number {
  const parts = partsOf(forms, measured);
  return sum(
    parts.map(({ form, samples }) => (form.bytes * sum(samples.map(of))) / sum(samples.map(({ bytes }) => bytes))),
  );
}

/**
 * Standard error of the total of a form, in milliseconds: from the deviations of its questions from the ratio of time
 * to bytes.
 */
function standardError({ form: { questions }, samples }: Part): number {
  const rate = sum(samples.map(({ mostMs }) => mostMs)) / sum(samples.map(({ bytes }) => bytes));
  const [first] = samples;
  if (first === undefined) return 0;
  const n = samples.length;
  const deviation =
    n === 1
      ? UNKNOWN_SPREAD * first.mostMs
      : Math.sqrt(sum(samples.map(({ bytes, mostMs }) => (mostMs - rate * bytes) ** 2)) / (n - 1));
  return (questions * deviation) / Math.sqrt(n);
}
