import { distance } from "fastest-levenshtein";
import type { Argv } from "yargs";
import { type Command, loaded } from "../console/command.js";
import type { Console, ExitCode } from "../console/console.js";
import { flagOf, type GivenOptions, type Option, type OptionTable } from "../console/option.js";

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
    return { ...command, options, places: words, commands: await readyCommands(below, args) };
  });
  return Promise.all(ready);
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
    const { name, describe, places, run } = command;
    return parser.command(
      `${name} ${places}`.trimEnd(),
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

/** Nothing was asked for: the help says what can be. */
export class NothingAsked extends Error {
  override readonly name = "NothingAsked";
}

/** Message about arguments that the parser refuses, as whole sentences, with the words that were probably meant. */
export function usageText(message: string | null, parser: Argv, args: readonly string[]): string {
  const text = (message ?? "Bad usage").trim();
  const missing = /^Not enough non-option arguments: got (\d+), need at least (\d+)$/.exec(text);
  if (missing !== null) {
    const [, found, least] = missing;
    return `Expected at least ${least} argument${least === "1" ? "" : "s"} after the command, found ${found}.`;
  }
  const valueless = /^Not enough arguments following: (.+)$/.exec(text);
  if (valueless !== null) return `Expected a value after --${valueless[1]}, found none.`;
  const unknown = /^Unknown arguments?: (.+)$/.exec(text);
  if (unknown?.[1] !== undefined) return unknownText(unknown[1].split(", "), flagsOf(parser), args);
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

/** Each unknown name once: the parser lists `--no-such` as `noSuch` too. */
function unknownText(names: readonly string[], flags: readonly string[], args: readonly string[]): string {
  const repeated = new Set(names.filter((name) => name.includes("-")).map(camelCase));
  const once = names.filter((name) => !repeated.has(name));
  const words = once.filter((name) => args.includes(name));
  const shown = once.map((name) => (words.includes(name) ? name : asFlag(name)));
  const hints = once.flatMap((name) => (words.includes(name) ? wordHint(name, flags) : flagHint(name, flags)));
  return [`Unknown argument${once.length === 1 ? "" : "s"}: ${shown.join(", ")}.`, ...hints].join(" ");
}

function flagHint(name: string, flags: readonly string[]): string[] {
  const most = Math.max(1, Math.floor(name.length / 3));
  const near = flags
    .map((flag) => ({ flag, far: flag.startsWith(name) ? 0 : distance(flag, name) }))
    .filter(({ far }) => far <= most)
    .sort((a, b) => a.far - b.far)
    .slice(0, 3);
  return near.length === 0 ? [] : [`Did you mean ${near.map(({ flag }) => `--${flag}`).join(" or ")}?`];
}

/** A word that stands alone where a model is asked for is its name. */
function wordHint(word: string, flags: readonly string[]): string[] {
  return flags.includes("model") ? [`A model is named by --model: --model ${word}.`] : [];
}

function asFlag(name: string): string {
  return `${name.length === 1 ? "-" : "--"}${name}`;
}

function camelCase(name: string): string {
  return name.replace(/-+([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The names of the options of the command that failed, as they are typed; the parser's types do not tell of them. */
function flagsOf(parser: object): string[] {
  const options: unknown =
    "getOptions" in parser && typeof parser.getOptions === "function" ? parser.getOptions() : null;
  if (typeof options !== "object" || options === null || !("key" in options)) return [];
  return Object.keys(options.key ?? {}).filter((name) => name.length > 1 && !/[A-Z]/.test(name));
}
