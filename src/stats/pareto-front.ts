/**
 * Points of which no other costs at most as much and scores at least as high, one of both strictly: by cost upwards.
 */
export function paretoFront<T extends { readonly cost: number; readonly score: number }>(points: readonly T[]): T[] {
  const beats = (a: T, b: T) => a.cost <= b.cost && a.score >= b.score && (a.cost < b.cost || a.score > b.score);
  return points.filter((point) => !points.some((other) => beats(other, point))).toSorted((a, b) => a.cost - b.cost);
}
