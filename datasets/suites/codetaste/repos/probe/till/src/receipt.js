import { basketTotal } from "./basket.js";
import { discountOf } from "./discount.js";
import { lineText } from "./line.js";

/** The whole receipt, a line each. */
export function receipt(basket) {
  var text = "";
  for (var i = 0; i < basket.lines.length; i++) {
    text = text + lineText(basket.lines[i]) + "\n";
  }
  var discount = discountOf(basket);
  if (discount > 0) {
    text = text + "Discount  -" + discount.toFixed(2) + " EUR\n";
  }
  var due = basketTotal(basket) - discount;
  return text + "Total  " + due.toFixed(2) + " EUR\n";
}
