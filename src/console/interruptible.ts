import type { Console } from "./console.js";
import { EXIT } from "./exit-codes.js";

/** What an interrupt touches of a progress display. */
interface Interruptible {
  readonly message: (message: string) => void;
  readonly stop: () => void;
}

/**
 * Does work that the first interrupt stops in order, by its signal, and the second at once.
 * @param progress is stopped at the end, however that comes
 */
export async function interruptibly<T>(
  console: Console,
  progress: Interruptible,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const release = console.onInterrupt(() => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    progress.message("Stopping: finishing what is under way. Once more stops at once.");
    controller.abort();
  });
  try {
    return await work(controller.signal);
  } finally {
    progress.stop();
    release();
  }
}
