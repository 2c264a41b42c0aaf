import { groupBy } from "../../../base/grouping.js";
import { isRun, type Rule, type RuleSide, type ScanResult } from "../rules/taste-rule.js";
import type { ChangedLines, PlacedLine } from "./changed-lines.js";

/** Counts of the rules of one side. */
export interface RuleTally {
  readonly rules: number;
  /** Rules that an engine ran. */
  readonly run: number;
  /** Rules with a match, of those. */
  readonly matched: number;
  /** True if there are results at all. */
  readonly isScanned: boolean;
  /** Faults that the engine told of. */
  readonly errors: number;
}

/** Both sides of an instance on one tree. */
export type RuleTallies = Readonly<Record<RuleSide, RuleTally>>;

/** Counts the rules of one side in a scan of a tree. */
export function tally(rules: readonly Rule[], scan: ScanResult): RuleTally {
  if (scan.status === "missing") return { rules: rules.length, run: 0, matched: 0, isScanned: false, errors: 0 };
  const run = rules.filter(({ id }) => scan.matches.has(id));
  const matched = run.filter(({ id }) => (scan.matches.get(id)?.length ?? 0) > 0).length;
  return { rules: rules.length, run: run.length, matched, isScanned: true, errors: scan.errors };
}

/** Shares of a tree's rules that it follows, 0–1; `null`: unknown. */
interface Following {
  /** Additive rules with a match and reductive ones without, of all rules. */
  readonly ifr: number | null;
  readonly ifr_additive: number | null;
  readonly ifr_reductive: number | null;
  /** Share of the rules that were run. */
  readonly ifr_supported: number | null;
  readonly rules_supported: number;
}

/**
 * Instruction following rate (CodeTaste §3): additive rules with a match plus reductive rules without one, over all rules;
 * IFR⁺ and IFR⁻ likewise of one side. 0–1. `null` without rules, without results, or where a rule was not run: what is not
 * known is neither followed nor broken.
 */
export function following(tallies: RuleTallies): Following {
  const { additive, reductive } = tallies;
  const followed = additive.matched + (reductive.run - reductive.matched);
  const run = additive.run + reductive.run;
  const sides = [additive, reductive].filter(({ rules }) => rules > 0);
  return {
    ifr: sides.length > 0 && sides.every(isKnown) ? followed / run : null,
    ifr_additive: isKnown(additive) ? additive.matched / additive.rules : null,
    ifr_reductive: isKnown(reductive) ? 1 - reductive.matched / reductive.rules : null,
    ifr_supported: run === 0 ? null : followed / run,
    rules_supported: run,
  };
}

function isKnown({ rules, run, isScanned }: RuleTally): boolean {
  return rules > 0 && isScanned && run === rules;
}

/** The same by the released code. */
export interface PublishedFollowing {
  readonly ifr: number | null;
  readonly ifr_additive: number | null;
  readonly ifr_reductive: number | null;
}

/**
 * Shares by the released code: 1 where there is no rule, and a file of results that is missing or tells of a failed
 * scan holds no match, so that every reductive rule counts as followed. `null` where an engine ran only some of the
 * rules: the released code knows no such thing.
 */
export function publishedFollowing({ additive, reductive }: RuleTallies): PublishedFollowing {
  const [more, less] = [publishedCounts(additive), publishedCounts(reductive)];
  const total = additive.rules + reductive.rules;
  const followed = more === null || less === null ? null : more + (reductive.rules - less);
  return {
    ifr: share(followed, total),
    ifr_additive: share(more, additive.rules),
    ifr_reductive: share(less === null ? null : reductive.rules - less, reductive.rules),
  };
}

function publishedCounts({ rules, run, matched, isScanned }: RuleTally): number | null {
  return isScanned && run < rules ? null : matched;
}

function share(part: number | null, total: number): number | null {
  if (part === null) return null;
  return total === 0 ? 1 : part / total;
}

/**
 * Alignment: A = Pass × IFR, A⁺ and A⁻ likewise of one side, 0–1. `null` where either is: a rate over failed trials alone
 * would be too low.
 */
export function aligned(pass: boolean | null, ifr: number | null): number | null {
  return pass === null || ifr === null ? null : Number(pass) * ifr;
}

/** Lines of a patch, and how many of them a rule wanted. */
export interface PrecisionCounts {
  readonly added: number;
  readonly removed: number;
  /** `null`: the rules could not be run. */
  readonly relevantAdded: number | null;
  readonly relevantRemoved: number | null;
}

/** Shares of the changed lines that a rule wanted, 0–1. */
export interface Precision {
  readonly overall: number | null;
  readonly added: number | null;
  readonly removed: number | null;
}

/**
 * Counts on (path, line): added lines that an additive rule covers on the changed tree, removed lines that a reductive rule
 * covers on the base. A line counts once, however many rules cover it.
 */
export function precisionCounts(lines: ChangedLines, scans: PrecisionScans): PrecisionCounts {
  return {
    added: lines.added.length,
    removed: lines.removed.length,
    relevantAdded: relevant(lines.added, scans.additiveOnTree),
    relevantRemoved: relevant(lines.removed, scans.reductiveOnBase),
  };
}

/** Scans that precision is counted by. */
interface PrecisionScans {
  readonly additiveOnTree: ScanResult;
  readonly reductiveOnBase: ScanResult;
}

function relevant(lines: readonly PlacedLine[], scan: ScanResult): number | null {
  if (lines.length === 0) return 0;
  if (!isRun(scan)) return null;
  const isCovered = coverageOf(scan);
  return lines.filter(isCovered).length;
}

/** Tests lines for being covered by a match of any rule. */
export function coverageOf(scan: ScanResult): (line: PlacedLine) => boolean {
  const spans = scan.status === "scanned" ? [...scan.matches.values()].flat() : [];
  const byPath = groupBy(spans, ({ path }) => path);
  return ({ path, line }) => (byPath.get(path) ?? []).some(({ first, last }) => first <= line && line <= last);
}

/**
 * Change precision (CodeTaste §3): relevant/changed lines, of each kind and together by their counts, 0–1. `null` without
 * such lines.
 */
export function precision({ added, removed, relevantAdded, relevantRemoved }: PrecisionCounts): Precision {
  const both = relevantAdded === null || relevantRemoved === null ? null : relevantAdded + relevantRemoved;
  return {
    overall: precisionShare(both, added + removed),
    added: precisionShare(relevantAdded, added),
    removed: precisionShare(relevantRemoved, removed),
  };
}

function precisionShare(part: number | null, total: number): number | null {
  return part === null || total === 0 ? null : part / total;
}

/** Precision by the released code: 0 without lines. */
export function publishedPrecision(counts: PrecisionCounts): Precision {
  const { overall, added, removed } = precision(counts);
  return {
    overall: counts.added + counts.removed === 0 ? 0 : overall,
    added: counts.added === 0 ? 0 : added,
    removed: counts.removed === 0 ? 0 : removed,
  };
}
