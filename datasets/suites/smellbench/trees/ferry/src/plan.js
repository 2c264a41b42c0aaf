import { feeFor } from "./fee.js";
import { noticeOf } from "./notice.js";
import { collide, slotOf } from "./slot.js";

/** Plan of a day's ferries. */
export class Plan {
  #booked = [];

  /** Takes a ship in; gives its fee. */
  book(ship, quay, from, to) {
    const slot = slotOf(quay, from, to);
    const other = this.#booked.find((each) => collide(each.slot, slot));
    if (other !== undefined) throw new Error(`taken by ${other.ship}`);
    this.#booked.push({ ship, slot });
    return feeFor(slot);
  }

  board() {
    return this.#booked.map(({ ship, slot }) => noticeOf(ship, slot));
  }
}
