import type { Console, ExitCode } from "./console.js";
import { type GivenOptions, type OptionTable, type OptionValues, parseOptions } from "./option.js";

/** A line of the examples in a command's help: what stands behind the command, and what that does. */
export type Example = readonly [words: string, does: string];

/** A value, or what loads it once a command needs it. */
export type Lazy<T extends object> = T | (() => Promise<T>);

/** The value, loaded where it is not there yet. */
export async function loaded<T extends object>(lazy: Lazy<T>): Promise<T> {
  return typeof lazy === "function" ? await lazy() : lazy;
}

/** A command as data: its help, what it takes, and what it does. One function makes the parser of it. */
export interface Command {
  /** The word that calls it. */
  readonly name: string;
  /** Other words by which people look for it: for hints alone. */
  readonly also?: readonly string[];
  /** A line in the help of the command above it. */
  readonly describe: string;
  /** Words behind its name in the first line of its help, or lines; its words by place unless told otherwise. */
  readonly synopsis?: string | readonly string[];
  /** Text of its help below that. */
  readonly about?: string;
  /** Options, and words by place, in the order of the help. */
  readonly options?: Lazy<OptionTable>;
  /** Words by place of options that are loaded later, as the help above it shows them: `<runs..>`. */
  readonly places?: string;
  readonly examples?: readonly Example[];
  /** Commands below it, of which one must be called where it does nothing by itself. */
  readonly commands?: Lazy<readonly Command[]>;
  /** Refusal where none of them is called. */
  readonly nothing?: string;
  /** Does it, with the options as the parser hands them over. */
  run?(given: GivenOptions, console: Console): Promise<ExitCode>;
}

/** A command that is done with the values of its options. */
interface TypedCommand<Name extends string, Table extends OptionTable> extends Omit<Command, "run" | "options"> {
  readonly name: Name;
  readonly options: Lazy<Table>;
  /** Does the command, with the values of its options; resolves to the exit code. */
  run(values: OptionValues<Table>, console: Console): Promise<ExitCode>;
}

/** A command whose options are parsed before it is done. */
export function command<const Name extends string, Table extends OptionTable>(
  declared: TypedCommand<Name, Table>,
): Command & { readonly name: Name } {
  const { options, run } = declared;
  return { ...declared, run: async (given, console) => run(parseOptions(await loaded(options), given), console) };
}
