import { nightMinutes } from "./clock.js";

/** Pay of a pilot, whose shift is at no quay. */
export function payFor({ from, to }) {
  return to - from + nightMinutes(from, to) * 2;
}
