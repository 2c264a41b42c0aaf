/** A quay for the minutes of a day from one up to another. */
export function slotOf(quay, from, to) {
  if (to <= from) throw new Error(`a slot ends after it begins: ${from} to ${to}`);
  return { quay, from, to };
}

/** Tells whether two slots want one quay at once. */
export function collide(one, other) {
  return one.quay === other.quay && one.from < other.to && other.from < one.to;
}
