import { numberText } from "../../../report/number-text.js";
import type { LineSpan, Rule, RuleSet, RuleSide, ScanResult } from "./taste-rule.js";

/** A rule held against the code before and behind the refactoring. */
export interface CheckedRule {
  readonly side: RuleSide;
  readonly id: string;
  /** Key of its pattern. */
  readonly kind: string;
  /** Matches on the unmodified code; `null`: it was not run. */
  readonly base: number | null;
  /** Matches on the right solution; `null`: it was not run. */
  readonly gold: number | null;
  /** True if it tells one from the other, and is no double of one before it; `null`: not known. */
  readonly valid: boolean | null;
  /** Reason why it is not valid, or not known; `null`: it is valid. */
  readonly why: string | null;
  /** The rule before it that matches the likest lines; `null`: there is none. */
  readonly likest: string | null;
  /** Jaccard similarity with the lines of that, 0–1. */
  readonly jaccard: number | null;
  /** A place where it matches though it should not, of a rule that is all but right; `null`: it is not. */
  readonly witness: string | null;
}

/** The most that two rules' lines may be alike (CodeTaste, A.3). */
export const MOST_ALIKE = 0.95;
/** A rule with so many times more matches where it should have them is all but right (A.3). */
export const ALL_BUT = 10;

/**
 * Checks the rules of one side in their order (CodeTaste §3.4, A.3). An additive rule is valid if it matches on the right
 * solution and nowhere on the base, a reductive one the other way round; and if the Jaccard similarity of the lines that it
 * matches there with those of every valid rule before it is at most .95. `valid` is `null` where either tree was not scanned
 * by it.
 */
export function checkRules({ side, rules }: RuleSet, scans: { readonly base: ScanResult; readonly gold: ScanResult }) {
  const registered: Registered[] = [];
  return rules.map((rule, i): CheckedRule => {
    const isTwice = rules.findIndex(({ id }) => id === rule.id) < i;
    const checked = checkRule(side, rule, scans, registered);
    return isTwice ? { ...checked, valid: false, why: "another rule has the same id" } : checked;
  });
}

interface Registered {
  readonly id: string;
  readonly lines: ReadonlySet<string>;
}

function checkRule(
  side: RuleSide,
  { id, kind }: Rule,
  scans: { readonly base: ScanResult; readonly gold: ScanResult },
  registered: Registered[],
): CheckedRule {
  const [base, gold] = [spansOf(scans.base, id), spansOf(scans.gold, id)];
  const counts = { base: base?.length ?? null, gold: gold?.length ?? null };
  const rule = { side, id, kind, ...counts, likest: null, jaccard: null, witness: null };
  if (base === null || gold === null)
    return { ...rule, valid: null, why: reasonIn(scans.base, id) ?? reasonIn(scans.gold, id) ?? "not run" };
  const [wanted, unwanted] = side === "additive" ? [gold, base] : [base, gold];
  const lines = linesOf(wanted);
  const [likest = null] = registered
    .map((other) => ({ id: other.id, alike: jaccard(lines, other.lines) }))
    .toSorted((a, b) => b.alike - a.alike);
  const why = faultIn(side, wanted, unwanted) ?? doubleOf(likest);
  if (why === null) registered.push({ id, lines });
  const isAllBut = unwanted.length > 0 && wanted.length > ALL_BUT * unwanted.length;
  const [first] = unwanted;
  return {
    ...rule,
    valid: why === null,
    why,
    likest: likest?.id ?? null,
    jaccard: likest?.alike ?? null,
    witness: isAllBut && first !== undefined ? `${first.path}:${first.first}` : null,
  };
}

function spansOf(scan: ScanResult, id: string): readonly LineSpan[] | null {
  return scan.status === "scanned" ? (scan.matches.get(id) ?? null) : null;
}

function reasonIn(scan: ScanResult, id: string): string | null {
  return scan.status === "missing" ? scan.detail : (scan.notRun.find(({ rule }) => rule === id)?.why ?? null);
}

const TREES: Readonly<Record<RuleSide, readonly [wanted: string, unwanted: string]>> = {
  additive: ["the right solution", "the unmodified code"],
  reductive: ["the unmodified code", "the right solution"],
};

function faultIn(side: RuleSide, wanted: readonly LineSpan[], unwanted: readonly LineSpan[]): string | null {
  const [there, elsewhere] = TREES[side];
  if (wanted.length === 0) return `matches nothing of ${there}`;
  return unwanted.length === 0 ? null : `matches ${elsewhere} too`;
}

function doubleOf(likest: { readonly id: string; readonly alike: number } | null): string | null {
  if (likest === null || likest.alike <= MOST_ALIKE) return null;
  return `matches the lines of ${likest.id} (Jaccard ${numberText(likest.alike, "coefficient")})`;
}

function linesOf(spans: readonly LineSpan[]): ReadonlySet<string> {
  const lines = new Set<string>();
  for (const { path, first, last } of spans) for (let line = first; line <= last; line++) lines.add(`${path}\n${line}`);
  return lines;
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const both = [...a].filter((line) => b.has(line)).length;
  const either = a.size + b.size - both;
  return either === 0 ? 0 : both / either;
}
