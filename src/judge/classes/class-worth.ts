import { numberText } from "../../report/number-text.js";
import { type Estimate, proportion } from "../../stats/interval.js";
import { type Agreement, cohensKappa } from "../../stats/rater-agreement.js";
import type { Classed, Failure, FailureClass, KnownFailure } from "./classing.js";
import { classOf } from "./classing.js";

/** Worth of a model that sorts failures. */
export interface SorterWorth {
  /** Share of the failures of known class that both askings sort right; `null`: none was asked about. */
  readonly right: Estimate | null;
  readonly known: number;
  /** Agreement of the two askings on the failures of the run. */
  readonly agreement: Agreement;
  readonly state: "tells" | "useless" | "unknown";
  /** Conclusion in words. */
  readonly text: string;
}

/**
 * Worth of a sorter by failures whose class is known, and by its agreement with itself. Useless: Wilson's 95 % interval of the
 * share that is right holds what naming any one class has, or who says nothing.
 */
export function sorterWorth(
  label: string,
  classes: readonly FailureClass[],
  known: readonly Classed<KnownFailure>[],
  found: readonly Classed<Failure>[],
): SorterWorth {
  const agreement = cohensKappa(countsOf(classes, found));
  const isLost = known.some(({ votes }) => votes.some(({ status }) => status === "lost"));
  const right = known.filter((each) => classOf(each) === each.failure.classId).length;
  const share = proportion(right, known.length);
  const common = { right: share, known: known.length, agreement };
  if (isLost || share === null || share.low === null)
    return {
      ...common,
      state: "unknown",
      text: `Whether ${label} tells classes apart is not known: not all was asked.`,
    };
  const chance = 1 / classes.length;
  const counts = `${right} of ${known.length} failures of known class are sorted right, by chance ${numberText(chance * known.length, "short")}`;
  const kappa = agreement.kappa === null ? "" : `; kappa of its two askings ${numberText(agreement.kappa, "ratio")}`;
  return share.low > chance
    ? { ...common, state: "tells", text: `${label} tells classes apart: ${counts}${kappa}.` }
    : { ...common, state: "useless", text: `${label} is useless for sorting: ${counts}${kappa}.` };
}

function countsOf(classes: readonly FailureClass[], found: readonly Classed<Failure>[]): number[][] {
  const isAt = ({ votes }: Classed<Failure>, asking: number, { id }: FailureClass) => {
    const vote = votes[asking];
    return vote?.status === "read" && vote.classId === id;
  };
  return classes.map((first) =>
    classes.map((second) => found.filter((each) => isAt(each, 0, first) && isAt(each, 1, second)).length),
  );
}
