import { aligned, following, type PublishedFollowing, publishedFollowing, type RuleTallies } from "./following.js";
import { type Precision, type PrecisionCounts, precision, publishedPrecision } from "./precision.js";

/** Measurements of a patch. */
export interface Measured {
  readonly tallies: RuleTallies;
  /** `null`: the patch cannot be read. */
  readonly lines: PrecisionCounts | null;
  /** Counts of lines of code alone; `null`: the patch cannot be read. */
  readonly code: PrecisionCounts | null;
  /** `null`: no baseline tells what a pass is. */
  readonly pass: boolean | null;
}

/** Scores that the released code has too, by the names of their columns. */
export const RELEASED = [
  "ifr",
  "ifr_additive",
  "ifr_reductive",
  "alignment",
  "alignment_additive",
  "alignment_reductive",
  "precision",
  "precision_added",
  "precision_removed",
] as const;

export type ReleasedName = (typeof RELEASED)[number];

type ReleasedScores = Readonly<Record<ReleasedName, number | null>>;

/** Scores of a patch by the names of their columns; shares 0–1, `null`: unknown. */
export interface Scores extends ReleasedScores, FilteredScores {
  readonly ifr_supported: number | null;
  readonly rules_supported: number;
  readonly pass: boolean | null;
  /** Passes and follows every rule; `null` where either cannot be told. */
  readonly refactored: boolean | null;
  /** The same by the released code. */
  readonly published: ReleasedScores;
}

/** Scores of lines of code alone, as the paper's Table 6 filters them. */
export const FILTERED = ["precision_filtered", "precision_added_filtered", "precision_removed_filtered"] as const;
/** Counts of such lines. */
export const LINE_COUNTS = ["edited_lines", "added_lines", "removed_lines"] as const;

type FilteredScores = Readonly<Record<(typeof FILTERED | typeof LINE_COUNTS)[number], number | null>>;

const NO_LINES: Precision = { overall: null, added: null, removed: null };

/** All scores of a patch. */
export function scoresOf({ tallies, lines, code, pass }: Measured): Scores {
  const ours = following(tallies);
  const published = publishedFollowing(tallies);
  const [own, released] = lines === null ? [NO_LINES, NO_LINES] : [precision(lines), publishedPrecision(lines)];
  return {
    ...ours,
    pass,
    ...alignments(pass, ours),
    refactored: pass === null || ours.ifr === null ? null : pass && ours.ifr === 1,
    ...namedPrecision(own),
    ...filteredScores(code),
    published: { ...published, ...alignments(pass, published), ...namedPrecision(released) },
  };
}

function alignments(pass: boolean | null, { ifr, ifr_additive, ifr_reductive }: PublishedFollowing) {
  return {
    alignment: aligned(pass, ifr),
    alignment_additive: aligned(pass, ifr_additive),
    alignment_reductive: aligned(pass, ifr_reductive),
  };
}

function filteredScores(code: PrecisionCounts | null): FilteredScores {
  const { overall, added, removed } = code === null ? NO_LINES : precision(code);
  return {
    precision_filtered: overall,
    precision_added_filtered: added,
    precision_removed_filtered: removed,
    edited_lines: code && code.added + code.removed,
    added_lines: code?.added ?? null,
    removed_lines: code?.removed ?? null,
  };
}

function namedPrecision({ overall, added, removed }: Precision) {
  return { precision: overall, precision_added: added, precision_removed: removed };
}
