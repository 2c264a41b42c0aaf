/**
 * Indices of token sequences in lexicographic order: the depth-first order of their prefix tree, in which every shared
 * prefix is evaluated once when the cache holds the sequence before.
 */
export function depthFirstOrder(sequences: readonly (readonly number[])[]): number[] {
  return sequences.map((_, index) => index).sort((a, b) => compareTokens(sequences[a] ?? [], sequences[b] ?? []));
}

function compareTokens(a: readonly number[], b: readonly number[]): number {
  const shared = sharedPrefixLength(a, b);
  return (a[shared] ?? -1) - (b[shared] ?? -1);
}

/** How many tokens two sequences have in common from the start. */
export function sharedPrefixLength(a: readonly number[], b: readonly number[]): number {
  const limit = Math.min(a.length, b.length);
  let i = 0;
  while (i < limit && a[i] === b[i]) i++;
  return i;
}

/** Nodes of the prefix tree of the sequences: the fewest tokens that have to be evaluated to score them all. */
export function treeNodeCount(sequences: readonly (readonly number[])[]): number {
  const order = depthFirstOrder(sequences);
  return order.reduce((nodes, index, i) => {
    const sequence = sequences[index] ?? [];
    const before = i === 0 ? [] : (sequences[order[i - 1] ?? 0] ?? []);
    return nodes + sequence.length - sharedPrefixLength(before, sequence);
  }, 0);
}
