import { paysLess } from "./reduction.js";

/** What a guest is asked for at the door. */
export function askedFor({ age }) {
  return paysLess(age) ? ["ticket", "proof of age"] : ["ticket"];
}
