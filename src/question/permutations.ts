import { Permutation } from "js-combinatorics";
import type { OptionIndex } from "../base/symbol.js";

/** One order of the options: `order[i]` is the option shown at symbol i. */
export type Order = readonly OptionIndex[];

/**
 * All N! orders of N options, in lexicographic order of the option indices, so that neighbours share prompt prefixes.
 * Orders are of positions, not of texts: two options with the same text would still give N! distinct orders.
 */
export function permutationsOf(optionCount: number): readonly Order[] {
  const known = knownOrders.get(optionCount);
  if (known !== undefined) return known;
  const indices = Array.from({ length: optionCount }, (_, i) => i as OptionIndex);
  const orders = [...new Permutation(indices)];
  knownOrders.set(optionCount, orders);
  return orders;
}

/** Orders by number of options: all questions share them. */
const knownOrders = new Map<number, readonly Order[]>();

/** The most options that a question is asked with: 8! = 40,320 orders. */
export const MOST_OPTIONS = 8;

/** N! */
export function permutationCount(optionCount: number): number {
  let product = 1;
  for (let factor = 2; factor <= optionCount; factor++) product *= factor;
  return product;
}

/** An order as the tables show it, such as `2013`; from 11 options on with `-` between them: `10-2-0-…`. */
export function orderName(order: Order): string {
  return order.join(order.length > MOST_DIGITS ? "-" : "");
}

/** Number of options of an order, by its name. */
export function optionCountOfOrder(name: string): number {
  return name.includes("-") ? name.split("-").length : name.length;
}

/** Options whose positions have one digit each. */
const MOST_DIGITS = 10;
