import { clockOf } from "./clock.js";

/** What the board shows. */
export function noticeOf(ship, slot) {
  return `${clockOf(slot.from)}-${clockOf(slot.to)} ${ship}, ${slot.quay}`;
}
