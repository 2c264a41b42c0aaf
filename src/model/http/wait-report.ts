import { shorten } from "../../base/text.js";
import { publicUrl } from "./public-url.js";

/** What a server is waited for, and how long still. */
export interface Wait {
  /** Such as `HTTP 429: slow down`. */
  readonly reason: string;
  /** When there was last a reply, or the first request was sent; ms of the clock. */
  readonly since: number;
  /** `null`: a request is under way. */
  readonly nextTry: number | null;
  /** When the server is given up. */
  readonly until: number;
}

/** A wait of so long is worth a message, at once where it is known beforehand. */
const LONG_MS = 10_000;
const REPEAT_MS = 30_000;
const TICK_MS = 1000;

interface ReportOptions {
  readonly baseUrl: string;
  /** Milliseconds, of any origin. */
  readonly now: () => number;
  readonly onMessage: (message: string) => void;
}

/** Tells that a server is waited for: why, since when and until when; and when it answers again. */
export class WaitReport {
  readonly #options: ReportOptions;
  #timer: NodeJS.Timeout | null = null;
  #toldAt: number | null = null;

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  /**
   * Watches over requests from now on.
   * @param current what is waited for, asked for every second
   */
  watch(current: () => Wait): void {
    this.#timer ??= setInterval(() => this.note(current()), TICK_MS).unref();
  }

  /** Nothing is asked any more. */
  rest(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Tells of a wait that has lasted long, or will, unless it was told of a short while ago. */
  note(wait: Wait): void {
    const now = this.#options.now();
    const isLong = Math.max(now, wait.nextTry ?? now) - wait.since >= LONG_MS;
    if (!isLong || (this.#toldAt !== null && now - this.#toldAt < REPEAT_MS)) return;
    this.#toldAt = now;
    const next = wait.nextTry === null ? "" : ` Next try: ${this.#time(wait.nextTry)}.`;
    this.#options.onMessage(
      `Waiting for ${this.#server} since ${this.#time(wait.since)}: ${shorten(wait.reason, 160)}.${next} ` +
        `Given up: ${this.#time(wait.until)}.`,
    );
  }

  /** @param since when the wait began */
  answered(since: number): void {
    if (this.#toldAt === null) return;
    this.#toldAt = null;
    const seconds = Math.round((this.#options.now() - since) / 1000);
    this.#options.onMessage(`${this.#server} answers again, after ${seconds} s.`);
  }

  get #server(): string {
    return publicUrl(this.#options.baseUrl);
  }

  /** The time of day, such as `11:05:03`. */
  #time(at: number): string {
    return new Date(Date.now() + at - this.#options.now()).toTimeString().slice(0, 8);
  }
}
