/**
 * Cuts `count` tokens into batches of at most `batchSize`, none of a single token: the engine evaluates one token with
 * another kernel, whose result differs from a batch's by up to 1.5e-3 nats.
 * @returns sizes that sum to `count`; each at least 2 where `count` >= 2 and `batchSize` >= 3
 */
export function batchSizes(count: number, batchSize: number): number[] {
  const sizes: number[] = [];
  let left = count;
  while (left > batchSize) {
    const size = left - batchSize === 1 ? batchSize - 1 : batchSize;
    sizes.push(size);
    left -= size;
  }
  if (left > 0) sizes.push(left);
  return sizes;
}
