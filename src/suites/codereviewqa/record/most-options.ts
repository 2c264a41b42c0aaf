import { USUAL_OPTIONS } from "../../../base/symbol.js";
import { permutationCount } from "../../../question/permutations.js";
import type { RunFile } from "./run-file.js";

/** The most options that a question of the run has. */
export function mostOptions({ forms }: Pick<RunFile, "forms">): number {
  return Math.max(2, ...forms.map(({ options }) => options ?? USUAL_OPTIONS));
}

/** The most orders that a question of the run has. */
export function mostOrders(run: Pick<RunFile, "forms">): number {
  return permutationCount(mostOptions(run));
}
