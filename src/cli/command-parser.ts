import type { Argv } from "yargs";
import { type Command, loaded } from "../console/command.js";
import type { Console, ExitCode } from "../console/console.js";
import { flagOf, type GivenOptions, type Option, type OptionTable } from "../console/option.js";

/** A command whose options and commands are loaded, where its name stands among the arguments. */
export interface ReadyCommand extends Omit<Command, "options" | "commands"> {
  readonly options: OptionTable;
  readonly commands: readonly ReadyCommand[];
}

/** Loads what the commands need that stand among the arguments; the others are known by their line in the help alone. */
export async function readyCommands(commands: readonly Command[], args: readonly string[]): Promise<ReadyCommand[]> {
  const ready = commands.map(async (command): Promise<ReadyCommand> => {
    if (!args.includes(command.name)) return { ...command, options: placesOf(command), commands: [] };
    const [options, below] = await Promise.all([loaded(command.options ?? {}), loaded(command.commands ?? [])]);
    return { ...command, options, commands: await readyCommands(below, args) };
  });
  return Promise.all(ready);
}

/** Words by place stand in the line of the help; whoever has some has its options at hand. */
function placesOf({ options = {} }: Command): OptionTable {
  return typeof options === "function" ? {} : options;
}

/**
 * The call of a command, parsed. Thrown in place of a handler's return, after which the parser would lay out the whole help
 * of the command: longer work than that of many a command.
 */
class CommandCall extends Error {
  override readonly name = "CommandCall";
  readonly perform: () => Promise<ExitCode>;

  constructor(perform: () => Promise<ExitCode>) {
    super("A command was called.");
    this.perform = perform;
  }
}

/** Parses arguments. Returns what the command that they call does; `null` where the parser itself has answered. */
export async function parsedCall(parser: Argv, args: readonly string[]): Promise<(() => Promise<ExitCode>) | null> {
  try {
    await parser.parseAsync([...args]);
    return null;
  } catch (error) {
    if (error instanceof CommandCall) return error.perform;
    throw error;
  }
}

/** Makes the parser of commands. */
export class CommandParser {
  readonly #console: Console;
  readonly #nothingAsked = new Set<string>();

  constructor(console: Console) {
    this.#console = console;
  }

  /** Tests for the parser's message that a command was called which needs another behind it, and no more. */
  isNothingAsked(message: string): boolean {
    return this.#nothingAsked.has(message);
  }

  /** Has a parser refuse a call that names no command. */
  demand(parser: Argv, place: string): Argv {
    const message = `Expected a command${place}, found none.`;
    this.#nothingAsked.add(message);
    return parser.demandCommand(1, message);
  }

  /** @param above names of the commands above */
  add(parser: Argv, commands: readonly ReadyCommand[], above: readonly string[] = []): Argv {
    return commands.reduce((all, command) => this.#addOne(all, command, [...above, command.name].join(" ")), parser);
  }

  #addOne(parser: Argv, command: ReadyCommand, words: string): Argv {
    const { name, describe, options, run } = command;
    return parser.command(
      [name, ...placeWords(options)].join(" "),
      describe,
      (own: Argv) => this.#describe(own, command, words),
      (argv: GivenOptions) => {
        if (run !== undefined) throw new CommandCall(() => run(argv, this.#console));
      },
    );
  }

  #describe(parser: Argv, command: ReadyCommand, words: string): Argv {
    const { examples = [], commands, run, nothing } = command;
    const entries = Object.entries(command.options);
    const own = parser.usage(usageOf(command, words));
    for (const [name, { place, describe }] of entries) {
      if (place === undefined) continue;
      const { isMany: array, isRequired: demandOption } = place;
      own.positional(name, {
        type: "string",
        ...(array && { array }),
        ...(demandOption && { demandOption }),
        describe,
      });
    }
    own.options(Object.fromEntries(entries.filter(([, { place }]) => place === undefined).map(parserOption)));
    for (const [rest, does] of examples) own.example(`$0 ${words} ${rest}`.trimEnd(), does);
    if (run === undefined) {
      if (nothing === undefined) this.demand(own, ` after \`probe ${words}\``);
      else own.demandCommand(1, nothing);
    }
    return this.add(own, commands, words.split(" "));
  }
}

/** Such as `<file>` and `[more..]`. */
function placeWords(options: OptionTable): string[] {
  return Object.entries(options).flatMap(([name, { place }]) => {
    if (place === undefined) return [];
    const word = `${name}${place.isMany ? ".." : ""}`;
    return [place.isRequired ? `<${word}>` : `[${word}]`];
  });
}

function usageOf({ synopsis, about, describe, options, run }: ReadyCommand, words: string): string {
  const usual = run === undefined ? "<command>" : placeWords(options).join(" ");
  const lines = [synopsis ?? usual].flat().map((rest) => `$0 ${words} ${rest}`.trimEnd());
  const text = about ?? describe;
  return `${lines.join("\n")}${text === "" ? "" : `\n\n${text}`}`;
}

/** An option as the parser takes it. Its value is parsed by `parseOptions`: the parser's types say nothing of it. */
function parserOption([name, option]: readonly [string, Option<unknown>]) {
  const { kind, describe, alias, count, isDemanded } = option;
  const hasValue = kind !== "switch";
  const parsed = {
    type: hasValue ? "string" : "boolean",
    ...(kind === "list" && count === undefined && { array: true }),
    ...(count === undefined ? hasValue && { requiresArg: true } : { nargs: count }),
    ...(alias !== undefined && { alias }),
    ...(isDemanded === true && { demandOption: true }),
    describe,
  } as const;
  return [flagOf(name), parsed] as const;
}
