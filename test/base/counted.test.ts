import { expect, it } from "vitest";
import { counted } from "../../src/base/text.js";

it.each([
  [0, "0 examples"],
  [1, "1 example"],
  [2, "2 examples"],
])("%i has its noun", (count, text) => {
  expect(counted(count, "examples")).toBe(text);
});
