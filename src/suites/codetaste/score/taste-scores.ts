import { aligned, following, type PublishedFollowing, publishedFollowing, type RuleTallies } from "./following.js";
import { type Precision, type PrecisionCounts, precision, publishedPrecision } from "./precision.js";

/** Measurements of a patch. */
export interface Measured {
  readonly tallies: RuleTallies;
  /** `null`: the patch cannot be read. */
  readonly lines: PrecisionCounts | null;
  /** `null`: no baseline tells what a pass is. */
  readonly pass: boolean | null;
}

/** Scores of a patch; shares 0–1, `null`: unknown. */
export interface Scores {
  readonly ifr: number | null;
  readonly ifrAdditive: number | null;
  readonly ifrReductive: number | null;
  readonly ifrSupported: number | null;
  readonly rulesSupported: number;
  readonly pass: boolean | null;
  readonly alignment: number | null;
  readonly alignmentAdditive: number | null;
  readonly alignmentReductive: number | null;
  /** Passes and follows every rule; `null` where either cannot be told. */
  readonly isWhole: boolean | null;
  readonly precision: number | null;
  readonly precisionAdded: number | null;
  readonly precisionRemoved: number | null;
  readonly published: PublishedScores;
}

/** The same by the released code, where that differs. */
interface PublishedScores extends PublishedFollowing {
  readonly alignment: number | null;
  readonly alignmentAdditive: number | null;
  readonly alignmentReductive: number | null;
  readonly precision: number | null;
  readonly precisionAdded: number | null;
  readonly precisionRemoved: number | null;
}

const NO_LINES: Precision = { overall: null, added: null, removed: null };

/** All scores of a patch. */
export function scoresOf({ tallies, lines, pass }: Measured): Scores {
  const ours = following(tallies);
  const published = publishedFollowing(tallies);
  const [own, released] = lines === null ? [NO_LINES, NO_LINES] : [precision(lines), publishedPrecision(lines)];
  return {
    ...ours,
    pass,
    ...alignments(pass, ours),
    isWhole: pass === null || ours.ifr === null ? null : pass && ours.ifr === 1,
    ...namedPrecision(own),
    published: { ...published, ...alignments(pass, published), ...namedPrecision(released) },
  };
}

function alignments(pass: boolean | null, { ifr, ifrAdditive, ifrReductive }: PublishedFollowing) {
  return {
    alignment: aligned(pass, ifr),
    alignmentAdditive: aligned(pass, ifrAdditive),
    alignmentReductive: aligned(pass, ifrReductive),
  };
}

function namedPrecision({ overall, added, removed }: Precision) {
  return { precision: overall, precisionAdded: added, precisionRemoved: removed };
}
