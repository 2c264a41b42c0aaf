import { basketTotal } from "./basket.js";

/** What is taken off, in euros: ten percent from fifty euros on, and five more for members. */
export function discountOf(basket) {
  var total = basketTotal(basket);
  var percent = total >= 50 ? 10 : 0;
  if (basket.isMember) {
    percent = percent + 5;
  }
  return Math.round(total * percent) / 100;
}
