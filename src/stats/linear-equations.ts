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
  const rows = matrix.map((row, k) => [...row, right[k] ?? 0]);
  for (const [k, pivot] of rows.entries()) {
    const head = pivot[k] ?? 1;
    for (const [l, row] of rows.entries()) {
      if (l === k) continue;
      addScaled(row, pivot, -(row[k] ?? 0) / head);
    }
  }
  return rows.map((row, k) => (row.at(-1) ?? 0) / (row[k] ?? 1));
}

/** The inverse of a symmetric and positive definite matrix, by rows. */
export function invertPositive(matrix: readonly (readonly number[])[]): number[][] {
  return matrix.map((row, k) => {
    const unit = row.map((_, l) => Number(l === k));
    return solvePositive(matrix, unit);
  });
}
