/** Money of a run: what a request may cost at most is reserved before it is sent, and settled by what it did cost. */
export class Budget {
  readonly limit: number;
  #spent: number;
  #reserved = 0;
  #isOut = false;
  readonly #beforeSending: (reserved: number) => void;
  #waiting: (() => void)[] = [];

  /**
   * @param spent by sessions before
   * @param beforeSending told how much is reserved in all, before that is sent
   */
  constructor(limit: number, spent: number, beforeSending: (reserved: number) => void = () => {}) {
    this.limit = limit;
    this.#spent = spent;
    this.#beforeSending = beforeSending;
  }

  get spent(): number {
    return this.#spent;
  }

  /** True once a request could not be paid for: nothing more is asked then. */
  get isOut(): boolean {
    return this.#isOut;
  }

  /**
   * Reserves for as many of the requests, from the first on, as there is money for; where there is none for the first, when
   * others have been settled.
   * @param worst the most that each may cost
   * @returns how many may be sent; 0: none, and none ever
   */
  async reserve(worst: readonly number[]): Promise<number> {
    for (;;) {
      if (this.#isOut) return 0;
      const count = this.#affordable(worst);
      if (count > 0) return count;
      if (this.#reserved === 0) {
        this.#isOut = true;
        this.#wake();
        return 0;
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Reserves for one more try of a request, without a wait; `false`: there is no money for it, nor for anything more. */
  again(worst: number): boolean {
    if (this.take(worst)) return true;
    this.#isOut = true;
    this.#wake();
    return false;
  }

  /** Reserves for one request, without a wait; `false`: there is no money for it. */
  take(worst: number): boolean {
    return this.#affordable([worst]) === 1;
  }

  /** Reserves what a session before had reserved, whatever the limit is now. */
  hold(worst: number): void {
    this.#reserved += worst;
  }

  #affordable(worst: readonly number[]): number {
    let count = 0;
    for (const most of worst) {
      if (this.#spent + this.#reserved + most > this.limit) break;
      this.#reserved += most;
      count++;
    }
    if (count > 0) this.#beforeSending(this.#reserved);
    return count;
  }

  /** @param cost of the request; `null`: not known, so that it counts as the most it may have been */
  settle(worst: number, cost: number | null): void {
    this.#reserved -= worst;
    // Sums of fractions do not come back to 0 by themselves.
    if (this.#reserved < worst * 1e-9) this.#reserved = 0;
    this.#spent += cost ?? worst;
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
