/**
 * Cosine of the angle between two vectors of the same length, −1 to 1.
 * @throws RangeError when the lengths differ, or a vector has no direction
 */
export function cosine(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) throw new RangeError(`Expected vectors of one length, found ${a.length} and ${b.length}.`);
  let [dot, squaresOfA, squaresOfB] = [0, 0, 0];
  a.forEach((x, i) => {
    const y = b[i] ?? 0;
    dot += x * y;
    squaresOfA += x * x;
    squaresOfB += y * y;
  });
  const norm = Math.sqrt(squaresOfA) * Math.sqrt(squaresOfB);
  if (!(norm > 0)) throw new RangeError("Expected vectors that have a direction, found one of length 0.");
  return dot / norm;
}
