import { isSystemError, type ProbeErrorCode } from "../base/errors.js";
import { TerminalText, visible, visibleLine } from "../base/text.js";
import type { TerminalOptions } from "../report/terminal.js";

/** Exit codes of the process (spec §5). */
export const EXIT = {
  done: 0,
  unexpected: 1,
  badInput: 2,
  modelUnavailable: 3,
  failedAnswers: 4,
  /** `--fail-under`, `--require`: a score, a verdict or a difference is not what was asked for. */
  belowThreshold: 5,
  interrupted: 130,
} as const;

/** An exit code of the process. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const BY_ERROR: Readonly<Record<ProbeErrorCode, ExitCode>> = {
  bad_input: EXIT.badInput,
  model_unavailable: EXIT.modelUnavailable,
};

export function exitCodeOf(code: ProbeErrorCode): ExitCode {
  return BY_ERROR[code];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Display that the command line asks for, whatever the terminal can do. */
export interface View {
  /** `--wide` */
  readonly isWide: boolean;
  /** `--no-color` */
  readonly isPlain: boolean;
}

/**
 * Capabilities of a stream. A terminal has its width; output to a program or a file has every column, for nothing may
 * be missing there, unless `COLUMNS` gives a width. Colours: on a terminal; not with `NO_COLOR` (no-color.org),
 * everywhere with `FORCE_COLOR`.
 */
export function terminalOf(
  stream: { readonly isTTY?: boolean; readonly columns?: number },
  environment: Environment,
): TerminalOptions {
  const isTerminal = stream.isTTY === true;
  return {
    width: (isTerminal ? stream.columns : 0) || givenWidth(environment) || (isTerminal ? USUAL_WIDTH : null),
    hasColours: hasColours(isTerminal, environment),
  };
}

function givenWidth({ COLUMNS: columns }: Environment): number | null {
  return columns !== undefined && /^[1-9]\d{0,4}$/.test(columns) ? Number(columns) : null;
}

function hasColours(isTerminal: boolean, environment: Environment): boolean {
  if (isSet(environment["NO_COLOR"])) return false;
  const forced = environment["FORCE_COLOR"];
  if (isSet(forced)) return forced !== "0" && forced !== "false";
  return isTerminal && environment["TERM"] !== "dumb";
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}

/** Capabilities of a terminal, less those that the command line declines. */
export function viewed(terminal: TerminalOptions | undefined, { isWide, isPlain }: View): TerminalOptions {
  const { width = null, hasColours = false } = terminal ?? {};
  return { width: isWide ? null : width, hasColours: hasColours && !isPlain };
}

/**
 * Where a command writes: data to `out`, messages and progress to `err`. Both are doors: whatever a text holds, a terminal
 * is told nothing by it but characters. What may hold codes is `TerminalText`.
 */
export interface Console {
  /** Data. */
  readonly out: (text: string | TerminalText) => void;
  /** Messages, and progress. */
  readonly err: (text: string | TerminalText) => void;
  /** Terminal behind `out`; absent: any width, no colours. */
  readonly terminal?: TerminalOptions;
  /** True if `err` is a terminal, so that progress may be drawn. */
  readonly isTerminal: boolean;
  /** The last row of the terminal that `err` is, for what changes while work goes on; what is written stays above it. */
  readonly row?: LiveRow;
  readonly workingDirectory: string;
  /** Asks the person at the terminal for a line; `null`: the person left. Absent: nobody sits there. */
  readonly ask?: (question: string) => Promise<string | null>;
  /** Calls back on each interrupt (Ctrl-C) until the returned function is called. */
  readonly onInterrupt: (listener: () => void) => () => void;
  /** The time of day. */
  readonly now: () => Date;
}

