import { Permutation } from "js-combinatorics";
import { hash32, sampled, seededIntegers } from "../base/random.js";
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

/** A question whose orders are drawn. */
export interface AskedQuestion {
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
  { task, difficulty, exampleId }: AskedQuestion,
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

/**
 * Orders that a question is asked under: all N!; `cyclic`: the N rotations of the first, so that each option stands at each
 * place once; or so many of a balanced random design.
 */
export type OrderDesign = "all" | "cyclic" | number;

/** Count of orders that a question with so many options is asked under. */
export function orderCount(design: OrderDesign, optionCount: number): number {
  if (design === "all") return permutationCount(optionCount);
  return design === "cyclic" ? optionCount : Math.min(design, permutationCount(optionCount));
}

/**
 * The orders of a question, as ascending positions among its N!. So many of a random design are whole squares of rotations,
 * in which each option stands at each place once, and a part of one more: no option stands at a place more than once more
 * often than another does. Drawn by the seed for each question, the same whatever is withheld.
 */
export function designedOrders(
  question: AskedQuestion,
  optionCount: number,
  design: OrderDesign,
  seed: number,
): number[] {
  const whole = permutationCount(optionCount);
  if (orderCount(design, optionCount) === whole) return Array.from({ length: whole }, (_, i) => i);
  const squares = squaresOf(optionCount);
  if (design === "all" || design === "cyclic") return ascending(squares[0] ?? []);
  const { task, difficulty, exampleId } = question;
  const draw = seededIntegers(hash32(JSON.stringify([task, difficulty, exampleId, "orders"]), seed));
  const drawn = sampled(squares, Math.ceil(design / optionCount), draw);
  const last = sampled(drawn.at(-1) ?? [], design - (drawn.length - 1) * optionCount, draw);
  return ascending([...drawn.slice(0, -1).flat(), ...last]);
}

function ascending(positions: readonly number[]): number[] {
  return positions.toSorted((a, b) => a - b);
}

const knownSquares = new Map<number, readonly (readonly number[])[]>();

/** All orders in squares: an order that begins with option 0, and its rotations. */
function squaresOf(optionCount: number): readonly (readonly number[])[] {
  const found = knownSquares.get(optionCount);
  if (found !== undefined) return found;
  const orders = permutationsOf(optionCount);
  const places = new Map(orders.map((order, i) => [order.join(), i]));
  const squares = orders
    .filter(([first]) => first === 0)
    .map((order) => order.map((_, shift) => places.get([...order.slice(shift), ...order.slice(0, shift)].join()) ?? 0));
  knownSquares.set(optionCount, squares);
  return squares;
}
