import type { Console } from "../console/console.js";
import { barProgress } from "../console/progress.js";
import type { RunObserver } from "./run-suite.js";

/** Draws a run's progress. */
export function runProgress(console: Console, quiet: boolean): RunObserver {
  const bar = barProgress(console, quiet);
  let failed = 0;
  return {
    onMessage: bar.message,
    onDownload: bar.download,
    onStart: bar.start,
    onRecord: ({ isFailed }) => {
      if (isFailed) failed++;
      bar.advance(failed > 0 ? `, ${failed} failed` : "");
    },
    onEnd: bar.stop,
  };
}
