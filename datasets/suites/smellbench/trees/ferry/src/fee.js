import { nightMinutes } from "./clock.js";

const RATES = { north: 3, south: 2 };

/** What a slot costs; at night it is twice as much. */
export function feeFor(slot) {
  return (slot.to - slot.from + nightMinutes(slot.from, slot.to)) * RATES[slot.quay];
}
