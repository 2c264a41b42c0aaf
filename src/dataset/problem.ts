import { isAbsolute, relative } from "node:path";
import type { z } from "zod";
import { shellWord, shorten } from "../base/text.js";

/** One thing that is wrong with one line of a data file. */
export interface DataProblem {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Path of the field, such as `loc_wrong_easy[1]`; empty when it is the line as a whole. */
  readonly field: string;
  readonly expected: string;
  readonly found: string;
}

/** `file:line: field: expected …, found …`. */
export function describeProblem(problem: DataProblem): string {
  const field = problem.field === "" ? "" : `${shorten(problem.field, 120)}: `;
  const file = isAbsolute(problem.file) ? shorter(problem.file, relative(process.cwd(), problem.file)) : problem.file;
  return `${file}:${problem.line}: ${field}expected ${problem.expected}, found ${problem.found}`;
}

function shorter(a: string, b: string): string {
  return b !== "" && b.length < a.length ? b : a;
}

/** The first problem of a file, and the command that shows all. */
export function firstOf([first, ...rest]: readonly [DataProblem, ...DataProblem[]]): string {
  const all = `probe dataset validate ${shellWord(first.file)}`;
  return `${describeProblem(first)}. ${rest.length === 0 ? "See" : `${rest.length} more problems: see`} ${all}`;
}

/** A value as a reader of an error message wants to see it. */
export function showValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value) && value.length > 8) return `a list of ${value.length}`;
  return shorten(asJson(value), 80);
}

function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    // JSON.parse reads what is nested deeper than JSON.stringify can write.
    return "a value nested too deep to show";
  }
}

/** Problems of one line that are told: a list may have one an item. */
const MOST_OF_A_LINE = 100;

/** Problems of zod's, in our words: the first of a line. */
export function problemsOfIssues(file: string, line: number, issues: readonly z.core.$ZodIssue[]): DataProblem[] {
  return issues
    .slice(0, MOST_OF_A_LINE)
    .map((issue) => ({ file, line, field: fieldPath(issue.path), ...explain(issue) }));
}

function fieldPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, i) => (typeof part === "number" ? `[${part}]` : `${i === 0 ? "" : "."}${String(part)}`))
    .join("");
}

function explain(issue: z.core.$ZodIssue): { expected: string; found: string } {
  switch (issue.code) {
    case "invalid_type":
      return { expected: typeName(issue.expected), found: showValue(issue.input) };
    case "invalid_value":
      return { expected: `one of ${issue.values.map(String).join(", ")}`, found: showValue(issue.input) };
    case "too_small":
      return bound(issue.exact ? "exactly" : "at least", issue.minimum, issue.origin, issue.input);
    case "too_big":
      return bound(issue.exact ? "exactly" : "at most", issue.maximum, issue.origin, issue.input);
    default:
      return splitMessage(issue.message);
  }
}

function typeName(name: string): string {
  const names: Record<string, string> = { int: "a whole number", array: "a list", object: "an object" };
  return names[name] ?? `a ${name}`;
}

function bound(
  how: string,
  limit: number | bigint,
  origin: string,
  input: unknown,
): { expected: string; found: string } {
  if (origin === "array") return { expected: `${how} ${limit} items`, found: showValue(input) };
  if (origin === "string") return { expected: `${how} ${limit} characters`, found: showValue(input) };
  return { expected: `a number of ${how} ${limit}`, found: showValue(input) };
}

/** Our own refinements say "expected …, found …" in one sentence. */
function splitMessage(message: string): { expected: string; found: string } {
  const match = /^expected (.*), found (.*)$/s.exec(message);
  return { expected: match?.[1] ?? "a valid value", found: match?.[2] ?? message };
}

/** Lines that are named of those that share a problem. */
const NAMED_LINES = 5;

interface Group {
  readonly first: DataProblem;
  /** The first ones. */
  readonly lines: number[];
  /** Line of the last problem. */
  last: number;
  count: number;
  /** Number of lines that have it. */
  lineCount: number;
}

/** The problems of a file, however many: those of one field that want the same are told once, with their number. */
export class ProblemList {
  readonly #groups = new Map<string, Group>();
  /** All problems. */
  total = 0;

  add(problems: readonly DataProblem[]): void {
    for (const problem of problems) {
      // An item of a list has the problem of its list.
      const key = `${problem.file}\0${problem.field.replaceAll(/\[\d+\]/g, "[]")}\0${problem.expected}`;
      const group = this.#groups.get(key) ?? { first: problem, lines: [], last: 0, count: 0, lineCount: 0 };
      group.count++;
      if (group.last !== problem.line) {
        group.lineCount++;
        if (group.lines.length < NAMED_LINES) group.lines.push(problem.line);
      }
      group.last = problem.line;
      this.#groups.set(key, group);
      this.total++;
    }
  }

  /** A line a kind of problem, as its first one reads; at most so many. */
  text(most: number): string {
    const groups = [...this.#groups.values()];
    const rest = groups.slice(most).reduce((sum, { count }) => sum + count, 0);
    const shown = groups.slice(0, most).map(describeGroup);
    return [...shown, ...(rest > 0 ? [`… and ${rest} more problems of other kinds`] : [])].join("\n");
  }
}

/** Such as `reviews.jsonl:1: lang: expected a string, found nothing (200 ×: lines 1, 2, 3, 4, 5 …)`. */
function describeGroup({ first, lines, count, lineCount }: Group): string {
  if (count === 1) return describeProblem(first);
  const more = lineCount > lines.length ? " …" : "";
  return `${describeProblem(first)} (${count} ×: ${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}${more})`;
}
