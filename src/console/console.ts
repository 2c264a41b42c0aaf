import { isSystemError } from "../base/errors.js";
import { visible } from "../base/text.js";
import type { TerminalOptions } from "../report/terminal.js";
import { TerminalText } from "../report/terminal-text.js";
import { EXIT } from "./exit-codes.js";

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
  return {
    out: door(process.stdout),
    err: door(process.stderr),
    terminal: { width: process.stdout.isTTY === true ? process.stdout.columns : null, hasColours: areColoursAsked() },
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

/** Makes what would tell the terminal something visible, unless the renderer put it there. */
export function door(stream: Pick<NodeJS.WriteStream, "write">): (text: string | TerminalText) => void {
  return (text) => void stream.write(text instanceof TerminalText ? text.text : visible(text));
}

/** As other programs are asked for them. */
function areColoursAsked(): boolean {
  const asked = process.env["FORCE_COLOR"];
  return asked !== undefined && asked !== "" && asked !== "0";
}
