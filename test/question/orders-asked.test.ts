import { describe, expect, it } from "vitest";
import { designedOrders, orderCount, orderName, permutationsOf } from "../../src/question/permutations.js";

const QUESTION = { task: "CL", difficulty: "easy", exampleId: "x" };
const names = (positions: readonly number[], optionCount: number) =>
  positions.map((position) => orderName(permutationsOf(optionCount)[position]!));

/** How often each option stands at each place, as `option@place`. */
function counts(orders: readonly string[]): number[] {
  const found = new Map<string, number>();
  for (const order of orders)
    for (const [place, option] of [...order].entries())
      found.set(`${option}@${place}`, (found.get(`${option}@${place}`) ?? 0) + 1);
  const size = (orders[0]?.length ?? 0) ** 2;
  return [...found.values(), ...Array.from({ length: size - found.size }, () => 0)];
}

describe("orders by design", () => {
  it("are all, N, or so many but never more than there are", () => {
    expect((["all", "cyclic", 8, 1] as const).map((design) => orderCount(design, 4))).toEqual([24, 4, 8, 1]);
    expect((["all", "cyclic", 8, 1] as const).map((design) => orderCount(design, 3))).toEqual([6, 3, 6, 1]);
    expect(designedOrders(QUESTION, 3, 8, 0)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it("are the rotations where they are cyclic: each option at each place once", () => {
    expect(names(designedOrders(QUESTION, 4, "cyclic", 7), 4)).toEqual(["0123", "1230", "2301", "3012"]);
    expect(counts(names(designedOrders(QUESTION, 3, "cyclic", 0), 3))).toEqual(Array.from({ length: 9 }, () => 1));
  });

  it.each(Array.from({ length: 24 }, (_, i) => i + 1))(
    "are %i different ones in balance, whatever the question",
    (design) => {
      for (const exampleId of ["a", "b", "c", "d", "e"]) {
        const orders = names(designedOrders({ ...QUESTION, exampleId }, 4, design, 3), 4);
        expect(new Set(orders).size).toBe(design);
        const each = counts(orders);
        // K orders over four places: ⌊K/4⌋ or ⌈K/4⌉ times each.
        expect([Math.min(...each), Math.max(...each)]).toEqual([Math.floor(design / 4), Math.ceil(design / 4)]);
      }
    },
  );

  it("depend on seed and question alone, and not always on the same orders", () => {
    const drawn = (exampleId: string, seed: number) => designedOrders({ ...QUESTION, exampleId }, 4, 5, seed).join();
    expect(drawn("a", 1)).toBe(drawn("a", 1));
    const ids = Array.from({ length: 40 }, (_, i) => String(i));
    expect(new Set(ids.map((id) => drawn(id, 1))).size).toBeGreaterThan(30);
    expect(ids.filter((id) => drawn(id, 1) === drawn(id, 2)).length).toBeLessThan(5);
  });
});
