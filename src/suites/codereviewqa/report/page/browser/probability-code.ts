/** Tenths of a percent, as the page shows them; from U+0100 on, a character takes two bytes and is never escaped. */
const FIRST = 0x100;
const PARTS = 1_000;
const BELOW = FIRST + PARTS + 1;
const UNKNOWN = FIRST + PARTS + 2;

/** Stands for less than half a tenth of a percent, but more than nothing. */
const SMALL = 0.5 / PARTS;

/** The character code of a probability, as exact as the page shows it; `null` where it is unknown. */
export function probabilityCode(probability: number | null): number {
  if (probability === null) return UNKNOWN;
  return probability > 0 && probability < SMALL ? BELOW : FIRST + Math.round(probability * PARTS);
}

/** The probability that a code stands for; of what is less than is shown, some such number. */
export function probabilityOf(code: number): number | null {
  if (code === UNKNOWN) return null;
  return code === BELOW ? SMALL / 2 : (code - FIRST) / PARTS;
}
