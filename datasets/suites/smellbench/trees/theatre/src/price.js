import { paysLess } from "./reduction.js";

/** Price of a seat in a row. */
export function priceOf(age, row) {
  const full = row < 5 ? 30 : 20;
  return paysLess(age) ? full / 2 : full;
}
