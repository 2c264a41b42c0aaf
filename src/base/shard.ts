/** One of the equal shares into which a piece of work is split, such as the second of four. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  /** Number of shares. */
  readonly count: number;
}

/** Such as `2/4`. */
export function shardText({ index, count }: Shard): string {
  return `${index}/${count}`;
}

/**
 * Tells whether a share has the unit at this position, from 0: units are dealt out in turn, so that neighbours that are alike
 * (a language, a repository) are spread evenly, and the same unit is always in the same share.
 * @param shard `null` or absent: all of the work
 */
export function isInShard(shard: Shard | null | undefined, position: number): boolean {
  return shard == null || position % shard.count === shard.index - 1;
}
