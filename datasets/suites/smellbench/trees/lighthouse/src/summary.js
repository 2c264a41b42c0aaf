import { isDangerous } from "./danger.js";

/** Hours of a day that were dangerous. */
export function dangerousHours(levels) {
  return levels.filter((level) => isDangerous(level)).length;
}
