/** The sum; 0 without values. */
export function sumOf(values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

/** The sum; `null` as soon as one value is not known. */
export function sumOrNull(values: Iterable<number | null>): number | null {
  let sum = 0;
  for (const value of values) {
    if (value === null) return null;
    sum += value;
  }
  return sum;
}

/** The mean of the values that are known; `null` without any. */
export function meanOrNull(values: Iterable<number | null>): number | null {
  const known = [...values].filter((value) => value !== null);
  return known.length === 0 ? null : sumOf(known) / known.length;
}
