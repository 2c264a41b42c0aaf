import { isSystemError } from "../base/errors.js";
import { visible } from "../base/text.js";
import type { TerminalOptions } from "../report/terminal.js";
import { TerminalText } from "../report/terminal-text.js";
import { EXIT } from "./exit-codes.js";
import { LiveRow } from "./live-row.js";
import { terminalOf } from "./terminal-of.js";

/**
 * Where a command writes: data to `out`, messages and progress to `err`. Both are doors: whatever a text holds, a terminal
 * is told nothing by it but characters. What may hold codes is `TerminalText`.
 */
export interface Console {
  /** Data. */
  readonly out: (text: string | TerminalText) => void;
  /** Messages, and progress. */
  readonly err: (text: string | TerminalText) => void;
  /** What `out` leads to; without it, something of any width and without colours. */
  readonly terminal?: TerminalOptions;
  /** Whether `err` is a terminal, so that progress may be drawn. */
  readonly isTerminal: boolean;
  /** The last row of the terminal that `err` is, for what changes while work goes on; what is written stays above it. */
  readonly row?: LiveRow;
  readonly workingDirectory: string;
  /** Calls back on each interrupt (Ctrl-C) until the returned function is called. */
  readonly onInterrupt: (listener: () => void) => () => void;
  /** The time of day. */
  readonly now: () => Date;
}

/** The process's own streams and signals. */
export function processConsole(): Console {
  // `probe … | head` closes the pipe: nobody reads on, and that is no fault.
  process.stdout.on("error", (error) => {
    if (isSystemError(error, "EPIPE")) process.exit(EXIT.done);
    throw error;
  });
  const row = process.stderr.isTTY === true ? new LiveRow(process.stderr) : undefined;
  return {
    out: door(process.stdout, process.stdout.isTTY === true ? row : undefined),
    err: door(process.stderr, row),
    terminal: terminalOf(process.stdout, process.env),
    isTerminal: process.stderr.isTTY === true,
    ...(row && { row }),
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

/**
 * Makes what would tell the terminal something visible, unless the renderer put it there.
 * @param row of the same terminal: stays below what is written
 */
export function door(stream: Pick<NodeJS.WriteStream, "write">, row?: LiveRow): (text: string | TerminalText) => void {
  return (text) => {
    const write = () => void stream.write(text instanceof TerminalText ? text.text : visible(text));
    if (row === undefined) write();
    else row.above(write);
  };
}
