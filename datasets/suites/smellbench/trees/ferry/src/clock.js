const MORNING = 6 * 60;

/** Minutes of a span that are before the morning. */
export function nightMinutes(from, to) {
  return Math.max(0, Math.min(to, MORNING) - from);
}

/** Minutes of a day as a clock shows them. */
export function clockOf(minutes) {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");
}
