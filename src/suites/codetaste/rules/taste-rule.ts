import type { Bench } from "../../../trial/bench-task.js";

/** Side of a rule: its pattern is one that a refactoring brings, or one that it takes away. */
export type RuleSide = "additive" | "reductive";

/** Both sides, in the order in which they are told. */
export const SIDES: readonly RuleSide[] = ["additive", "reductive"];

/** A static rule of an instance. */
export interface Rule {
  /** Behind the last dot, as results name it. */
  readonly id: string;
  /** Key of its pattern, such as `pattern-regex` or `patterns`. */
  readonly kind: string;
  /** Languages, as written; empty: files of every language. */
  readonly languages: readonly string[];
  readonly paths: { readonly include: readonly string[]; readonly exclude: readonly string[] };
  /** Regular expressions of which one has to match; `null`: it is made of more than those. */
  readonly expressions: readonly string[] | null;
}

/** A rule file. */
export interface RuleSet {
  readonly side: RuleSide;
  readonly path: string;
  readonly rules: readonly Rule[];
}

/** Lines of a file that a match covers, from 1, both included. */
export interface LineSpan {
  /** From the root of the tree, with `/`. */
  readonly path: string;
  readonly first: number;
  readonly last: number;
}

/** The place of a match that names none. */
export const NOWHERE: LineSpan = { path: "", first: 0, last: 0 };

/** Matches of a rule set in a tree. */
export interface Scan {
  /** Matches of every rule that ran, by its id; an empty list: it ran, and there is none. */
  readonly matches: ReadonlyMap<string, readonly LineSpan[]>;
  /** Rules that were not run to their end, and why: of those without matches nothing is known. */
  readonly notRun: readonly { readonly rule: string; readonly why: string }[];
  /** Faults that the engine tells of, such as files that it could not parse. */
  readonly errors: number;
}

/** A scan, or why there is none. */
export type ScanResult =
  | ({ readonly status: "scanned" } & Scan)
  | { readonly status: "missing"; readonly detail: string };

/** A rule's name without what a file or a tool puts before it. */
export function cleanId(id: string): string {
  return id.slice(id.lastIndexOf(".") + 1);
}

/** Tests if of every rule of the set something is known. */
export function isRun(scan: ScanResult): boolean {
  return scan.status === "scanned" && scan.notRun.every(({ rule }) => scan.matches.has(rule));
}

/** Values of `--rule-engine`. */
export const ENGINES = ["auto", "opengrep", "semgrep", "regex"] as const;
export type EngineName = (typeof ENGINES)[number];

/** Engine that runs rules on trees. */
export interface RuleEngine {
  readonly name: Exclude<EngineName, "auto">;
  /** Such as `1.14.0`: another one is another engine. */
  readonly version: string;
  /**
   * @param patched files that the built-in engine looks into wherever they stand and whatever they hold: those of a patch
   * @throws the reason of the bench's signal when that stops it
   */
  scan(set: RuleSet, tree: string, bench: Bench, patched?: ReadonlySet<string>): Promise<ScanResult>;
}
