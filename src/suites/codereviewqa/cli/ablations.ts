import { shorten } from "../../../base/text.js";
import { list, usage, type Values } from "../../../console/arguments.js";
import { WITHHELD, type Withheld } from "../../../question/form.js";

/** What is to be withheld, each once, in the order of the tables; none given: none. */
export function ablations(values: Values): Withheld[] {
  const given = list(values).map((value) => value.toLowerCase());
  const unknown = given.find((value) => !WITHHELD.some((known) => known === value));
  if (unknown !== undefined) throw usage("ablate", WITHHELD.join(", "), `"${shorten(unknown, 120)}"`);
  return WITHHELD.filter((ablation) => given.includes(ablation));
}
