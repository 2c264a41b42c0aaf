import { setMaxListeners } from "node:events";
import { durationText } from "../report/number-text.js";
import { type Console, EXIT } from "./console.js";

/** A progress bar on a terminal; elsewhere, and when quiet, there are messages at most. */
interface BarProgress {
  readonly message: (message: string) => void;
  /** A fraction of a model's file, 0–1. */
  readonly download: (fraction: number) => void;
  /** @param unit what is counted, such as `answers` */
  readonly start: (total: number, done: number, unit: string) => void;
  /** @param note shown behind the counts from now on */
  readonly advance: (note?: string) => void;
  readonly stop: () => void;
}

const REDRAWN_EVERY_MS = 250;
const WIDEST_BAR = 40;
const NARROWEST_BAR = 8;

export function barProgress(console: Console, quiet: boolean): BarProgress {
  const row = console.isTerminal && !quiet ? console.row : undefined;
  let bar: CountedBar | null = null;
  let timer: NodeJS.Timeout | undefined;
  const draw = () => {
    if (bar !== null) row?.show(bar.text(row.width));
  };
  const stop = () => {
    clearInterval(timer);
    bar = null;
    row?.end();
  };
  return {
    message: (message) => {
      if (!quiet) console.err(`${message}\n`);
    },
    download: (fraction) => {
      const percent = Math.floor(fraction * 100);
      row?.show(barText(fraction, ` ${percent} % of the model's file`, row.width));
    },
    start: (total, done, unit) => {
      stop();
      if (row === undefined) return;
      bar = new CountedBar({ total, done, unit }, () => console.now().getTime());
      draw();
      timer = setInterval(draw, REDRAWN_EVERY_MS).unref();
    },
    advance: (note) => bar?.advance(note),
    stop,
  };
}

/** Progress bar with a count, a total and the time left. */
class CountedBar {
  readonly #total: number;
  readonly #unit: string;
  readonly #nowMs: () => number;
  readonly #remaining: RemainingTime;
  #done: number;
  #note = "";

  constructor(
    { total, done, unit }: { readonly total: number; readonly done: number; readonly unit: string },
    nowMs: () => number,
  ) {
    this.#total = total;
    this.#unit = unit;
    this.#done = done;
    this.#nowMs = nowMs;
    this.#remaining = new RemainingTime(done, nowMs());
  }

  advance(note: string | undefined): void {
    this.#done++;
    if (note !== undefined) this.#note = note;
  }

  text(width: number): string {
    const now = this.#nowMs();
    this.#remaining.note(this.#done, now);
    const leftMs = this.#done < this.#total ? this.#remaining.leftMs(this.#total, now) : null;
    const left = leftMs === null ? "" : `, ${durationText(leftMs)} left`;
    const share = this.#total === 0 ? 1 : this.#done / this.#total;
    return barText(share, ` ${this.#done}/${this.#total} ${this.#unit}${left}${this.#note}`, width);
  }
}

/** Bar as wide as the words leave room for; none where that is too little. */
function barText(share: number, words: string, width: number): string {
  const room = Math.min(WIDEST_BAR, width - words.length);
  if (room < NARROWEST_BAR) return words.trimStart();
  const full = Math.min(room, Math.floor(share * room));
  return `${"█".repeat(full)}${"░".repeat(room - full)}${words}`;
}

/** A count, and when it was reached. */
interface Reached {
  readonly done: number;
  readonly atMs: number;
}

const WINDOW_MS = 60_000;
/** Shortest time that a rate is computed from: the first answers are slow, or come all at once. */
const LEAST_MS = 3_000;

/**
 * Estimate of the time left, by the rate of the last minute; where nothing came within it, by that since the count
 * before the last.
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

  /**
   * True if a count before this one is not needed: this one is old enough to begin the window, and something came
   * since.
   */
  #isStale(next: Reached | undefined, done: number, nowMs: number): boolean {
    return next !== undefined && next.atMs <= nowMs - WINDOW_MS && next.done < done;
  }
}

/** Members of a progress display that an interrupt uses. */
interface Interruptible {
  readonly message: (message: string) => void;
  readonly stop: () => void;
}

/** Interrupt that ended work before it could record how far it came: while its model was opened. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";

  constructor(options: ErrorOptions) {
    super("Stopped while the model was opened: nothing was asked. The same command goes on.", options);
  }
}

/**
 * Does work that the first interrupt stops in order, by its signal, and the second at once.
 * @param progress is stopped at the end, however that comes
 * @throws Interrupted when the work ends with the signal's own error
 */
export async function interruptibly<T>(
  console: Console,
  progress: Interruptible,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  const release = console.onInterrupt(() => {
    if (controller.signal.aborted) {
      progress.stop();
      process.exit(EXIT.interrupted);
    }
    progress.message("Stopping: finishing what is under way. Once more stops at once.");
    controller.abort();
  });
  try {
    return await work(controller.signal);
  } catch (error) {
    if (controller.signal.aborted && error instanceof Error && error.name === "AbortError")
      throw new Interrupted({ cause: error });
    throw error;
  } finally {
    progress.stop();
    release();
  }
}
