import type { Argv } from "yargs";
import { type Command, type Example, loaded } from "../console/command.js";
import type { Console, ExitCode } from "../console/console.js";
import { flagOf, type GivenOptions, OPTION_GROUPS, type Option, type OptionTable } from "../console/option.js";

/** A command whose options and commands are loaded, where its name stands among the arguments. */
export interface ReadyCommand extends Omit<Command, "options" | "places" | "commands"> {
  readonly options: OptionTable;
  readonly places: string;
  readonly commands: readonly ReadyCommand[];
}

/** Loads what the commands need that stand among the arguments; the others are known by their line in the help alone. */
export async function readyCommands(commands: readonly Command[], args: readonly string[]): Promise<ReadyCommand[]> {
  const ready = commands.map(async (command): Promise<ReadyCommand> => {
    const { options: declared = {}, places = "" } = command;
    if (!args.includes(command.name)) {
      const words = typeof declared === "function" ? places : placeWords(declared);
      return { ...command, options: {}, places: words, commands: [] };
    }
    const [options, below] = await Promise.all([loaded(declared), loaded(command.commands ?? [])]);
    const words = placeWords(options);
    if (typeof declared === "function" && words !== places)
      throw new Error(`Expected the places of ${command.name} to be "${words}", found "${places}".`);
    const examples = examplesOf({ ...command, commands: below });
    return { ...command, options, places: words, examples, commands: await readyCommands(below, args) };
  });
  return Promise.all(ready);
}

/** The most examples of a command that has none but those of the commands below it. */
const MOST_EXAMPLES = 3;

/** Examples of a command; of a group the first of each of its commands. */
function examplesOf({ examples, commands = [] }: Command): readonly Example[] {
  if (examples !== undefined || typeof commands === "function") return examples ?? [];
  const first = commands.flatMap((own) =>
    examplesOf(own)
      .slice(0, 1)
      .map(([rest, does]): Example => [`${own.name} ${rest}`.trimEnd(), does]),
  );
  return first.slice(0, MOST_EXAMPLES);
}

/**
 * The arguments without `--`: what stands behind it is never an option. The parser would take it for no argument at all;
 * of a name that begins with a dash it is told by the folder before it.
 */
export function withoutDashes(args: readonly string[]): readonly string[] {
  const at = args.indexOf("--");
  if (at === -1) return args;
  return [...args.slice(0, at), ...args.slice(at + 1).map((word) => (/^-./.test(word) ? `./${word}` : word))];
}

/** The command that arguments call, as far as they name one. */
export interface CalledCommand {
  /** Such as `dataset build`; empty: the program itself. */
  readonly words: string;
  /** `null`: the program itself. */
  readonly command: ReadyCommand | null;
  /** Commands below it. */
  readonly below: readonly ReadyCommand[];
  /** The first word behind it that is no flag. */
  readonly next: string | null;
}

