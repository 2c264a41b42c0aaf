import { shorten } from "../../base/text.js";
import { AdaptiveLimiter } from "./limiter.js";
import { publicUrl } from "./public-url.js";
import { RequestError } from "./request-error.js";

export interface PatienceOptions {
  /** Requests under way at most. */
  readonly maxConcurrency: number;
  /** Time to wait for a server that does not answer, ms. */
  readonly patienceMs: number;
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** 0–1, for the jitter of the waits. */
  readonly random: () => number;
  /** Tries of one request that the server answers with an error. */
  readonly maxTries?: number;
  /** Time for one try, ms: for messages. */
  readonly timeoutMs?: number;
  /** Told why, since when and until when a server is waited for. */
  readonly onMessage?: (message: string) => void;
}

/** Errors in a row, all alike, with no success in between, after which a server is given up. */
export const MAX_SAME_ERRORS = 20;
const DEFAULT_TRIES = 5;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;

/** One server: its limiter, and the state of its replies. */
export class Endpoint {
  readonly baseUrl: string;
  readonly #limiter: AdaptiveLimiter;
  readonly #options: PatienceOptions;
  #patienceMs: number;
  #load = 0;
  #sameErrors = 0;
  #signature = "";
  #downSince: number | null = null;
  /** When the last reply came, or the first of the requests under way was sent. */
  #lastReply = 0;
  #lastTrouble: RequestError | null = null;
  #nextTry: number | null = null;
  readonly #report: WaitReport;
  #givenUp: RequestError | null = null;

  constructor(baseUrl: string, options: PatienceOptions) {
    this.baseUrl = baseUrl;
    this.#options = options;
    this.#patienceMs = options.patienceMs;
    this.#limiter = new AdaptiveLimiter({ max: options.maxConcurrency, now: options.now, sleep: options.sleep });
    const onMessage = options.onMessage ?? (() => {});
    this.#report = new WaitReport({ baseUrl, now: options.now, onMessage });
  }

  get isGivenUp(): boolean {
    return this.#givenUp !== null;
  }

  /** Requests that are not answered yet: under way, waiting for a place, or for another try. */
  get load(): number {
    return this.#load;
  }

  /** For the check before a run, which should not wait as long as a run does, unless the server says how long. */
  setPatience(ms: number): void {
    this.#patienceMs = ms;
  }

  /**
   * Sends a request, again where that may help: a server that is down is waited for, one that errs is tried a few times,
   * one that errs alike `MAX_SAME_ERRORS` times in a row is given up.
   * @throws RequestError the last one, or the one for which the server was given up
   */
  async send<T>(attempt: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#load++ === 0) {
      this.#lastReply = this.#options.now();
      this.#report.watch(() => this.#wait());
    }
    try {
      return await this.#sendPatiently(attempt, signal);
    } finally {
      if (--this.#load === 0) this.#report.rest();
    }
  }

  async #sendPatiently<T>(attempt: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    const maxTries = this.#options.maxTries ?? DEFAULT_TRIES;
    let faults = 0;
    for (let tries = 1; ; tries++) {
      const result = await this.#sendOnce(attempt, signal);
      if (result.status === "ok") return result.value;
      const { error } = result;
      if (error.trouble === "down") signal.throwIfAborted();
      this.#note(error, result.started);
      if (this.#givenUp !== null) throw this.#givenUp;
      // Tries that met a server that was down are not held against the request.
      if (error.trouble === "fault") faults++;
      if (error.trouble === "permanent" || faults >= maxTries) throw withTries(error, tries);
      await this.#pause(error, tries, signal);
    }
  }

