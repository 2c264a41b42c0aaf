import { toMetres } from "./units.js";

/** The highest of the readings, in metres; 0 of none. */
export function highest(readings) {
  return readings.length === 0 ? 0 : toMetres(Math.max(...readings));
}

/** How far the water rose, in metres. */
export function range(readings) {
  if (readings.length < 2) return 0;
  return toMetres(Math.max(...readings) - Math.min(...readings));
}
