import type { TestReport } from "./test-report.js";

/** Whether tests notice that the code under them is gone. */
export interface MutationTests {
  /** Tests of the manifest that pass on the code as it is. */
  readonly relevant: number;
  /** Of these, those that do not fail once the code is gone; a test that is missing then has not failed. */
  readonly survivors: readonly string[];
  readonly passes: boolean;
}

/** @param manifest names of tests, as their writer lists them */
export function mutationTests(before: TestReport, after: TestReport, manifest: readonly string[]): MutationTests {
  const relevant = [...before].filter(([name, state]) => state === "passed" && isListed(name, manifest));
  const survivors = relevant.map(([name]) => name).filter((name) => after.get(name) !== "failed");
  return { relevant: relevant.length, survivors, passes: relevant.length > 0 && survivors.length === 0 };
}

/** The names of a manifest: the `tests` of a JSON object, else its bullets that name no file; each once, sorted. */
export function manifestNames(manifest: string): string[] {
  const names = jsonNames(manifest) ?? bulletNames(manifest);
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== ""))].sort();
}

function jsonNames(manifest: string): string[] | null {
  try {
    const value: unknown = JSON.parse(manifest);
    if (typeof value !== "object" || value === null || !("tests" in value) || !Array.isArray(value.tests)) return null;
    const entries: unknown[] = value.tests;
    return entries.map((entry) => {
      if (typeof entry !== "object" || entry === null) return String(entry);
      return "name" in entry ? String(entry.name) : "";
    });
  } catch {
    return null;
  }
}

function bulletNames(manifest: string): string[] {
  return manifest
    .split("\n")
    .map((line) => /^\s*-\s*(.*?)\s*$/.exec(line)?.[1] ?? "")
    .filter((item) => !/^file:|^tests?:$/i.test(item))
    .map(unquoted);
}

function unquoted(text: string): string {
  return /^(["'])(.*)\1$/s.exec(text)?.[2]?.trim() ?? text;
}

/** Whether a test that ran is one of a manifest: some form of its name is some form of a listed one. */
export function isListed(name: string, manifest: readonly string[]): boolean {
  const forms = runnerForms(name);
  return manifest.some((each) => manifestForms(each).some((form) => forms.has(form)));
}

/** A runner's name whole, its last part, its last two, and what stands before a description. */
function runnerForms(name: string): ReadonlySet<string> {
  const plain = normal(name);
  const bars = partsOf(plain, " | ");
  const colons = partsOf(plain, "::");
  const [beforeDash = ""] = plain.split(" - ");
  return new Set([
    ...[plain, beforeDash.trim(), bars.last, colons.last],
    ...[bars.two.join(" | "), colons.two.join("::"), colons.two.join(".")],
  ]);
}

/** A name of a manifest: whole, or less what stands before its last part or its last two, by its language's separator. */
function manifestForms(name: string): string[] {
  const plain = normal(name);
  const [bars, colons, dots] = [partsOf(plain, " | "), partsOf(plain, "::"), partsOf(plain, ".")];
  return [
    ...[plain, colons.last, dots.last],
    ...[bars.two.join(" | "), colons.two.join("::"), colons.two.join("."), dots.two.join(".")],
    ...(plain.includes("/") ? [plain.replaceAll(" ", "_")] : []),
  ];
}

function partsOf(name: string, separator: string): { readonly last: string; readonly two: readonly string[] } {
  const parts = name
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return { last: parts.at(-1) ?? name, two: parts.slice(-2) };
}

/** Quotes and outer blanks off, ` > ` for ` | `, blanks folded, small letters. */
function normal(name: string): string {
  return unquoted(name.trim()).replaceAll(" > ", " | ").replace(/\s+/g, " ").toLowerCase();
}
