import type { Block, Inline } from "../report/block.js";
import { type ColumnOf, intervalOf, numberCell, sentence, tableOf, textCell } from "../report/make-block.js";
import type { JudgeAgreement } from "./agreement.js";

interface Side {
  readonly said: string;
  readonly counts: readonly number[];
}

/** How far two judges agree, for a person. */
export function agreementBlocks(names: readonly [string, string], found: JudgeAgreement): Block[] {
  const [first, second] = names;
  const { counts, kappa, macroF1, unanimity, unread, differing } = found;
  const column = (i: number, word: string): ColumnOf<Side> => ({
    ...{ id: word, label: `second: ${word}`, align: "right", importance: 1 },
    cell: (side) => numberCell(side.counts[i] ?? 0, "count"),
  });
  const rows = counts.map((own, i) => ({ said: `first: ${i === 0 ? "passed" : "failed"}`, counts: own }));
  const left = {
    ...({ id: "first", label: "", align: "left", importance: 1 } as const),
    cell: ({ said }: Side) => textCell(said),
  };
  const facts: [string, Inline][] = [
    ["first", first],
    ["second", second],
    ["criteria judged by both", { value: kappa.n, format: "count" }],
    ["same verdict", { value: kappa.observed, format: "fraction" }],
    ["kappa", { value: kappa.kappa, format: "coefficient", interval: intervalOf(kappa.low, kappa.high) }],
    ["macro-F1", { value: macroF1, format: "coefficient" }],
    [
      "all votes the same",
      {
        value: unanimity.share?.value ?? null,
        format: "fraction",
        interval: intervalOf(unanimity.share?.low, unanimity.share?.high),
      },
    ],
  ];
  return [
    tableOf(null, [left, column(0, "passed"), column(1, "failed")], rows),
    { kind: "facts", facts: facts.map(([name, part]) => ({ name, parts: [part] })) },
    ...(unread === 0 ? [] : [sentence(`${unread} criteria are left out: a verdict on them cannot be read.`)]),
    ...(differing === 0 ? [] : [sentence(`${differing} criteria are left out: what was handed in is not the same.`)]),
  ];
}

/** Likewise as JSON. */
export function agreementDocument(names: readonly [string, string], found: JudgeAgreement): object {
  const { counts, kappa, macroF1, unanimity, unread, differing } = found;
  return {
    judges: names,
    counts,
    n: kappa.n,
    observed: kappa.observed,
    ...{ kappa: kappa.kappa, kappa_low: kappa.low, kappa_high: kappa.high },
    macro_f1: macroF1,
    ...{ unanimity: unanimity.share?.value ?? null, unanimity_n: unanimity.n },
    ...{ unread, differing },
  };
}
