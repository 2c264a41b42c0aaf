import { isSystemError } from "../base/errors.js";
import { EXIT } from "./exit-codes.js";

/** Where a command writes: data to `out`, messages and progress to `err`. */
export interface Console {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether `err` is a terminal, so that progress may be drawn. */
  readonly isTerminal: boolean;
  readonly workingDirectory: string;
  /** Calls back on each interrupt (Ctrl-C) until the returned function is called. */
  readonly onInterrupt: (listener: () => void) => () => void;
  readonly now: () => Date;
}

/** The process's own streams and signals. */
export function processConsole(): Console {
  // `probe … | head` closes the pipe: nobody reads on, and that is no fault.
  process.stdout.on("error", (error) => {
    if (isSystemError(error, "EPIPE")) process.exit(EXIT.done);
    throw error;
  });
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    isTerminal: process.stderr.isTTY === true,
    workingDirectory: process.cwd(),
    onInterrupt(listener) {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, listener);
      return () => {
        for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, listener);
      };
    },
    now: () => new Date(),
  };
}
