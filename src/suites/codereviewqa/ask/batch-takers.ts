import { badInput } from "../../../base/errors.js";
import type { BatchQuestion, BatchReading } from "../../../model/batch/batch-api.js";
import { findVendor, withoutBatches } from "../../../model/vendor/vendors.js";
import type { Taken, Taker } from "../../../run/batch/results.js";
import type { OpenJournal, Performance } from "../../../run/suite.js";
import type { Answer } from "../answer/answer.js";
import type { Generation } from "../answer/generation.js";
import type { RunRequest } from "./count-plan.js";

/** Times that a request is asked whose replies are faulty, before its last one is recorded. */
const MOST_TRIES = 3;

/** Requests that were recorded as failed in this session, and how often others came back faulty. */
export class Tries {
  readonly #given = new Set<string>();
  readonly #faults = new Map<string, number>();

  isOver(key: string): boolean {
    return this.#given.has(key);
  }

  note(key: string): void {
    this.#given.add(key);
  }

  /** The end of a result that is no record; `null`: its reply is to be recorded. */
  again<Reply>(key: string, reading: BatchReading<Reply>): Taken | null {
    if (reading.status === "read") return null;
    const cost = reading.isPaid ? null : 0;
    if (reading.reason !== "fault") return { kind: reading.reason, cost };
    const faults = (this.#faults.get(key) ?? 0) + 1;
    this.#faults.set(key, faults);
    return faults < MOST_TRIES ? { kind: "faulty", cost } : null;
  }
}

const RECORDED: Taken = { kind: "answered", cost: 0 };

/** A request of the plan, and what becomes of its reply. */
export interface TakerParts<Reply, Kept> {
  /** Its name. */
  readonly key: string;
  /** The most that the request may have cost; `null` where the price is not known. */
  readonly most: number | null;
  question(): BatchQuestion<Reply>;
  readonly journal: OpenJournal<Kept>;
  isDone(): boolean;
  record(reply: Reply): Kept;
  /** Cost of what was paid for; `null`: not known. */
  costOf(kept: Kept, reply: Reply): number | null;
  /** Work to be done before the record. */
  before?(reply: Reply): Promise<void>;
}

/** Records the result of a request, once. */
export function takerOf<Reply, Kept extends Answer | Generation>(
  session: Performance,
  tries: Tries,
  { key, most, journal, ...parts }: TakerParts<Reply, Kept>,
): Taker {
  const question = parts.question();
  return {
    most,
    take: async (result, tookMs) => {
      if (parts.isDone()) return RECORDED;
      const reading = question.read(result, tookMs);
      const again = tries.again(key, reading);
      if (again !== null || reading.reply === null) return again ?? RECORDED;
      const { reply, isPaid } = reading;
      const kept = parts.record(reply);
      const cost = isPaid ? parts.costOf(kept, reply) : 0;
      await parts.before?.(reply);
      await journal.append(bounded(kept, cost, most));
      tries.note(key);
      return recorded(session, kept, cost);
    },
  };
}

/** A record with the most that it may have cost, where that is not told: a limit of a later session needs it. */
function bounded<T extends object>(record: T, cost: number | null, most: number | null): T {
  return cost === null && most !== null ? { ...record, costBound: most } : record;
}

function recorded(
  { guard, onRecord }: Performance,
  record: Pick<Answer, "outcome"> | Pick<Generation, "outcome">,
  cost: number | null,
): Taken {
  const isFailed = record.outcome.status === "failed";
  onRecord({ isFailed });
  guard.isHopeless(record);
  return { kind: isFailed ? "failed" : "answered", cost };
}

/**
 * Refuses `--batch` with what has to know answers before it asks on, and for models whose service has no batches.
 * @throws ProbeError `bad_input`
 */
export function requireBatch({ batch, batchWait, until, earlyStop, model }: RunRequest): void {
  if (batch === undefined) {
    if (batchWait === undefined) return;
    throw badInput("Expected --batch-wait with --batch, found it alone. Add --batch, or leave it out.");
  }
  const other = until !== undefined ? "--until decided" : earlyStop ? "--early-stop" : null;
  if (other !== null)
    throw badInput(
      `Expected --batch or ${other}, found both: the latter asks on by the answers so far, and a batch takes up to a day ` +
        "for all of them. Leave one out.",
    );
  if (findVendor(model.provider)?.batch === undefined) throw withoutBatches(model.label);
}
