import { isDangerous } from "./danger.js";

/** What is done at this level. */
export function alarmFor(level) {
  return isDangerous(level) ? "horn" : "none";
}
