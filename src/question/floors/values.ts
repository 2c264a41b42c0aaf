import { countBy } from "../../base/grouping.js";

/** What scores mean nothing: reached without reading the question. */
interface Floors {
  /** 1/N: right under one order, and the least that plurality agreement can be. */
  readonly oneOrder: number;
  /** (1/N)^(N!): right under all orders by independent guesses (paper §5.1). */
  readonly invariant: number;
}

export function randomFloors(optionCount: number, permutations: number): Floors {
  return { oneOrder: 1 / optionCount, invariant: (1 / optionCount) ** permutations };
}

/**
 * Share of the commonest answer class: the invariant accuracy of a model that always gives it. `null` where answers
 * have no classes, or there are none.
 */
export function majorityFloor(classes: readonly (string | null)[]): { share: number; answer: string } | null {
  const counts = [...countBy(classes.filter((name) => name !== null))].sort(([, a], [, b]) => b - a);
  const [commonest] = counts;
  return commonest === undefined ? null : { share: commonest[1] / classes.length, answer: commonest[0] };
}
