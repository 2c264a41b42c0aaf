import { describe, expect, it } from "vitest";
import { floorLine, parseFloorLine } from "../../../src/question/floors/floor-record.js";
import { makeFloors } from "../../fixtures/question-floors.js";

describe("floorLine", () => {
  it("comes back as it was, to the last digit", () => {
    const floors = makeFloors({
      difficulty: "hard",
      shares: { longest: 1 / 3, review_overlap: 1 },
      lexical: ["review_overlap"],
    });
    const line = floorLine(floors);
    expect(line).not.toContain("\n");
    expect(parseFloorLine(line)).toEqual(floors);
  });
});

describe("parseFloorLine", () => {
  it.each(["", "{", "{}", floorLine(makeFloors()).replace('"longest":1', '"longest":2')])(
    "takes nothing else: %s",
    (line) => {
      expect(parseFloorLine(line)).toBeNull();
    },
  );
});
