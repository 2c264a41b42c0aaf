/** Readings of a night, a line each. */
export function logOf(instruments, night) {
  return [night.date, ...instruments.map((each) => each.observe(night))].join("\n");
}
