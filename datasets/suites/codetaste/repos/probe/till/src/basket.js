import { lineTotal } from "./line.js";

/** The sum of all lines, in euros. */
export function basketTotal(basket) {
  var total = 0;
  for (var i = 0; i < basket.lines.length; i++) {
    total = Math.round((total + lineTotal(basket.lines[i])) * 100) / 100;
  }
  return total;
}
