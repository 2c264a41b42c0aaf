/** End of a request, as far as load is concerned. */
export type LoadSignal = "success" | "overload" | "neutral";

/** A place among the requests under way. */
export interface Ticket {
  release(signal: LoadSignal): void;
}

interface LimiterOptions {
  readonly max: number;
  readonly now: () => number;
  /** Waits; rejects when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Requests under way at the start; doubled as replies come. */
const START = 4;

/**
 * Limit of the requests that may be under way at once: doubles with the replies until the server first complains, then
 * adds one a round and halves on 429, 5xx and timeouts (at most once for requests under way together), from 1 to `max`.
 */
export class AdaptiveLimiter {
  readonly #options: LimiterOptions;
  readonly #waiting: (() => void)[] = [];
  #limit: number;
  #active = 0;
  #isGrowingFast = true;
  #epoch = 0;
  #pausedUntil = 0;

  constructor(options: LimiterOptions) {
    this.#options = options;
    this.#limit = Math.min(START, options.max);
  }

  /** Requests allowed at once, now. */
  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** No request starts for this long (`Retry-After`). */
  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#options.now() + ms);
  }

  /**
   * Waits for a place.
   * @throws the signal's reason when it is aborted first
   */
  async acquire(signal: AbortSignal): Promise<Ticket> {
    const epoch = await this.#takePlace(signal).catch((error: unknown) => {
      // The one that leaves may have been woken: its turn goes to the next.
      this.#wakeWaiting();
      throw error;
    });
    let isReleased = false;
    return {
      release: (outcome) => {
        if (isReleased) return;
        isReleased = true;
        this.#active--;
        this.#adapt(outcome, epoch);
        this.#wakeWaiting();
      },
    };
  }

  /** @returns the epoch the place belongs to */
  async #takePlace(signal: AbortSignal): Promise<number> {
    for (;;) {
      signal.throwIfAborted();
      const pause = this.#pausedUntil - this.#options.now();
      if (pause > 0) await this.#options.sleep(pause, signal);
      else if (this.#active < this.limit) break;
      else await this.#wait(signal);
    }
    this.#active++;
    return this.#epoch;
  }

  #adapt(outcome: LoadSignal, epoch: number): void {
    if (outcome === "success") {
      this.#limit = Math.min(this.#options.max, this.#limit + (this.#isGrowingFast ? 1 : 1 / this.#limit));
    } else if (outcome === "overload" && epoch === this.#epoch) {
      this.#epoch++;
      this.#isGrowingFast = false;
      this.#limit = Math.max(1, this.#limit / 2);
    }
  }

  #wakeWaiting(): void {
    for (let free = this.limit - this.#active; free > 0; free--) this.#waiting.shift()?.();
  }

  async #wait(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const wake = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        const place = this.#waiting.indexOf(wake);
        if (place !== -1) this.#waiting.splice(place, 1);
        reject(signal.reason as Error);
      };
      this.#waiting.push(wake);
      signal.addEventListener("abort", leave, { once: true });
    });
  }
}
