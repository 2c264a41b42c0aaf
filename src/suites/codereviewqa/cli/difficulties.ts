import { shorten } from "../../../base/text.js";
import { list, usage, type Values } from "../../../console/arguments.js";
import { DIFFICULTIES, type Difficulty } from "../../../dataset/example.js";

/** `easy`, `hard`, or `both`; none given: none. */
export function difficulties(values: Values): Difficulty[] {
  const given = list(values).map((value) => value.toLowerCase());
  const unknown = given.find((value) => value !== "both" && !DIFFICULTIES.some((known) => known === value));
  if (unknown !== undefined) throw usage("difficulty", "easy, hard or both", `"${shorten(unknown, 120)}"`);
  return DIFFICULTIES.filter((difficulty) => given.includes(difficulty) || given.includes("both"));
}
