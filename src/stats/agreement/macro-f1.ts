import { mean, sum } from "simple-statistics";

/**
 * Macro-averaged F1 of two raters over the same items: the plain mean of the classes' F1 = 2 p_ii / (row_i + column_i),
 * 0–1 (the "averaged F1" of Opitz & Burst 2019). It does not matter
 * who of the two is the row. A class that one side uses and the other never has F1 = 0. `null` if a class is absent on
 * both sides, which leaves its F1 undefined, and so without items or classes.
 * @param counts square; `counts[i][j]`: items that the first put into class i, the second into class j
 */
export function macroF1(counts: readonly (readonly number[])[]): number | null {
  const scores = counts.map((row, i) => {
    const both = sum([...row]) + sum(counts.map((other) => other[i] ?? 0));
    return both === 0 ? null : (2 * (row[i] ?? 0)) / both;
  });
  const defined = scores.filter((score) => score !== null);
  return defined.length === 0 || defined.length < scores.length ? null : mean(defined);
}
