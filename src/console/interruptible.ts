import { setMaxListeners } from "node:events";
import type { Console } from "./console.js";
import { EXIT } from "./exit-codes.js";

/** What an interrupt touches of a progress display. */
interface Interruptible {
  readonly message: (message: string) => void;
  readonly stop: () => void;
}

/** That an interrupt ended work before it could record how far it came: while its model was opened. */
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
