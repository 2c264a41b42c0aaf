import { SingleBar } from "cli-progress";
import type { RunObserver } from "../run/run-probes.js";
import type { Console } from "./console.js";

/** Draws a run's progress on a terminal; elsewhere, and when quiet, there are messages at most. */
export function runProgress(console: Console, quiet: boolean): RunObserver {
  const isDrawn = console.isTerminal && !quiet;
  let bar: SingleBar | null = null;
  let failed = 0;
  const start = (total: number, value: number, format: string) => {
    if (!isDrawn) return;
    bar = new SingleBar({ format, stream: process.stderr, hideCursor: true, clearOnComplete: true, etaBuffer: 500 });
    bar.start(total, value, { failed: "" });
  };
  const stop = () => {
    bar?.stop();
    bar = null;
  };
  return {
    onMessage: (message) => {
      if (quiet) return;
      // A line of its own, above the bar.
      console.err(bar === null ? `${message}\n` : `\r\u001b[K${message}\n`);
    },
    onDownload: (fraction) => {
      if (bar === null) start(100, 0, "downloading the model {bar} {percentage} %");
      bar?.update(Math.floor(fraction * 100));
    },
    onStart: (total, answered) => {
      stop();
      start(total, answered, "{bar} {value}/{total} answers, {eta_formatted} left{failed}");
    },
    onAnswer: ({ outcome }) => {
      if (outcome.status === "failed") failed++;
      bar?.increment(1, { failed: failed > 0 ? `, ${failed} failed` : "" });
    },
    onEnd: stop,
  };
}
