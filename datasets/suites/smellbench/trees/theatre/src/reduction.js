const GROWN = 12;
const RETIRED = 67;

/** Tells whether guests of this age pay less. */
export function paysLess(age) {
  return age < GROWN || age >= RETIRED;
}
