/** A count, and when it was reached. */
interface Reached {
  readonly done: number;
  readonly atMs: number;
}

const WINDOW_MS = 60_000;
/** What came sooner says little: the first answers are slow, or come all at once. */
const LEAST_MS = 3_000;

/**
 * How long the rest will take, by the rate of the last minute; where nothing came within it, by that since the last count
 * before what came last.
 */
export class RemainingTime {
  readonly #reached: Reached[];

  constructor(done: number, nowMs: number) {
    this.#reached = [{ done, atMs: nowMs }];
  }

  /** Takes note of a count. */
  note(done: number, nowMs: number): void {
    if (done > (this.#reached.at(-1)?.done ?? 0)) this.#reached.push({ done, atMs: nowMs });
    while (this.#isStale(this.#reached[1], done, nowMs)) this.#reached.shift();
  }

  /** Milliseconds, more than 0; `null` while there is too little to tell. */
  leftMs(total: number, nowMs: number): number | null {
    const [first] = this.#reached;
    const done = this.#reached.at(-1)?.done ?? 0;
    if (first === undefined || done <= first.done || nowMs - first.atMs < LEAST_MS) return null;
    return Math.max(1_000, ((total - done) * (nowMs - first.atMs)) / (done - first.done));
  }

  /** Whether a count before this one is not needed: this one is old enough to begin the window, and something came since. */
  #isStale(next: Reached | undefined, done: number, nowMs: number): boolean {
    return next !== undefined && next.atMs <= nowMs - WINDOW_MS && next.done < done;
  }
}
