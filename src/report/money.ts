import { shorten } from "../base/text.js";

/** An amount with its currency: cents, or two digits where it is less than one. */
export function money(amount: number, currency: string): string {
  const text = amount > 0 && amount < 0.01 ? amount.toPrecision(2) : amount.toFixed(2);
  return `${text} ${shorten(currency, 120)}`;
}
