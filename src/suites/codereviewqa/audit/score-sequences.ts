import { ProbeError } from "../../../base/errors.js";
import type { TokenReply } from "../../../model/requests.js";
import type { AuditRecord } from "./audit-record.js";
import type { StartMode } from "./contamination-metrics.js";
import { sequenceScore } from "./sequence-score.js";
import { type AuditSequence, seedOf } from "./sequences.js";

/** A text, and the benchmark it is of. */
export interface PlacedSequence {
  readonly benchmark: number;
  readonly sequence: AuditSequence;
}

export interface ScoringOptions {
  readonly scoreTokens: (text: string, signal: AbortSignal) => Promise<TokenReply>;
  /** Texts under way at once. */
  readonly concurrency: number;
  readonly starts: StartMode;
  readonly seed: number;
  readonly signal: AbortSignal;
}

/**
 * Scores texts, several at once, and yields their records in the order of the texts. Ends where the signal is aborted.
 * Memory: the texts under way.
 * @throws ProbeError `model_unavailable` when the model is gone; what was yielded before stands
 */
export function scoreSequences(
  sequences: AsyncIterable<PlacedSequence>,
  options: ScoringOptions,
): AsyncGenerator<AuditRecord> {
  return inOrder(sequences, options, (placed) => scoreOne(placed, options));
}

async function scoreOne({ benchmark, sequence }: PlacedSequence, options: ScoringOptions): Promise<AuditRecord> {
  const { exampleId, language, form, task, difficulty } = sequence;
  return { benchmark, exampleId, language, form, task, difficulty, outcome: await scoredText(sequence, options) };
}

async function scoredText(sequence: AuditSequence, options: ScoringOptions): Promise<AuditRecord["outcome"]> {
  const { text, renamedCharacters } = sequence;
  if (text === null) return { status: "not_renamed" };
  const reply = await options.scoreTokens(text, options.signal);
  if (reply.status === "failed") {
    const { failure, detail } = reply;
    if (failure === "unavailable") throw unavailable(detail);
    return { status: "failed", failure, detail };
  }
  const score = sequenceScore(text, reply, { mode: options.starts, seed: seedOf(sequence, options.seed) });
  if (score !== null) return { status: "scored", ...score, renamedCharacters };
  const detail = "the model predicts no token of the text, or gives one the probability 0";
  return { status: "failed", failure: "bad_response", detail };
}

function unavailable(detail: string): ProbeError {
  return new ProbeError(
    "model_unavailable",
    `Expected the model to score all texts, found: ${detail}. What is scored is kept: the same command goes on.`,
  );
}

/**
 * Works on several items at once and yields the results in the order of the items. Stops taking items when the signal is
 * aborted; work that fails because of that is not an error. Memory: `concurrency` items.
 */
export async function* inOrder<T, R>(
  items: AsyncIterable<T>,
  { concurrency, signal }: { readonly concurrency: number; readonly signal: AbortSignal },
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const underWay: Promise<Outcome<R>>[] = [];
  for await (const item of items) {
    if (signal.aborted) break;
    underWay.push(outcomeOf(work(item)));
    const first = underWay.length >= concurrency ? underWay.shift() : undefined;
    if (first === undefined) continue;
    const outcome = await first;
    if (!outcome.done && signal.aborted) return;
    yield resultOf(outcome);
  }
  for (const each of underWay) {
    const outcome = await each;
    if (!outcome.done && signal.aborted) return;
    yield resultOf(outcome);
  }
}

type Outcome<R> = { readonly done: true; readonly result: R } | { readonly done: false; readonly error: unknown };

/** A failure waits for its turn, so that no rejection is left alone. */
function outcomeOf<R>(work: Promise<R>): Promise<Outcome<R>> {
  return work.then(
    (result) => ({ done: true, result }),
    (error: unknown) => ({ done: false, error }),
  );
}

function resultOf<R>(outcome: Outcome<R>): R {
  if (outcome.done) return outcome.result;
  throw outcome.error;
}
