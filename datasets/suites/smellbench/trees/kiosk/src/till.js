/** The money of a day, in cents. */
export class Till {
  #cents = 0;
  #sales = 0;

  ring(cents) {
    this.#cents += cents;
    this.#sales += 1;
  }

  close() {
    return `${this.#sales} sales, ${(this.#cents / 100).toFixed(2)}`;
  }
}
