import type { TerminalOptions } from "../report/terminal.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** What is asked for on the command line, whatever the terminal can. */
export interface View {
  /** `--wide` */
  readonly isWide: boolean;
  /** `--no-color` */
  readonly isPlain: boolean;
}

/**
 * What a stream can show. A terminal has its width; what is read by a program or goes into a file has every column, for
 * nothing may be missing there, unless `COLUMNS` says how wide it is. Colours: on a terminal; not with `NO_COLOR`
 * (no-color.org), everywhere with `FORCE_COLOR`.
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

const USUAL_WIDTH = 80;

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

/** What is shown, as it was asked for. */
export function viewed(terminal: TerminalOptions, { isWide, isPlain }: View): TerminalOptions {
  return { width: isWide ? null : terminal.width, hasColours: terminal.hasColours && !isPlain };
}
