/** `target` += `factor` · `added`, in place. */
export function addScaled(target: number[], added: readonly number[], factor: number): void {
  for (let k = 0; k < target.length; k++) target[k] = (target[k] ?? 0) + factor * (added[k] ?? 0);
}

/**
 * The x of A x = b by Gaussian elimination, without pivoting: for a symmetric and positive definite A, such as a matrix of
 * covariances with a ridge.
 * @param matrix rows of A
 * @param right b
 */
export function solvePositive(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  return eliminated(matrix.map((row, k) => [...row, right[k] ?? 0])).map((row) => row.at(-1) ?? 0);
}

/** The inverse of a symmetric and positive definite matrix, by rows. */
export function invertPositive(matrix: readonly (readonly number[])[]): number[][] {
  const unit = (k: number) => matrix.map((_, l) => Number(l === k));
  return eliminated(matrix.map((row, k) => [...row, ...unit(k)])).map((row) => row.slice(matrix.length));
}

/** Rows of a matrix with further columns, in place: the matrix becomes the unit matrix. */
function eliminated(rows: number[][]): number[][] {
  for (const [k, pivot] of rows.entries()) {
    const head = pivot[k] ?? 1;
    for (const [l, row] of rows.entries()) {
      if (l !== k) addScaled(row, pivot, -(row[k] ?? 0) / head);
    }
  }
  return rows.map((row, k) => row.map((value) => value / (row[k] ?? 1)));
}

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
