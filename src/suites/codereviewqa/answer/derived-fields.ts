import { messageOf, ProbeError } from "../../../base/errors.js";
import { isLogprob, SYMBOLS } from "../../../base/symbol.js";
import { ownText, shorten } from "../../../base/text.js";
import { permutationCount } from "../../../question/permutations.js";
import type { Answer } from "./answer.js";
import { symbolMass } from "./assemble-answer.js";

/** Tolerance of values that are computed anew: processors round in their own ways. */
const ROUNDING = 1e-9;

/**
 * Computes anew what an answer says that follows from the rest of it: a line whose checksum fits may be anybody's.
 * @param file of the journal
 * @throws ProbeError `bad_input` naming the first field that is something else
 */
export function requireDerived(file: string, answer: Answer): void {
  try {
    requireFields(answer);
  } catch (cause) {
    throw new ProbeError(
      "bad_input",
      `Expected ${file} as this program writes it, found an answer of ${answer.task} ${shorten(answer.exampleId, 80)} whose ` +
        `fields do not agree: ${messageOf(cause)}. Remove its line to ask that question again.`,
      { cause },
    );
  }
}

function requireFields(answer: Answer): void {
  const { permutation, outcome } = answer;
  const { order, rank, correctSymbol } = knownOrder(permutation);
  requireSame("permutation_index", answer.permutationIndex, rank);
  requireSame("correct_symbol", answer.correctSymbol, correctSymbol);
  if (outcome.status === "chosen") {
    requireSame("chosen_option", outcome.chosenOption, order[SYMBOLS.indexOf(outcome.chosenSymbol)]);
  }
  requireNumbers(answer, order.length);
}

interface KnownOrder {
  /** Option indices by their places. */
  readonly order: readonly number[];
  /** Position among the N! orders, lexicographic. */
  readonly rank: number;
  readonly correctSymbol: string | undefined;
}

const MOST_KNOWN = 50_000;
const knownOrders = new Map<string, KnownOrder>();

/** Worked out once: the orders of a million answers are the same few. */
function knownOrder(name: string): KnownOrder {
  const known = knownOrders.get(name);
  if (known !== undefined) return known;
  const order = orderOf(name);
  const made = { order, rank: rankOf(order), correctSymbol: SYMBOLS[order.indexOf(0)] };
  if (knownOrders.size >= MOST_KNOWN) knownOrders.clear();
  knownOrders.set(ownText(name), made);
  return made;
}

/** Option indices by their places. */
function orderOf(name: string): number[] {
  const order = (name.includes("-") ? name.split("-") : [...name]).map(Number);
  const isOrder = order.toSorted((a, b) => a - b).every((option, i) => option === i);
  if (order.length < 2 || order.length > SYMBOLS.length || !isOrder) {
    throw new Error(`expected an order of options as permutation, found "${name.slice(0, 60)}"`);
  }
  return order;
}

/** Position among the N! orders, lexicographic. */
function rankOf(order: readonly number[]): number {
  return order.reduce((rank, option, i) => {
    const smaller = order.slice(i + 1).filter((later) => later < option).length;
    return rank + smaller * permutationCount(order.length - 1 - i);
  }, 0);
}

function requireNumbers(answer: Answer, optionCount: number): void {
  const { logprobs, outcome } = answer;
  const strange = logprobs.find(({ symbol }) => !SYMBOLS.slice(0, optionCount).includes(symbol));
  if (strange !== undefined) throw new Error(`expected logprobs of ${optionCount} letters, found one of another`);
  const known = logprobs.flatMap(({ symbol, logprob }) => (logprob === null ? [] : [{ symbol, logprob }]));
  const wrong = known.find(({ logprob }) => !isLogprob(logprob));
  if (wrong !== undefined) throw new Error(`expected log probabilities, at most 0, found ${wrong.logprob}`);
  requireNear("symbol_mass", answer.symbolMass, symbolMass(logprobs));
  if (outcome.status !== "chosen" || outcome.margin === null) return;
  const [best, second] = known.toSorted((a, b) => b.logprob - a.logprob);
  requireSame("chosen_symbol", outcome.chosenSymbol, best?.symbol);
  const margin = best === undefined || second === undefined ? null : best.logprob - second.logprob;
  requireNear("margin", outcome.margin, margin);
}

function requireSame(field: string, found: string | number | null, expected: string | number | undefined): void {
  if (found !== expected) throw new Error(`expected ${field} ${String(expected)} by its other fields, found ${found}`);
}

function requireNear(field: string, found: number | null, expected: number | null): void {
  const isNear = found === null || expected === null ? found === expected : Math.abs(found - expected) <= ROUNDING;
  if (!isNear) throw new Error(`expected ${field} ${expected} by its other fields, found ${found}`);
}