  async #pause(error: RequestError, tries: number, signal: AbortSignal): Promise<void> {
    const ms = this.#waitAfter(error, tries);
    this.#lastTrouble = error;
    this.#nextTry = this.#options.now() + ms;
    this.#report.note(this.#wait());
    await this.#options.sleep(ms, signal);
  }

  #wait(): Wait {
    const { now, timeoutMs = 0 } = this.#options;
    const nextTry = this.#nextTry !== null && this.#nextTry > now() ? this.#nextTry : null;
    const since = this.#downSince ?? this.#lastReply;
    const patience = this.#lastTrouble === null ? this.#patienceMs : this.#patienceFor(this.#lastTrouble);
    // By a try that fails, not between two.
    const until = nextTry === null ? since + Math.max(patience, timeoutMs) : Math.max(since + patience, nextTry);
    return { reason: this.#lastTrouble?.message ?? "no reply yet", since, nextTry, until };
  }

  async #sendOnce<T>(
    attempt: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<{ status: "ok"; value: T } | { status: "failed"; error: RequestError; started: number }> {
    const ticket = await this.#limiter.acquire(signal);
    const started = this.#options.now();
    if (this.#givenUp !== null) {
      ticket.release("neutral");
      return { status: "failed", error: this.#givenUp, started };
    }
    try {
      // A request that is under way is finished even when the run is told to stop: its answer is paid for.
      const value = await attempt(new AbortController().signal);
      ticket.release("success");
      this.#sameErrors = 0;
      this.#answered();
      return { status: "ok", value };
    } catch (error) {
      if (!(error instanceof RequestError)) {
        ticket.release("neutral");
        throw error;
      }
      this.#limiter.pause(this.#asked(error));
      ticket.release(error.trouble === "permanent" ? "neutral" : "overload");
      return { status: "failed", error, started };
    }
  }

  #answered(): void {
    this.#report.answered(this.#downSince ?? this.#lastReply);
    this.#lastReply = this.#options.now();
    this.#downSince = null;
    this.#lastTrouble = null;
    this.#nextTry = null;
  }

  /** @param started when the try began that met the error */
  #note(error: RequestError, started: number): void {
    if (this.#givenUp !== null) return;
    if (error.trouble === "down") {
      this.#downSince ??= Math.max(started, this.#lastReply);
      const waited = this.#options.now() - this.#downSince;
      if (waited >= this.#patienceFor(error)) {
        this.#giveUp(error, `no answer for ${Math.round(waited / 1000)} s; last: ${error.message}`);
      }
      return;
    }
    // Any other answer shows that the server is there.
    this.#answered();
    if (error.trouble === "permanent") return;
    this.#sameErrors = error.signature === this.#signature ? this.#sameErrors + 1 : 1;
    this.#signature = error.signature;
    if (this.#sameErrors >= MAX_SAME_ERRORS) {
      this.#giveUp(error, `the same error ${this.#sameErrors} times in a row: ${error.message}`);
    }
  }

  /** Whatever it answered: what is asked of it from now on has no answer, and a run ends by that. */
  #giveUp(error: RequestError, message: string): void {
    this.#givenUp = withMessage(error, message, "unavailable");
  }

  /** Time that the server asks to wait, ms. One that asks for more than there is patience is given up when that is over. */
  #asked(error: RequestError): number {
    return Math.min(error.retryAfterMs ?? 0, this.#patienceFor(error));
  }

  /** A server that says when to come again is there, and waited for as in a run. */
  #patienceFor({ retryAfterMs }: RequestError): number {
    return retryAfterMs === null ? this.#patienceMs : this.#options.patienceMs;
  }

  #waitAfter(error: RequestError, tries: number): number {
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1));
    return Math.max(this.#asked(error), wait * (0.5 + this.#options.random() / 2));
  }
}

function withTries(error: RequestError, tries: number): RequestError {
  return tries === 1 ? error : withMessage(error, `${error.message} (${tries} tries)`);
}

function withMessage(error: RequestError, message: string, failure = error.failure): RequestError {
  const { trouble, status } = error;
  return new RequestError({ trouble, failure, status, message, cause: error });
}

/** Wait for a server: its reason and its times. */
interface Wait {
  /** Reason such as `HTTP 429: slow down`. */
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
