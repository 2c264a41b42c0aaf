import { durationText } from "../report/duration-text.js";
import type { Console } from "./console.js";
import { RemainingTime } from "./remaining-time.js";

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

/** What is counted, how far it is, and how long the rest will take. */
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

/** As wide a bar as the words leave room for; none where that is too little. */
function barText(share: number, words: string, width: number): string {
  const room = Math.min(WIDEST_BAR, width - words.length);
  if (room < NARROWEST_BAR) return words.trimStart();
  const full = Math.min(room, Math.floor(share * room));
  return `${"█".repeat(full)}${"░".repeat(room - full)}${words}`;
}
