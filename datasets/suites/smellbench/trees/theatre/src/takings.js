import { paysLess } from "./reduction.js";

/** Guests of an evening by what they paid. */
export function countGuests(guests) {
  const reduced = guests.filter(({ age }) => paysLess(age)).length;
  return { reduced, full: guests.length - reduced };
}
