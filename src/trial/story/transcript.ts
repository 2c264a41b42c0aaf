import { z } from "zod";
import { counted, jsonValue, shorten } from "../../base/text.js";

/** Kind of a step: what an agent looked at, changed, had run, said, or else did; `command`: all of one that is a command. */
type StepKind = "read" | "wrote" | "removed" | "ran" | "said" | "called" | "command" | "ended";

/** A step of a trial. */
export interface Step {
  /** From 0. */
  readonly attempt: number;
  /** Phase before the work, such as `plan`; `null`: the work. */
  readonly phase: string | null;
  /** Since the trial began; `null`: it was not noted. */
  readonly atMs: number | null;
  readonly kind: StepKind;
  /** Path, line of a shell, or words. */
  readonly what: string;
  /** Outcome in a line; empty: none. */
  readonly result: string;
  /** True if it went wrong, as far as the outcome says. */
  readonly isFault: boolean;
  /** Tokens of the model's turn that it began with; `null`: not noted, or it is not the first of its turn. */
  readonly tokens: { readonly prompt: number | null; readonly completion: number | null } | null;
}

const text = z.string().nullish();
const tokens = z.number().nullish();
/** An entry of `transcript.jsonl`, as far as a step is made of it; an agent's words are in it, so nothing is sure. */
const entrySchema = z.looseObject({
  role: z.string().catch("note"),
  attempt: z.int().nonnegative().catch(0),
  phase: text.catch(null),
  at_ms: z.number().nonnegative().nullish().catch(null),
  content: text.catch(null),
  toolCalls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })).catch([]),
  callId: text.catch(null),
  promptTokens: tokens.catch(null),
  completionTokens: tokens.catch(null),
  summary: text.catch(null),
  success: z.boolean().nullish().catch(null),
  detail: text.catch(null),
  end: text.catch(null),
  code: z.number().nullish().catch(null),
  output: text.catch(null),
  tool: text.catch(null),
  arguments: text.catch(null),
  ago_ms: z.number().nonnegative().nullish().catch(null),
});
type Entry = z.infer<typeof entrySchema>;

/** Kinds of the house's tools, by their names. */
export const TOOL_KINDS: Readonly<Record<string, StepKind>> = {
  list_files: "read",
  read_file: "read",
  search: "read",
  write_file: "wrote",
  edit_file: "wrote",
  remove_file: "removed",
  run_command: "ran",
  run_unit_test: "ran",
  get_all_errors: "ran",
};

/** Tests for tools that change files. */
export function isWriting(name: string): boolean {
  return TOOL_KINDS[name] === "wrote" || TOOL_KINDS[name] === "removed";
}

/** Kind of a call; one whose arguments nobody can read did nothing. */
function kindOf(name: string, given: string): StepKind {
  const isRead = given.trim() === "" || jsonValue(given) !== null;
  return (isRead ? TOOL_KINDS[name] : undefined) ?? "called";
}

/** Steps of a trial, from the lines of its transcript; a line that cannot be read is none. */
export function stepsOf(transcript: string): Step[] {
  const entries = transcript
    .split("\n")
    .flatMap((line) => (line.trim() === "" ? [] : (entrySchema.safeParse(jsonValue(line)).data ?? [])));
  return entries.flatMap((entry, i) => stepsOfEntry(entry, repliesBehind(entries, i)));
}

/** Replies of tools to a message, by the ids of its calls: those that stand right behind it, as ids may come again. */
function repliesBehind(entries: readonly Entry[], message: number): ReadonlyMap<string, Entry> {
  const rest = entries.slice(message + 1);
  const end = rest.findIndex(({ role }) => role !== "tool");
  const own = end === -1 ? rest : rest.slice(0, end);
  return new Map(own.map((entry) => [entry.callId ?? "", entry]));
}

function stepsOfEntry(entry: Entry, replies: ReadonlyMap<string, Entry>): Step[] {
  const step = (kind: StepKind, what: string, result = "", isFault = false, atMs = entry.at_ms ?? null): Step => ({
    attempt: entry.attempt,
    phase: entry.phase ?? null,
    atMs,
    kind,
    what,
    result,
    isFault,
    tokens: null,
  });
  switch (entry.role) {
    case "assistant": {
      // A call without a reply is the end, which has an entry of its own, or was not made.
      const calls = entry.toolCalls.flatMap(({ id, name, arguments: given }) => {
        const reply = replies.get(id);
        if (reply === undefined) return [];
        const { result, isFault } = outcomeOf(name, reply.content ?? "");
        return [step(kindOf(name, given), argumentText(name, given), result, isFault, reply.at_ms ?? undefined)];
      });
      const said = (entry.content ?? "").trim() === "" ? [] : [step("said", entry.content ?? "")];
      const [first, ...rest] = [...said, ...calls];
      if (first === undefined) return [];
      const { promptTokens: prompt = null, completionTokens: completion = null } = entry;
      const isTold = prompt !== null || completion !== null;
      return [{ ...first, tokens: isTold ? { prompt, completion } : null }, ...rest];
    }
    case "told":
      return [{ ...step("called", ""), ...toldCall(entry) }];
    case "finish":
      return [step("ended", entry.summary ?? "", entry.success === false ? "says: not done" : "says: done")];
    case "command":
      return [step("command", "the agent's command", commandEnd(entry), entry.code !== 0)];
    case "failure":
      return [step("ended", entry.detail ?? "", "no reply of the model", true)];
    case "judge":
      return [step("called", "a judge was asked")];
    default:
      return [];
  }
}