/** The process's own streams and signals. */
export function processConsole(): Console {
  let isLost = false;
  for (const [name, stream] of [["output", process.stdout] as const, ["error", process.stderr] as const])
    stream.on("error", (error) => {
      // `probe … 2>&1 | head` closes the pipe: nobody reads on, and that is no fault.
      if (isLost || isSystemError(error, "EPIPE")) return;
      isLost = true;
      process.stderr.write(`probe: Expected to write standard ${name}, found: ${error.message}\n`);
    });
  // The command goes on to its own exit code, which a gate needs; what was lost is a fault of a command that has none.
  process.once("exit", (code) => {
    if (isLost && code === EXIT.done) process.exitCode = EXIT.badInput;
  });
  const row = process.stderr.isTTY === true ? new LiveRow(process.stderr) : undefined;
  return {
    out: door(process.stdout, process.stdout.isTTY === true ? row : undefined),
    err: door(process.stderr, row),
    terminal: terminalOf(process.stdout, process.env),
    isTerminal: process.stderr.isTTY === true,
    ...(row && { row }),
    ...(row && process.stdin.isTTY === true && { ask: askLine }),
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

/** A line of the person at the terminal; Ctrl-C and Ctrl-D leave. */
async function askLine(question: string): Promise<string | null> {
  const { createInterface } = await import("node:readline");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return await new Promise((resolve) => {
    const leave = () => {
      process.stderr.write("\n");
      resolve(null);
    };
    lines.once("close", leave);
    lines.question(visible(question), (answer) => {
      lines.off("close", leave).close();
      resolve(answer);
    });
  });
}

/**
 * Makes what would tell the terminal something visible, unless the renderer put it there.
 * @param row of the same terminal: stays below what is written
 */
export function door(stream: Pick<RowStream, "write">, row?: LiveRow): (text: string | TerminalText) => void {
  return (text) => {
    const write = () => void stream.write(text instanceof TerminalText ? text.text : visible(text));
    if (row === undefined) write();
    else row.above(write);
  };
}

/** Stream that a row is drawn on: a terminal. */
interface RowStream {
  /** Takes text as it is, controls included. */
  readonly write: (text: string) => unknown;
  /** Characters a line. */
  readonly columns?: number;
}

/** Room behind the row for what a terminal echoes there, such as `^C`: it must not begin a line of its own. */
const ECHO = 6;

const USUAL_WIDTH = 80;

/**
 * The last row of a terminal, which changes while work goes on. What else is written there goes through `above`: the row is
 * taken away for it and put back below, so that neither spoils the other.
 */
export class LiveRow {
  readonly #stream: RowStream;
  #text: string | null = null;
  /** Characters of it that stand there. */
  #length = 0;

  constructor(stream: RowStream) {
    this.#stream = stream;
  }

  /** Characters that are seen of it. */
  get width(): number {
    return Math.max(0, this.#columns - ECHO);
  }

  get #columns(): number {
    return this.#stream.columns || USUAL_WIDTH;
  }

  /** Draws it, or draws it anew. */
  show(text: string): void {
    const taken = this.#taken();
    this.#text = text;
    this.#stream.write(`${taken}${this.#drawn()}`);
  }

  /** Takes it away for good. */
  end(): void {
    if (this.#text === null) return;
    this.#stream.write(this.#taken());
    this.#text = null;
  }

  /** Writes whole lines where the row stands, and puts it below them. */
  above(write: () => void): void {
    if (this.#text !== null) this.#stream.write(this.#taken());
    write();
    if (this.#text !== null) this.#stream.write(this.#drawn());
  }

  /** Control sequence and text that draw it. */
  #drawn(): string {
    const text = visibleLine(this.#text ?? "").slice(0, this.width);
    this.#length = text.length;
    return text;
  }

  /** Control sequence that takes it away: a terminal made narrower since has broken it into several rows. */
  #taken(): string {
    const above = Math.ceil(this.#length / this.#columns) - 1;
    this.#length = 0;
    return `\r${above > 0 ? `\u001b[${above}A` : ""}\u001b[J`;
  }
}

/** Version of the documents of `--json`: it rises when a field changes its name or its meaning, or goes. */
export const JSON_VERSION = 1;

/** Fields whose own fields are named by users and servers, and stay as they are. */
const FOREIGN = new Set(["settings", "server", "run"]);

/** A document of `--json`: its version first, every field in snake_case. */
export function jsonText(document: object): string {
  return `${JSON.stringify({ schema_version: JSON_VERSION, ...snakeFields(document) }, null, 2)}\n`;
}

function snakeFields(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [snakeCase(name), FOREIGN.has(name) ? value : snakeValue(value)]),
  );
}

function snakeValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeValue);
  return typeof value === "object" && value !== null && !(value instanceof Date) ? snakeFields(value) : value;
}

/** Such as `letter_mass` of `letterMass`; a name that is no word of a program, such as a path, stays as it is. */
function snakeCase(name: string): string {
  return /^[a-z][a-z0-9]*([A-Z][a-z0-9]+)+$/.test(name)
    ? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    : name;
}
