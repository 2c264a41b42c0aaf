import { isDangerous } from "./danger.js";

/** A line of the log. */
export function logLine(hour, level) {
  const mark = isDangerous(level) ? "*" : " ";
  return `${String(hour).padStart(2, "0")} ${mark} ${level}`;
}
