import type { ChoiceSymbol } from "../../../base/symbol.js";

interface PositionBias {
  /** Share of the answers that chose the commonest symbol: 1/N (none) to 1 (always the same). */
  readonly largestShare: number;
  /** The commonest symbol; the first in the alphabet where several are. */
  readonly symbol: ChoiceSymbol;
  /**
   * Σ (observed − expected)²/expected over the N symbols, expected = n/N (Pearson): 0 to n(N−1). Orders of one question
   * are not independent, so it is a size, not a test.
   */
  readonly chiSquare: number;
  /** Answers that chose a symbol. */
  readonly n: number;
}

/**
 * How far the chosen symbols are from uniform. Over all N! orders every option stands at every symbol equally often, so
 * a model that binds symbols to options chooses each equally often, whatever it knows. `null` without a chosen answer.
 */
export function positionBias(
  counts: ReadonlyMap<ChoiceSymbol, number>,
  symbols: readonly ChoiceSymbol[],
): PositionBias | null {
  const observed = symbols.map((symbol) => ({ symbol, count: counts.get(symbol) ?? 0 }));
  const n = observed.reduce((total, { count }) => total + count, 0);
  if (n === 0) return null;
  const expected = n / symbols.length;
  const commonest = observed.reduce((most, candidate) => (candidate.count > most.count ? candidate : most));
  return {
    largestShare: commonest.count / n,
    symbol: commonest.symbol,
    chiSquare: observed.reduce((total, { count }) => total + (count - expected) ** 2 / expected, 0),
    n,
  };
}
