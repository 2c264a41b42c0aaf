import { sum } from "simple-statistics";

/** A form of a run as far as its time is concerned. */
export interface TimedForm {
  readonly name: string;
  readonly questions: number;
  /** Bytes of all its prompts. */
  readonly bytes: number;
}

/** What one question took, with all its orders. */
export interface MeasuredQuestion {
  /** Name of its form. */
  readonly form: string;
  /** Bytes of all its prompts. */
  readonly bytes: number;
  /** Milliseconds. Where not all of it was asked, bounds of what all of it takes. */
  readonly leastMs: number;
  readonly mostMs: number;
  /** By the engine's own meter; `null` where it has none, or not all of it was asked. */
  readonly evaluatedTokens: number | null;
}

/** How long a run will take, as far as a short measurement tells. */
export interface TimeEstimate {
  readonly leastMs: number;
  readonly mostMs: number;
  /** Prompt tokens that are not found in the cache, and generated ones; `null` where that is not known. */
  readonly tokensToEvaluate: number | null;
}

/** A machine that is busy with something else later, or is not any more: never promised closer than this. */
const LEAST_MARGIN = 0.2;

/** Of a form with a single measured question: how far others may be from it. */
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

/** Of the total of a form, in milliseconds: by how far its questions are from the ratio of time to bytes. */
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
