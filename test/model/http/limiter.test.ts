import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AdaptiveLimiter, type LoadSignal, type Ticket } from "../../../src/model/http/limiter.js";
import { FakeClock } from "../../fixtures/fake-clock.js";

const { signal: NEVER } = new AbortController();

function open(max: number): { limiter: AdaptiveLimiter; clock: FakeClock } {
  const clock = new FakeClock();
  return { limiter: new AdaptiveLimiter({ max, now: clock.now, sleep: clock.sleep }), clock };
}

function take(limiter: AdaptiveLimiter, count: number): Promise<Ticket[]> {
  return Promise.all(Array.from({ length: count }, () => limiter.acquire(NEVER)));
}

/** One request after another, each ending so. */
async function finish(limiter: AdaptiveLimiter, outcome: LoadSignal, count = 1): Promise<void> {
  for (let i = 0; i < count; i++) (await limiter.acquire(NEVER)).release(outcome);
}

/** Whether a promise is settled once all that can happen now has. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const settle = () => {
    settled = true;
  };
  promise.then(settle, settle);
  await setImmediate();
  return settled;
}

describe("the limit", () => {
  it("starts at 4 and doubles with every round of replies", async () => {
    const { limiter } = open(100);
    expect(limiter.limit).toBe(4);
    // a round is as many replies as the limit was: 4 + 4 = 8, 8 + 8 = 16
    await finish(limiter, "success", 4);
    expect(limiter.limit).toBe(8);
    await finish(limiter, "success", 8);
    expect(limiter.limit).toBe(16);
  });

  it("passes its maximum neither at the start nor later", async () => {
    expect(open(2).limiter.limit).toBe(2);
    const { limiter } = open(6);
    await finish(limiter, "success", 20);
    expect(limiter.limit).toBe(6);
  });

  it("halves at an overload, and then adds one a round", async () => {
    const { limiter } = open(100);
    await finish(limiter, "success", 4);
    await finish(limiter, "overload");
    // 8 / 2
    expect(limiter.limit).toBe(4);
    // 4 + 1/4 + 1/4.25 + 1/4.485 + 1/4.708 = 4.921; + 1/4.921 = 5.124
    await finish(limiter, "success", 4);
    expect(limiter.limit).toBe(4);
    await finish(limiter, "success", 1);
    expect(limiter.limit).toBe(5);
  });

  it("halves once for all that was under way together", async () => {
    const { limiter } = open(100);
    const first = await take(limiter, 4);
    for (const ticket of first) ticket.release("overload");
    expect(limiter.limit).toBe(2);
    const second = await take(limiter, 2);
    for (const ticket of second) ticket.release("overload");
    expect(limiter.limit).toBe(1);
  });

  it("does not halve for a complaint about a request from before the last halving", async () => {
    const { limiter } = open(100);
    const [early, late] = await take(limiter, 2);
    early?.release("overload");
    await finish(limiter, "success");
    late?.release("overload");
    // 4 / 2 + 1/2 = 2.5
    expect(limiter.limit).toBe(2);
  });

  it("is never less than 1", async () => {
    const { limiter } = open(100);
    await finish(limiter, "overload", 10);
    expect(limiter.limit).toBe(1);
    // 1 + 1/1
    await finish(limiter, "success");
    expect(limiter.limit).toBe(2);
  });

  it("stays as it is at what says nothing about load", async () => {
    const { limiter } = open(100);
    await finish(limiter, "neutral", 10);
    expect(limiter.limit).toBe(4);
  });
});

describe("acquire", () => {
  it("lets those above the limit wait, and in turn as places become free", async () => {
    const { limiter } = open(2);
    const [first, second] = await take(limiter, 2);
    const order: string[] = [];
    const third = limiter.acquire(NEVER).then(() => order.push("third"));
    const fourth = limiter.acquire(NEVER).then(() => order.push("fourth"));
    expect(await isSettled(third)).toBe(false);
    first?.release("neutral");
    expect(await isSettled(third)).toBe(true);
    expect(await isSettled(fourth)).toBe(false);
    second?.release("neutral");
    await fourth;
    expect(order).toEqual(["third", "fourth"]);
  });

  it("counts a ticket that is released twice once", async () => {
    const { limiter } = open(1);
    const [ticket] = await take(limiter, 1);
    ticket?.release("neutral");
    ticket?.release("neutral");
    await take(limiter, 1);
    expect(await isSettled(limiter.acquire(NEVER))).toBe(false);
  });

  it("starts nothing during a pause, not even what waited before it", async () => {
    const { limiter, clock } = open(1);
    const [ticket] = await take(limiter, 1);
    const waiting = limiter.acquire(NEVER);
    limiter.pause(1000);
    ticket?.release("neutral");
    await clock.advance(999);
    expect(await isSettled(waiting)).toBe(false);
    await clock.advance(1);
    expect(await isSettled(waiting)).toBe(true);
  });

  it("keeps to the longer of two pauses", async () => {
    const { limiter, clock } = open(1);
    limiter.pause(1000);
    limiter.pause(10);
    const waiting = limiter.acquire(NEVER);
    await clock.advance(999);
    expect(await isSettled(waiting)).toBe(false);
    limiter.pause(500);
    // the second pause ends at 999 + 500
    await clock.advance(499);
    expect(await isSettled(waiting)).toBe(false);
    await clock.advance(1);
    expect(await isSettled(waiting)).toBe(true);
  });

  it("rejects with the reason of a signal that is aborted before, while it waits, or in a pause", async () => {
    const { limiter } = open(1);
    const reason = new Error("stop");
    await expect(limiter.acquire(AbortSignal.abort(reason))).rejects.toBe(reason);
    await take(limiter, 1);
    const controller = new AbortController();
    const waiting = limiter.acquire(controller.signal);
    await setImmediate();
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    limiter.pause(1000);
    const other = new AbortController();
    const paused = limiter.acquire(other.signal);
    other.abort(reason);
    await expect(paused).rejects.toBe(reason);
  });

  it("gives the place of one that left to the next", async () => {
    const { limiter } = open(1);
    const [ticket] = await take(limiter, 1);
    const controller = new AbortController();
    const leaving = limiter.acquire(controller.signal);
    const next = limiter.acquire(NEVER);
    await setImmediate();
    // The first is woken, and leaves before it has run.
    ticket?.release("neutral");
    controller.abort(new Error("stop"));
    await expect(leaving).rejects.toThrow("stop");
    expect(await isSettled(next)).toBe(true);
  });

  it("never has more under way than the limit when one starts, whatever ends when and how", async () => {
    const step = fc.record({
      outcome: fc.constantFrom<LoadSignal>("success", "overload", "neutral"),
      pick: fc.nat(),
      arrivals: fc.nat({ max: 4 }),
      leaves: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 12 }), fc.array(step, { maxLength: 60 }), async (max, steps) => {
        const crowd = new Crowd(open(max).limiter);
        for (const { outcome, pick, arrivals, leaves } of steps) {
          for (let i = 0; i < arrivals; i++) crowd.arrive();
          await setImmediate();
          crowd.end(pick, outcome);
          if (leaves) crowd.leave();
        }
        // All who still wait come to their turn.
        await setImmediate();
        for (; crowd.underWay > 0; await setImmediate()) crowd.end(0, "neutral");
        expect(crowd.waiting).toBe(0);
        expect(crowd.tooMany).toEqual([]);
      }),
      { seed: 1, numRuns: 100 },
    );
  });
});

/** Requests that come, wait, start and end. */
class Crowd {
  /** Starts that made more be under way than the limit was. */
  readonly tooMany: { underWay: number; limit: number }[] = [];
  readonly #limiter: AdaptiveLimiter;
  readonly #waiting = new Set<AbortController>();
  readonly #tickets: Ticket[] = [];

  constructor(limiter: AdaptiveLimiter) {
    this.#limiter = limiter;
  }

  get underWay(): number {
    return this.#tickets.length;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  arrive(): void {
    const controller = new AbortController();
    this.#waiting.add(controller);
    const start = (ticket: Ticket) => {
      this.#tickets.push(ticket);
      const { underWay } = this;
      const { limit } = this.#limiter;
      if (underWay > limit) this.tooMany.push({ underWay, limit });
    };
    const gone = () => this.#waiting.delete(controller);
    this.#limiter
      .acquire(controller.signal)
      .then(start, () => {})
      .finally(gone);
  }

  /** One of those under way ends. */
  end(pick: number, outcome: LoadSignal): void {
    const [ticket] = this.#tickets.splice(pick % Math.max(1, this.underWay), 1);
    ticket?.release(outcome);
  }

  /** The one that waits longest leaves. */
  leave(): void {
    [...this.#waiting][0]?.abort();
  }
}
