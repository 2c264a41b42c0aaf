import { flagOf, type Option } from "../console/option.js";
import { COMPLETION_FLAG, calledCommand, type ReadyCommand } from "./command-parser.js";

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
function optionAt({ options }: ReadyCommand, before: string): Option<unknown> | null {
  const entries = Object.entries(options);
  const named = entries.find(
    ([name, { alias, place }]) => place === undefined && (before === `--${flagOf(name)}` || before === `-${alias}`),
  );
  if (named !== undefined) return named[1].kind === "switch" ? placedOption(entries) : named[1];
  return placedOption(entries);
}

function placedOption(entries: readonly (readonly [string, Option<unknown>])[]): Option<unknown> | null {
  return entries.find(([, { place }]) => place !== undefined)?.[1] ?? null;
}
