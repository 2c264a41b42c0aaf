import { appendFileSync } from "node:fs";
import { truncate } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { badInput, isSystemError } from "../base/errors.js";
import { onDisk, onDiskSync } from "../store/atomic-write.js";
import { readText, requirePlainFile } from "../store/text-lines.js";

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

const FILE = "money.jsonl";
const amount = z.number().nonnegative();

/** Line of the file; the last whole one holds. */
const line = z.strictObject({
  /** Most that requests may have cost whose replies no journal has. */
  lost: amount,
  /** Most that was under way at once. */
  under_way: amount,
});

/**
 * Money that a run's journals do not tell of, in its folder (`money.jsonl`): what is under way is written down before it is
 * sent, so that a session after a kill counts it as spent.
 */
export class UnderWay {
  readonly #path: string;
  #lost: number;
  #most = 0;

  private constructor(path: string, lost: number) {
    this.#path = path;
    this.#lost = lost;
  }

  /**
   * Counts what was under way at the end of the session before as lost, unless that ended by itself.
   * @throws ProbeError `bad_input` where the file is damaged
   */
  static async open(folder: string): Promise<UnderWay> {
    const path = join(folder, FILE);
    const last = await readLast(path);
    const underWay = new UnderWay(path, last.lost + last.under_way);
    if (last.under_way > 0) underWay.#write();
    return underWay;
  }

  /** Most that requests may have cost whose replies no journal has. */
  get lost(): number {
    return this.#lost;
  }

  /** Notes an amount that is about to be under way, where it was never so much; waits for the file. */
  reach(reserved: number): void {
    if (reserved <= this.#most) return;
    this.#most = reserved;
    this.#write();
  }

  /** Notes a request without a record. */
  lose(most: number): void {
    this.#lost += most;
    this.#write();
  }

  /** Nothing is under way any more. */
  close(): void {
    if (this.#most === 0) return;
    this.#most = 0;
    this.#write();
  }

  #write(): void {
    const text = `${JSON.stringify({ lost: this.#lost, under_way: this.#most })}\n`;
    onDiskSync(this.#path, () => appendFileSync(this.#path, text));
  }
}

async function readLast(path: string): Promise<z.infer<typeof line>> {
  const text = await textOf(path);
  const lines = text.split("\n");
  // A kill cut it off before anything was sent by it.
  const torn = lines.pop() ?? "";
  if (torn !== "") await onDisk(path, () => truncate(path, Buffer.byteLength(text) - Buffer.byteLength(torn)));
  const last = lines.at(-1);
  if (last === undefined) return { lost: 0, under_way: 0 };
  try {
    return line.parse(JSON.parse(last));
  } catch {
    throw badInput(
      `Expected amounts as the last line of ${path}, found something else: what was under way is not known. ` +
        "Restore the file; without it, what a kill lost is not counted.",
    );
  }
}

async function textOf(path: string): Promise<string> {
  try {
    await requirePlainFile(path);
    return await readText(path);
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return "";
    throw error;
  }
}
