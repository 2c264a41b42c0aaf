import { Stock } from "./stock.js";
import { Till } from "./till.js";

/** A kiosk: what is sold leaves the stock, and its price goes to the till. */
export class Kiosk {
  #stock = new Stock();
  #till = new Till();

  deliver(name, count) {
    this.#stock.add(name, count);
  }

  sell(name, cents) {
    if (!this.#stock.take(name)) return false;
    this.#till.ring(cents);
    return true;
  }

  report(names) {
    const left = names.map((name) => `${name} ${this.#stock.countOf(name)}`);
    return [...left, this.#till.close()].join("; ");
  }
}
