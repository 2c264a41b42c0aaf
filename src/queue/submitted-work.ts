import type { Job, Queue, QueueEvents } from "bullmq";
import { shorten } from "../base/text.js";
import { MOST_DELIVERIES, parseResult, type Result, STAGES, type Stage, type Work } from "./queue-wire.js";
import { unlessAborted } from "./redis.js";

/** Outcome of a piece of work. */
export type Outcome =
  | { readonly status: "done"; readonly result: Result }
  /** Every worker that had it ended. */
  | { readonly status: "lost"; readonly deliveries: number }
  | { readonly status: "failed"; readonly detail: string };

interface Pending {
  readonly work: Work;
  stage: Stage;
  readonly since: number;
  readonly settle: (outcome: Outcome) => void;
}

const LOOK_MS = 2_000;
/** Words of BullMQ for a job whose workers ended too often. */
const STALLED = "job stalled more than allowable limit";

/**
 * Work that was put into the queues of a run, until it comes back: once, however often it was delivered. Work that the
 * queues forgot, as a server does that was restarted without its data, is put into them again.
 */
export class SubmittedWork {
  readonly #queues: Readonly<Record<Stage, Queue>>;
  readonly #pending = new Map<string, Pending>();
  readonly #look: NodeJS.Timeout;
  #next = 0;
  #isLooking = false;

  constructor(queues: Readonly<Record<Stage, Queue>>, events: Readonly<Record<Stage, QueueEvents>>) {
    this.#queues = queues;
    for (const stage of STAGES) {
      events[stage].on("completed", ({ jobId, returnvalue }) => this.#complete(jobId, stage, returnvalue));
      events[stage].on("failed", ({ jobId, failedReason }) => this.#fail(jobId, stage, failedReason));
    }
    // An event may be lost with the connection: what is in the queue counts.
    this.#look = setInterval(() => void this.#lookAfter(), LOOK_MS);
  }

  /** @throws the signal's reason when it is aborted */
  async ask(work: Work, signal: AbortSignal): Promise<Outcome> {
    signal.throwIfAborted();
    const id = `w${this.#next++}`;
    const outcome = new Promise<Outcome>((settle, reject) => {
      const pending: Pending = { work, stage: "usual", since: Date.now(), settle };
      this.#pending.set(id, pending);
      this.#add(id, pending).catch(reject);
    });
    try {
      return await unlessAborted(outcome, signal);
    } finally {
      this.#pending.delete(id);
    }
  }

  /** Nothing comes back any more. */
  close(): void {
    clearInterval(this.#look);
  }

  async #add(id: string, { work, stage }: Pending): Promise<void> {
    await this.#queues[stage].add(work.kind, work, { jobId: id, attempts: 1 });
  }

  /** A reply of a worker that was taken for dead is one as any; a second reply is dropped. */
  #complete(id: string, stage: Stage, value: unknown): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) this.#forget(id, stage);
    else this.#settle(id, pending, outcomeOf(value, pending.work));
  }

  #fail(id: string, stage: Stage, reason: string): void {
    const pending = this.#pending.get(id);
    if (pending === undefined || pending.stage !== stage) return;
    if (!reason.includes(STALLED)) {
      this.#settle(id, pending, { status: "failed", detail: shorten(reason, 1_000) });
    } else if (stage === "alone") {
      this.#settle(id, pending, { status: "lost", deliveries: MOST_DELIVERIES });
    } else {
      pending.stage = "alone";
      // A failure is mended by the next look.
      this.#add(id, pending).catch(() => undefined);
    }
  }

  #settle(id: string, { settle }: Pending, outcome: Outcome): void {
    this.#pending.delete(id);
    settle(outcome);
    for (const stage of STAGES) this.#forget(id, stage);
  }

  /** Removes a job that came back; leftovers go with the queue. */
  #forget(id: string, stage: Stage): void {
    void this.#queues[stage].remove(id).catch(() => undefined);
  }

  async #lookAfter(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const old = [...this.#pending].filter(([, { since }]) => Date.now() - since > LOOK_MS);
      for (const [id, pending] of old) await this.#lookAt(id, pending);
    } catch {
      // The server is away: the next look finds out.
    } finally {
      this.#isLooking = false;
    }
  }

  async #lookAt(id: string, pending: Pending): Promise<void> {
    const { stage } = pending;
    // A job that has not come back is not read: that would take the longer the more is asked at once.
    const state = await this.#queues[stage].getJobState(id);
    if (!this.#isWaitedFor(id, stage)) return;
    if (state === "unknown") await this.#add(id, pending);
    else if (state === "completed" || state === "failed") await this.#fetch(id, stage);
  }

  async #fetch(id: string, stage: Stage): Promise<void> {
    const job = (await this.#queues[stage].getJob(id)) as Job | undefined;
    if (job === undefined || !this.#isWaitedFor(id, stage)) return;
    if (job.failedReason) this.#fail(id, stage, job.failedReason);
    else this.#complete(id, stage, job.returnvalue);
  }

  #isWaitedFor(id: string, stage: Stage): boolean {
    return this.#pending.get(id)?.stage === stage;
  }
}

function outcomeOf(value: unknown, work: Work): Outcome {
  try {
    return { status: "done", result: parseResult(value, work) };
  } catch {
    return { status: "failed", detail: "a worker sent back what is no reply of a model" };
  }
}
