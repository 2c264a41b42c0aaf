import { expect, it } from "vitest";
import { type FilledSlot, PlaceNumbers, SlotPages } from "../../../src/store/journal/slots.js";

it("counts the places before an item, over many items with other counts, in any order of asking", () => {
  // 2, 6 and 24 places in turn: 32 before every third item.
  const numbers = new PlaceNumbers({ items: 600, places: (item) => [2, 6, 24][item % 3] ?? 0 });
  const before = (item: number) => 32 * Math.floor(item / 3) + ([0, 2, 8][item % 3] ?? 0);
  for (const item of [599, 0, 1, 63, 64, 65, 130, 200, 128, 320, 512]) expect(numbers.before(item)).toBe(before(item));
  expect(numbers.total).toBe(6400);
});

it("gives slots in order, whatever the order in which they came, of a journal of any size", () => {
  const slots: FilledSlot[] = [
    { number: 0, offset: 0, length: 1, isFailed: true },
    { number: 511, offset: 2 ** 32 - 1, length: 2 ** 31 - 1, isFailed: true },
    { number: 512, offset: 2 ** 32, length: 2 ** 31 - 1, isFailed: false },
    { number: 12_000, offset: 3 * 2 ** 32 + 7, length: 5, isFailed: false },
  ];
  const pages = new SlotPages();
  for (const slot of [...slots].reverse()) pages.set(slot.number, slot);
  expect([...pages.filled()]).toEqual(slots);
  for (const { number, ...slot } of slots) expect(pages.get(number)).toEqual(slot);
  for (const number of [1, 510, 513, 2000]) expect(pages.get(number)).toBeNull();
});

it("has the places of its items, and no others", () => {
  const numbers = new PlaceNumbers({ items: 2, places: (item) => item + 1 });
  const places = [-1, 0, 1, 2].map((item) => [-1, 0, 1, 2].filter((place) => numbers.has(item, place)));
  expect(places).toEqual([[], [0], [0, 1], []]);
});
