import { expect, it } from "vitest";
import { PlaceNumbers } from "../../../src/store/journal/slots.js";

it("counts the places before an item, over many items with other counts, in any order of asking", () => {
  // 2, 6 and 24 places in turn: 32 before every third item.
  const numbers = new PlaceNumbers({ items: 600, places: (item) => [2, 6, 24][item % 3] ?? 0 });
  const before = (item: number) => 32 * Math.floor(item / 3) + ([0, 2, 8][item % 3] ?? 0);
  for (const item of [599, 0, 1, 63, 64, 65, 130, 200, 128, 320, 512]) expect(numbers.before(item)).toBe(before(item));
  expect(numbers.total).toBe(6400);
});
