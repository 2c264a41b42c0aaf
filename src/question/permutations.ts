import { Permutation } from "js-combinatorics";
import { hash32 } from "../base/random.js";
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

/** A question whose first order is drawn. */
interface DrawnQuestion {
  readonly task: string;
  readonly difficulty: string | null;
  readonly exampleId: string;
}

/**
 * The order of a question that is asked first where not all may be: drawn by the seed, the same whatever is withheld, so that
 * being right under it estimates mean accuracy without bias.
 * @returns position among the N! orders
 */
export function drawnFirstOrder(
  { task, difficulty, exampleId }: DrawnQuestion,
  permutations: number,
  seed: number,
): number {
  return hash32(JSON.stringify([task, difficulty, exampleId]), seed) % permutations;
}

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
