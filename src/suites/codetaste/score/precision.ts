import { groupBy } from "../../../base/grouping.js";
import { isRun, type ScanResult } from "../rules/taste-rule.js";
import type { ChangedLines, PlacedLine } from "./changed-lines.js";

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
    overall: share(both, added + removed),
    added: share(relevantAdded, added),
    removed: share(relevantRemoved, removed),
  };
}

function share(part: number | null, total: number): number | null {
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
