import { SingleBar } from "cli-progress";
import { visible, visibleLine } from "../base/text.js";
import { TerminalText } from "../report/terminal-text.js";
import type { Console } from "./console.js";

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

export function barProgress(console: Console, quiet: boolean): BarProgress {
  const isDrawn = console.isTerminal && !quiet;
  let bar: SingleBar | null = null;
  const start = (total: number, value: number, format: string) => {
    if (!isDrawn) return;
    bar = new SingleBar({ format, stream: process.stderr, hideCursor: true, clearOnComplete: true, etaBuffer: 500 });
    bar.start(total, value, { note: "" });
  };
  const stop = () => {
    bar?.stop();
    bar = null;
  };
  return {
    message: (message) => {
      if (quiet) return;
      // A line of its own, above the bar.
      console.err(bar === null ? `${message}\n` : new TerminalText(`\r\u001b[K${visible(message)}\n`));
    },
    download: (fraction) => {
      if (bar === null) start(100, 0, "downloading the model {bar} {percentage} %");
      bar?.update(Math.floor(fraction * 100));
    },
    start: (total, done, unit) => {
      stop();
      start(total, done, `{bar} {value}/{total} ${unit}, {eta_formatted} left{note}`);
    },
    advance: (note) => bar?.increment(1, note === undefined ? {} : { note: visibleLine(note) }),
    stop,
  };
}
