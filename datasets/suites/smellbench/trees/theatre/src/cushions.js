/** Guests who are too small to see from a seat. */
export function cushionsFor(guests) {
  return guests.filter(({ age }) => age < 12).map(({ name }) => name);
}