/** A call by the word of an agent that is a command. */
function toldCall(entry: Entry): Pick<Step, "kind" | "what" | "result" | "isFault" | "atMs"> {
  const { tool, arguments: given, content, at_ms: noted, ago_ms: ago } = entry;
  const name = tool ?? "";
  return {
    kind: kindOf(name, given ?? "{}"),
    what: argumentText(name, given ?? ""),
    ...outcomeOf(name, content ?? ""),
    atMs: noted == null || ago == null ? null : Math.max(0, noted - ago),
  };
}

function commandEnd({ end, code }: Entry): string {
  return end === "exited" ? `exit code ${code}` : (end ?? "").replace("_", " ");
}

/** Parameter of a call that says what it is about. */
const SUBJECTS = ["path", "command", "text", "summary"];

function argumentText(name: string, given: string): string {
  const known = z.record(z.string(), z.unknown()).safeParse(jsonValue(given)).data ?? {};
  const subject = SUBJECTS.map((each) => known[each]).find((value) => typeof value === "string");
  if (typeof subject === "string") return name === "search" ? `"${subject}"` : subject;
  if (Object.keys(known).length > 0) return `${name} ${given}`;
  return name === "list_files" ? "the names of all files" : name.replaceAll("_", " ");
}

/** Longest outcome that is told. */
const MOST_RESULT = 160;

/** Outcome of a call in a line: of what was read its length, of a command its code and last words. */
function outcomeOf(name: string, content: string): { readonly result: string; readonly isFault: boolean } {
  const lines = content.split("\n").filter((line) => line.trim() !== "");
  const [first = ""] = lines;
  const isFault = /^(?:Error: |Failed: |exit code [1-9]|timed out|killed)/.test(first);
  if (isFault || name === "run_command") {
    const words = wordsOf(lines.slice(1), isFault);
    return { result: shorten(words === null ? first : `${first}: ${words}`, MOST_RESULT), isFault };
  }
  if (isWriting(name)) return { result: /\d+ lines?/.exec(first)?.[0] ?? "", isFault: false };
  const isLong = TOOL_KINDS[name] === "read" && lines.length > 1;
  return { result: isLong ? counted(lines.length, "lines") : shorten(first, MOST_RESULT), isFault: false };
}

/** Last lines of runners that say nothing about the tests. */
const NO_NEWS = /^\s*(?:[#ℹ] (?:suites|cancelled|skipped|todo|duration_ms)\b|Start at\b|Duration\b)/;

/** Words of what was printed: the first failing test, else the last line that says something; `null`: there is none. */
function wordsOf(lines: readonly string[], isFault: boolean): string | null {
  const test = isFault ? firstFailure(lines.join("\n")).test : null;
  return test ?? lines.findLast((line) => !NO_NEWS.test(line))?.trim() ?? null;
}

/**
 * Names of failing tests, as runners print them: the lines of TAP and of the reporters of node, vitest, pytest, go and
 * cargo. The first group is the name.
 */
const FAILING: readonly RegExp[] = [
  /^\s*not ok \d+ (?:- )?(?!.*# (?:SKIP|TODO))(.+?)\s*$/,
  /^\s*[✖✗×]\s+(.+?)(?:\s+\(?[\d.]+ ?ms\)?)?\s*$/,
  /^\s*FAIL\s+(.+?)\s*$/,
  /^(?:FAILED|ERROR) (\S+::\S.*?)(?: - .*)?$/,
  /^(\S+::\S.*?) (?:FAILED|ERROR)\b/,
  /^\s*--- FAIL: (\S+)/,
  /^test (\S+) \.\.\. FAILED\s*$/,
];

/** Characters of a line that are looked at: some patterns take the square of its length. */
const MOST_LINE = 500;

/** Lines in which a runner says why. */
const REASON = /^\s*(?:(?:E\s+)?[A-Za-z.]*(?:Error|Exception)\b.*|error:\s*(?:['"|>].*)?|.*!==.*|Expected .*)$/;

/** First failure that a runner printed. */
export interface Failure {
  /** Name of the test; `null`: none is named. */
  readonly test: string | null;
  /** First words behind it that say why; `null`: there are none. */
  readonly reason: string | null;
}

/** First failing test in what a runner printed, and why it failed, as far as it says so in a form that is known. */
export function firstFailure(output: string): Failure {
  const lines = output.split("\n").map((line) => line.slice(0, MOST_LINE));
  for (const [i, line] of lines.entries()) {
    const test = FAILING.map((pattern) => pattern.exec(line)?.[1]).find((name) => name !== undefined);
    if (test !== undefined) return { test, reason: firstReason(lines.slice(i)) ?? firstReason(lines) };
  }
  return { test: null, reason: firstReason(lines) };
}

function firstReason(lines: readonly string[]): string | null {
  const at = lines.findIndex((line) => REASON.test(line));
  if (at === -1) return null;
  // Of a block of YAML the words stand below.
  const words = lines.slice(at).map((line) =>
    line
      .trim()
      .replace(/^E\s+/, "")
      .replace(/^error:\s*(?:\|-?|>-?)?\s*/, ""),
  );
  const [first, second] = words.filter((line) => line !== "");
  return first === undefined ? null : first.endsWith(":") && second !== undefined ? `${first} ${second}` : first;
}
