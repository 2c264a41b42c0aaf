import { nearHint, nearNames } from "../base/near-names.js";
import { shorten } from "../base/text.js";
import { type Command, loaded } from "../console/command.js";
import { flagOf, type Option } from "../console/option.js";
import {
  type CalledCommand,
  COMMON_FLAGS,
  COMPLETION_FLAG,
  calledCommand,
  type ReadyCommand,
} from "./command-parser.js";

interface Refused {
  readonly args: readonly string[];
  /** All commands of the program. */
  readonly commands: readonly Command[];
  readonly ready: readonly ReadyCommand[];
  readonly workingDirectory: string;
}

/** Message about arguments that the parser refuses, on one line, with what was probably meant. */
export async function usageText(message: string, refused: Refused): Promise<string> {
  const text = await faultText(message, refused);
  return /[.?]$/.test(text) ? `${text} See --help.` : text;
}

/** The same without the help: whole sentences, or at the end a line that works. */
async function faultText(message: string, refused: Refused): Promise<string> {
  const text = (message === "" ? "Bad usage" : message).trim();
  const called = calledCommand(refused.ready, refused.args);
  const missing = /^Not enough non-option arguments: got (\d+), need at least (\d+)$/.exec(text);
  if (missing !== null) {
    const [, found, least] = missing;
    const expected = `Expected at least ${least} argument${least === "1" ? "" : "s"} after the command, found ${found}`;
    return `${expected}. Such as: ${lineOf(called)}`;
  }
  const valueless = /^Not enough arguments following: (.+)$/.exec(text)?.[1];
  if (valueless !== undefined) return valuelessText(valueless, called);
  const demanded = /^Missing required arguments?: (.+)$/.exec(text)?.[1];
  if (demanded !== undefined) {
    const flags = demanded.split(", ").map(asFlag);
    return `Expected ${flags.join(" and ")}, found none. Such as: ${lineOf(called)}`;
  }
  const unknown = /^Unknown (?:arguments?|commands?): (.+)$/.exec(text)?.[1];
  if (unknown !== undefined) return unknownText(unknown.split(", "), called, refused);
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

/** A line that works: the first example of the command, else its words by place. */
function lineOf({ words, command }: CalledCommand): string {
  const rest = command?.examples?.[0]?.[0] ?? command?.places ?? "";
  return `probe ${words} ${rest}`.trimEnd();
}

function valuelessText(flag: string, { command }: CalledCommand): string {
  const [, option] =
    Object.entries(command?.options ?? {}).find(
      ([name, { alias }]) => flagOf(name) === flagOf(flag) || alias === flag,
    ) ?? [];
  const help = option === undefined ? "" : `: ${option.describe}`;
  if (option?.count !== undefined) return `Expected ${option.count} values after ${asFlag(flag)}, found fewer${help}.`;
  return `Expected a value after ${asFlag(flag)}, found none${help}.`;
}

/** Each unknown name once: the parser lists `--no-such` as `noSuch` too. */
async function unknownText(names: readonly string[], called: CalledCommand, refused: Refused): Promise<string> {
  const repeated = new Set(names.map(camelCase).filter((name, i) => name !== names[i]));
  const dashed = oneDash(called, refused.args);
  if (dashed !== null) return dashed;
  const once = names.filter((name) => !repeated.has(name));
  const isWord = (name: string) => refused.args.includes(name);
  const shown = once.map((name) => shorten(isWord(name) ? name : asFlag(name), 120));
  const hints = await Promise.all(
    once.map((name) => (isWord(name) ? wordHint(name, called, refused) : flagHint(name, called))),
  );
  return `Unknown argument${once.length === 1 ? "" : "s"}: ${shown.join(", ")}.${[...new Set(hints)].join("")}`;
}

/** Text about a long flag with one dash, or with a dash that an editor made; `null`: there is none. */
function oneDash({ command }: CalledCommand, args: readonly string[]): string | null {
  const flags = [...flagsOf(command), ...COMMON_FLAGS];
  for (const arg of args) {
    const [, dashes, name = ""] = /^(-|[\u2010-\u2015\u2212]+)([a-z][a-z-]+)/.exec(arg) ?? [];
    if (dashes === undefined) continue;
    const near = nearHint(name, flags, asFlag);
    if (near !== "" || dashes !== "-") return `Unknown argument: ${shorten(`${dashes}${name}`, 120)}.${near}`;
  }
  return null;
}

function flagHint(name: string, { command }: CalledCommand): string {
  const own = flagsOf(command);
  if (flagOf(name).startsWith("batch") && !own.includes("batch"))
    return " Only probe run asks in batches: agents and judges need each reply before they go on.";
  return nearHint(name, [...own, ...COMMON_FLAGS], asFlag);
}

function flagsOf(command: ReadyCommand | null): string[] {
  const options = Object.entries(command?.options ?? {});
  return options.filter(([, { place }]) => place === undefined).map(([name]) => flagOf(name));
}

/** Hint about a word that stands where none is expected: a command, a further value of a list, the value of an option. */
async function wordHint(word: string, called: CalledCommand, refused: Refused): Promise<string> {
  const { command, below, next } = called;
  if (below.length > 0 && word === next) {
    const hint = await commandHint(word, called, refused.commands);
    if (hint !== "") return hint;
  }
  if (word === "help" && next === word) return ` Did you mean probe ${[...asked(refused.args), "--help"].join(" ")}?`;
  if (command === null) return COMMON_FLAGS.includes(word) ? ` Did you mean --${word}?` : "";
  return listHint(word, command, refused.args) ?? (await valueHint(word, command, refused));
}

/** Words of a command behind `help`. */
function asked(args: readonly string[]): string[] {
  return args.filter((arg) => /^[a-z][a-z-]*$/.test(arg) && arg !== "help");
}

async function commandHint(word: string, { words, below }: CalledCommand, all: readonly Command[]): Promise<string> {
  const here = below.map((command) => ({ path: `${words} ${command.name}`.trim(), command }));
  const near = nearPaths(word, here);
  const [only] = here;
  // The command alone lists what it has.
  if (near.length === 0 && LISTS.includes(word) && only !== undefined && words !== "")
    return ` Did you mean probe ${words}?`;
  if (near.length === 0 && here.length === 1 && only?.command.places.startsWith("<") === true)
    return ` Did you mean probe ${only.path} ${word}?`;
  const meant = near.length > 0 ? near : nearPaths(word, await pathsBelow(all));
  return meant.length === 0 ? "" : ` Did you mean ${meant.map((path) => `probe ${path}`).join(" or ")}?`;
}

const LISTS = ["list", "ls", "all"];

interface CommandPath {
  readonly path: string;
  readonly command: Pick<Command, "name" | "also">;
}

/** Paths of the commands that a word is near, by their names and by what they are also called. */
function nearPaths(word: string, paths: readonly CommandPath[]): string[] {
  const also = paths.flatMap(({ path, command }) => (command.also ?? []).map((name) => [name, path] as const));
  // A name of its own comes before one that it is also called by, and of two alike the first.
  const byName = new Map([...also, ...paths.map(({ path, command }) => [command.name, path] as const).reverse()]);
  return [...new Set(nearNames(word, [...byName.keys()]).flatMap((name) => byName.get(name) ?? []))];
}

async function pathsBelow(commands: readonly Command[], above = ""): Promise<CommandPath[]> {
  const all = commands.map(async ({ name, commands: below = [] }) => {
    const path = `${above} ${name}`.trim();
    const inner = await loaded(below);
    const own = inner.map((command) => ({ path: `${path} ${command.name}`, command }));
    return [...own, ...(await pathsBelow(inner, path))];
  });
  return (await Promise.all(all)).flat();
}

/** Hint about a further value behind a list, such as `SI` in `--task CL SI`. */
function listHint(word: string, command: ReadyCommand, args: readonly string[]): string | null {
  const end = args.indexOf(word);
  const start = args.slice(0, end).findLastIndex((arg) => arg.startsWith("-"));
  const option = optionOf(command, args[start] ?? "");
  if (option === null || option.value.kind !== "list" || end - start < 2) return null;
  const values = args.slice(start + 1, end + 1);
  const meant =
    option.value.isJoined === true
      ? `${option.flag} ${values.join(",")}`
      : values.map((value) => `${option.flag} ${value}`).join(" ");
  return ` Several values stand in one word with commas, or behind a flag each: ${meant}`;
}

/** The option that a word on the command line names; `null`: none. */
function optionOf({ options }: ReadyCommand, word: string): NamedOption | null {
  const found = Object.entries(options).find(
    ([name, { alias, place }]) => place === undefined && (word === `--${flagOf(name)}` || word === `-${alias}`),
  );
  return found === undefined ? null : { flag: `--${flagOf(found[0])}`, value: found[1] };
}

interface NamedOption {
  readonly flag: string;
  readonly value: Option<unknown>;
}

/** Hint about the option whose value a word is; a word of no option is the name of a model where none is named. */
async function valueHint(word: string, command: ReadyCommand, { args, workingDirectory }: Refused): Promise<string> {
  for (const [name, { place, values }] of Object.entries(command.options)) {
    const known = place === undefined ? await values?.(workingDirectory) : undefined;
    const flag = `--${flagOf(name)}`;
    if (args.includes(flag)) continue;
    const value = known?.find((each) => each.toLowerCase() === word.toLowerCase());
    if (value !== undefined) return ` Did you mean ${flag} ${value}?`;
  }
  if ("dataset" in command.options && !args.some((arg) => /^--dataset(=|$)/.test(arg)) && /\.(jsonl|csv)$/i.test(word))
    return ` Did you mean --dataset ${word}?`;
  const isModelFree = !args.some((arg) => arg === "-m" || /^--model(=|$)/.test(arg));
  return "model" in command.options && isModelFree ? ` A model is named by --model: --model ${word}.` : "";
}

function asFlag(name: string): string {
  return `${name.length === 1 ? "-" : "--"}${name}`;
}

function camelCase(name: string): string {
  return name.replace(/-+([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Values that can stand where the cursor is; `null`: names of commands and options can, or files.
 * @param args with the program's own name, as the completion script hands them over
 * @param current the word that is being typed
 */
export async function offeredWords(
  commands: readonly ReadyCommand[],
  args: readonly string[],
  current: string,
  workingDirectory: string,
): Promise<readonly string[] | null> {
  const words = args.slice(args.indexOf(COMPLETION_FLAG) + 1).slice(1);
  const { command } = calledCommand(commands, words);
  if (command === null || current.startsWith("-")) return null;
  const option = optionAt(command, words.at(-1) === current ? (words.at(-2) ?? "") : (words.at(-1) ?? ""));
  const values = option === null ? null : await valuesOf(option, workingDirectory);
  if (values === null || option === null) return null;
  const before = option.isJoined === true ? current.slice(0, current.lastIndexOf(",") + 1) : "";
  const typed = current.slice(before.length).toLowerCase();
  return values.filter((value) => value.toLowerCase().startsWith(typed)).map((value) => `${before}${value}`);
}

async function valuesOf(option: Option<unknown>, workingDirectory: string): Promise<readonly string[] | null> {
  if (option.isRun === true) return (await import("../run/folder/list-runs.js")).runNames();
  return (await option.values?.(workingDirectory)) ?? null;
}

/** The option that a word before the cursor names, or else the one that stands there by its place. */
function optionAt(command: ReadyCommand, before: string): Option<unknown> | null {
  const named = optionOf(command, before)?.value;
  if (named !== undefined && named.kind !== "switch") return named;
  return Object.values(command.options).find(({ place }) => place !== undefined) ?? null;
}
