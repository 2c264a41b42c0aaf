import type { RunRecord } from "../../../run/run-record.js";

/** Orders of each question, and the times that each is asked. */
export interface RunDesign {
  readonly orders: OrderDesign;
  readonly repeats: number;
}

/** Every order, once: as in the paper, and in runs that were recorded before there was another. */
export const EVERY_ORDER: RunDesign = { orders: "all", repeats: 1 };

/** Design of a recorded run. */
export function designOf({ parameters }: Pick<RunRecord, "parameters">): RunDesign {
  const { orders = EVERY_ORDER.orders, repeats = EVERY_ORDER.repeats } = parameters;
  return { orders: orders === "all" || orders === "cyclic" ? orders : Number(orders), repeats: Number(repeats) };
}

/** Answers that a question with so many options gets. */
export function answersAsked({ orders, repeats }: RunDesign, optionCount: number): number {
  return orderCount(orders, optionCount) * repeats;
}

import { type OrderDesign, orderCount } from "../../../question/permutations.js";
