import { paysLess } from "./reduction.js";

/** Lines of the letter that a guest gets. */
export function letterTo({ name, age }) {
  const lines = [`Dear ${name},`];
  if (paysLess(age)) lines.push("bring something that shows your age.");
  return [...lines, "See you tonight."];
}
