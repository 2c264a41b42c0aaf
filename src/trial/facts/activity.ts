import { z } from "zod";
import { jsonValue } from "../../base/text.js";
import { isWriting } from "../story/transcript.js";
import type { TrialFacts } from "../trial-records.js";

/** Parts of a trajectory by which classes are counted. */
export const TENTHS = 10;

const callSchema = z.object({ name: z.string(), arguments: z.string() });
const messageSchema = z.object({ role: z.literal("assistant"), toolCalls: z.array(callSchema).min(1) });
const finishSchema = z.object({ role: z.literal("finish"), success: z.boolean() });
type Call = z.infer<typeof callSchema>;

/**
 * Counts of what an agent did, over all attempts, from the notes of its trial; none where it called no tools, as a command of
 * one's own does not tell.
 * @param group of the task: the repository whose pages would hold a solution
 */
export function activityFacts(notes: readonly object[], group: string): TrialFacts {
  const turns = notes.flatMap((note) => {
    const calls = messageSchema.safeParse(note).data?.toolCalls;
    return calls === undefined ? [] : [calls];
  });
  if (turns.length === 0) return {};
  const calls = turns.flat();
  const actions = calls.flatMap(({ name, arguments: given }) => classesOf(name, commandIn(name, given)));
  const facts: Record<string, number> = {
    messages: turns.length,
    calls_a_message: calls.length / turns.length,
    one_call: shareOf(turns, (own) => own.length === 1),
    two_calls: shareOf(turns, (own) => own.length === 2),
    three_calls_or_more: shareOf(turns, (own) => own.length > 2),
    lookups: calls.filter((call) => isLookup(call, group)).length,
    ...finishFacts(notes, turns),
  };
  const add = (name: string) => {
    facts[name] = (facts[name] ?? 0) + 1;
  };
  const names = [...new Set(calls.map(({ name }) => name))].filter(({ length }) => length <= MOST_CHARACTERS);
  const known = new Set(names.slice(0, MOST_NAMES));
  for (const { name } of calls) add(`calls ${known.has(name) ? name : "of other names"}`);
  for (const [i, action] of actions.entries()) {
    add(`actions ${action}`);
    add(tenthName(action, Math.floor((i * TENTHS) / actions.length) + 1));
  }
  return facts;
}

/** A model may call what it likes: names that are counted, and characters of one. */
const [MOST_NAMES, MOST_CHARACTERS] = [100, 100];

/** Name of the count of a class in a tenth of the trajectory, from 1. */
export function tenthName(action: ActionClass, tenth: number): string {
  return `actions ${action} in tenth ${tenth}`;
}

function shareOf<T>(all: readonly T[], isSo: (each: T) => boolean): number {
  return all.filter(isSo).length / all.length;
}

/** Of a success that is reported: errors asked for after the last change, and a change in the message that ends the work. */
function finishFacts(notes: readonly object[], turns: readonly (readonly Call[])[]): Record<string, number> {
  if (!notes.some((note) => finishSchema.safeParse(note).data?.success === true)) return {};
  const names = turns.flat().map(({ name }) => name);
  const lastWrite = names.findLastIndex((name) => isWriting(name));
  const last = turns.at(-1) ?? [];
  return {
    errors_asked_for_at_the_end: Number(names.lastIndexOf("get_all_errors") > lastWrite),
    change_in_the_last_message: Number(last.some(({ name }) => isWriting(name))),
  };
}

function commandIn(name: string, given: string): string | null {
  if (name !== "run_command") return null;
  return z.looseObject({ command: z.string() }).safeParse(jsonValue(given)).data?.command ?? "";
}

/** Hosts that have a public repository's later code, and commands of git that fetch it. */
const HOSTS =
  /\b(?:raw\.githubusercontent|codeload\.github|api\.github)\.com\b|\bgit\s+(?:fetch|pull|clone|ls-remote)\b/;
const PAGES = ["github.com", "npmjs.com/package", "registry.npmjs.org", "pypi.org/project", "pkg.go.dev"];

/** Tests for calls that ask where a solution stands: hosts of code, pages of the task's own repository or package. */
export function isLookup({ name, arguments: given }: Call, group: string): boolean {
  if (name !== "run_command") return false;
  const lower = given.toLowerCase();
  const own = [group, group.split("/").at(-1) ?? ""].map((each) => each.toLowerCase()).filter((each) => each !== "");
  const isOwnPage = PAGES.some((page) => own.some((each) => lower.includes(`${page}/${each}`)));
  return HOSTS.test(lower) || isOwnPage;
}

/** Classes of what an agent does. */
export const ACTION_CLASSES = ["files", "search", "execution", "meta", "other"] as const;

/** Class of a call, or of a part of a shell's line. */
type ActionClass = (typeof ACTION_CLASSES)[number];

const words = (list: string) => list.split(" ");

/** First words of commands by their class; those of the published figures, and others by what they do. */
const COMMANDS: Readonly<Record<Exclude<ActionClass, "meta" | "other">, readonly string[]>> = {
  files: words("cat head tail less more mkdir touch rm cp mv sed nl tee ln chmod awk echo printf patch wc diff"),
  search: words("grep egrep rg ag find xargs ls cd pwd tree which fd"),
  execution: words(
    "pytest jest vitest mocha yarn npm npx pnpm python python3 node make cmake ctest cargo bash sh pip pip3 uv go java mvn gradle tox ruby php dotnet",
  ),
};

const BY_COMMAND: ReadonlyMap<string, ActionClass> = new Map(
  Object.entries(COMMANDS).flatMap(([name, list]) => list.map((word) => [word, name as ActionClass] as const)),
);

/** Classes of the house's tools; what is none of these is `other`. */
const TOOLS: Readonly<Record<string, ActionClass>> = {
  list_files: "search",
  search: "search",
  read_file: "files",
  write_file: "files",
  edit_file: "files",
  remove_file: "files",
  run_unit_test: "execution",
  get_all_errors: "execution",
  finish: "meta",
  finish_refactoring: "meta",
};

/** Classes of a call: one, but of a shell's line one for each command in it. */
export function classesOf(tool: string, command: string | null): ActionClass[] {
  if (command === null) return [Object.hasOwn(TOOLS, tool) ? (TOOLS[tool] ?? "other") : "other"];
  return commandsIn(command).map((each) => BY_COMMAND.get(firstWord(each)) ?? "other");
}

/** Parts of a line that are commands of their own: between `&&`, `||`, `;`, `|` and line ends, outside of quotes. */
export function commandsIn(line: string): string[] {
  const parts: string[] = [""];
  for (const [piece] of line.matchAll(/\\.|'[^']*'|"(?:\\.|[^"\\])*"|&&|\|\|?|[;\n]|[^\\'"&|;\n]+|[\s\S]/g)) {
    if (/^(?:&&|\|\|?|[;\n])$/.test(piece)) parts.push("");
    else parts.push((parts.pop() ?? "") + piece);
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "" && !part.startsWith("#"));
}

/** Name of the program, behind variables that are set and programs that start others. */
function firstWord(command: string): string {
  const rest = command.replace(/^\(+\s*/, "").replace(/^(?:(?:\w+=\S*|sudo|time|env|timeout\s+\S+)\s+)+/, "");
  return /^\S+/.exec(rest)?.[0].split("/").at(-1) ?? "";
}
