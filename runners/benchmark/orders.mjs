// Every order of the options of a question. The questions are read here, not by promptfoo: it fills in whatever looks like
// a template in its own files, variables of the environment too.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const SYMBOLS = "ABCDEFGH";
const known = new Map();

/** The question of a test, and the order in which it is asked. */
export function asked({ form, question, order }) {
  const row = rowsOf(form)[Number(question)];
  return { ...row, shown: orderAt(row.options.length, Number(order)) };
}

/** The prompt, to the byte. */
export function promptOf({ stem, options, joints, shown }) {
  return stem + shown.map((option, place) => options[option] + joints[place]).join("");
}

export function rightLetter({ shown }) {
  return SYMBOLS[shown.indexOf(0)];
}

/** The letter that an answer begins with, brackets and stars aside. */
export function letterOf(text, { shown }) {
  const [, letter] = /^[^A-Za-z]*([A-Za-z])(?![A-Za-z])/.exec(text) ?? [];
  return letter !== undefined && SYMBOLS.slice(0, shown.length).includes(letter) ? letter : null;
}

/** The orders of a question. */
export function orderCount({ options }) {
  return options.reduce((product, _, i) => product * (i + 1), 1);
}

function rowsOf(form) {
  if (!known.has(form)) {
    const text = readFileSync(join(import.meta.dirname, `${form}.jsonl`), "utf8");
    known.set(
      form,
      text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    );
  }
  return known.get(form);
}

/** The order at a place among the N!, in lexicographic order. */
function orderAt(count, place) {
  const left = Array.from({ length: count }, (_, i) => i);
  const order = [];
  let rest = place;
  for (let size = count; size > 0; size--) {
    const block = left.slice(1).reduce((product, _, i) => product * (i + 1), 1);
    order.push(...left.splice(Math.floor(rest / block), 1));
    rest %= block;
  }
  return order;
}
