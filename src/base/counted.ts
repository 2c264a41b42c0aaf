/** A count with its noun: `1 example`, `2 examples`. */
export function counted(count: number, plural: string): string {
  return `${count} ${nounOf(count, plural)}`;
}

/** The noun that a count has. */
export function nounOf(count: number, plural: string): string {
  return count === 1 ? plural.replace(/s$/, "") : plural;
}