export function calledCommand(commands: readonly ReadyCommand[], args: readonly string[]): CalledCommand {
  let called: CalledCommand = { words: "", command: null, below: commands, next: null };
  for (const word of args) {
    if (word.startsWith("-")) continue;
    const command = called.below.find(({ name }) => name === word);
    if (command === undefined) return { ...called, next: word };
    called = { words: `${called.words} ${word}`.trim(), command, below: command.commands, next: null };
  }
  return called;
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
  readonly #isWhole: boolean;
  readonly #nothingAsked = new Set<string>();

  /** @param isWhole `true`: every option of a command with many is shown */
  constructor(console: Console, isWhole = false) {
    this.#console = console;
    this.#isWhole = isWhole;
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
    const { name, describe, places, run } = command;
    return parser.command(
      `${name} ${places}`.trimEnd(),
      describe,
      (own: Argv) => this.#describe(own, command, words),
      (argv: GivenOptions) => {
        if (run !== undefined)
          throw new CommandCall(async () => run(await withNamedRuns(command.options, argv), this.#console));
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
    const flags = entries.filter(([, { place }]) => place === undefined);
    const isShort = !this.#isWhole && flags.length > MOST_OPTIONS;
    // The parser has groups in the order in which it first hears of them.
    own.group(["help"], "Options:");
    for (const heading of Object.values(OPTION_GROUPS)) own.group([], heading);
    own.options(Object.fromEntries(flags.map((entry) => parserOption(entry, isShort))));
    if (isShort) own.epilogue(`${flags.length} options in all: probe ${words} --help-all`);
    for (const [rest, does] of examples) own.example(`$0 ${words} ${rest}`.trimEnd(), does);
    if (run === undefined) {
      if (nothing === undefined) this.demand(own, ` after \`probe ${words}\``);
      else own.demandCommand(1, nothing);
    }
    return this.add(own, commands, words.split(" "));
  }
}

/** Such as `<file>` and `[more..]`. */
function placeWords(options: OptionTable): string {
  const words = Object.entries(options).flatMap(([name, { place }]) => {
    if (place === undefined) return [];
    const word = `${name}${place.isMany ? ".." : ""}`;
    return [place.isRequired ? `<${word}>` : `[${word}]`];
  });
  return words.join(" ");
}

function usageOf({ synopsis, about, describe, places, run }: ReadyCommand, words: string): string {
  const usual = run === undefined ? "<command>" : places;
  const lines = [synopsis ?? usual].flat().map((rest) => `$0 ${words} ${rest}`.trimEnd());
  // A paragraph is one line: the parser breaks it where the terminal ends.
  const text = (about ?? describe).replace(/(?<!\n)\n(?![\n ])/g, " ");
  return `${lines.join("\n")}${text === "" ? "" : `\n\n${text}`}`;
}

/** A help with more options than this shows the common ones alone, unless all are asked for. */
const MOST_OPTIONS = 20;

/** An option as the parser takes it. Its value is parsed by `parseOptions`: the parser's types say nothing of it. */
function parserOption([name, option]: readonly [string, Option<unknown>], isShort: boolean) {
  const { kind, describe, alias, count, isDemanded, group } = option;
  const hasValue = kind !== "switch";
  const parsed = {
    type: hasValue ? "string" : "boolean",
    ...(kind === "list" && count === undefined && { array: true }),
    ...(count === undefined ? hasValue && { requiresArg: true } : { nargs: count }),
    ...(alias !== undefined && { alias }),
    ...(isDemanded === true && { demandOption: true }),
    ...(group !== undefined && { group: OPTION_GROUPS[group], hidden: isShort }),
    describe,
  } as const;
  return [flagOf(name), parsed] as const;
}

/** Nothing was asked for: the help says what can be. */
export class NothingAsked extends Error {
  override readonly name = "NothingAsked";
}

/** Arguments that the parser refuses: its message. */
export class UsageFault extends Error {
  override readonly name = "UsageFault";
}

/** Flags of every command. */
export const COMMON_FLAGS = ["help", "help-all", "version", "wide", "no-color"];

/** Flag by which the completion script asks. */
export const COMPLETION_FLAG = "--get-yargs-completions";

/** Options with the folders of the runs that they name, in place of the names. */
async function withNamedRuns(table: OptionTable, given: GivenOptions): Promise<GivenOptions> {
  const names = Object.keys(table).filter((name) => table[name]?.isRun === true && given[name] !== undefined);
  if (names.length === 0) return given;
  const { folderOfRun } = await import("../run/folder/list-runs.js");
  const folders: Record<string, unknown> = {};
  for (const name of names) {
    const value = given[name];
    const found = Array.isArray(value)
      ? await Promise.all(value.map((each) => folderOfRun(String(each))))
      : await folderOfRun(String(value));
    // The parser has an option by either spelling.
    folders[name] = found;
    folders[flagOf(name)] = found;
  }
  return { ...given, ...folders };
}
