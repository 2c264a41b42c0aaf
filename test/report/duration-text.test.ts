import { expect, it } from "vitest";
import { durationText } from "../../src/report/duration-text.js";

it.each([
  [0, "0 s"],
  [1, "1 s"],
  [59_000, "59 s"],
  [59_001, "1 min"],
  [185_000, "3 min 5 s"],
  // 2 h 9 min 1 s: rounded up.
  [7_741_000, "2 h 10 min"],
  // 2 h 59 min 30 s.
  [10_770_000, "3 h"],
  // 27 h.
  [97_200_000, "1 d 3 h"],
])("%i ms are %s", (durationMs, text) => {
  expect(durationText(durationMs)).toBe(text);
});
