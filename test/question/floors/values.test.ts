import { describe, expect, it } from "vitest";
import { majorityFloor, randomFloors } from "../../../src/question/floors/floors.js";

describe("randomFloors", () => {
  it("of three options are 1/3 for one order and 1/729 for all six", () => {
    const floors = randomFloors(3, 6);
    expect(floors.oneOrder).toBe(1 / 3);
    // 3^6 = 729
    expect(floors.invariant).toBeCloseTo(1 / 729, 15);
  });

  it("of four options are 1/4 for one order and 2^-48 for all 24", () => {
    expect(randomFloors(4, 24)).toEqual({ oneOrder: 0.25, invariant: 2 ** -48 });
  });
});

describe("majorityFloor", () => {
  it("is the share of the commonest class: 721 modify in the paper's 900", () => {
    const classes = [
      ...Array.from({ length: 100 }, () => "add"),
      ...Array.from({ length: 721 }, () => "modify"),
      ...Array.from({ length: 79 }, () => "delete"),
    ];
    // 721/900 = 0.80111…
    expect(majorityFloor(classes)).toEqual({ share: 721 / 900, answer: "modify" });
  });

  it("is absent where options have no classes, and without questions", () => {
    expect(majorityFloor([null, null])).toBeNull();
    expect(majorityFloor([])).toBeNull();
  });
});
