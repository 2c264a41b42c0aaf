/** What a line of a basket costs, in euros. */
export function lineTotal(line) {
  return Math.round(line.price * line.count * 100) / 100;
}

/** A line as the receipt shows it. */
export function lineText(line) {
  return line.count + " x " + line.name + "  " + lineTotal(line).toFixed(2) + " EUR";
}
