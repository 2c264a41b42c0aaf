import { describe, expect, it } from "vitest";
import { parseOptions } from "../../src/console/option.js";
import { GATE_OPTIONS, gateOf } from "../../src/console/run-options.js";

const gate = (given: Record<string, unknown>) => gateOf(parseOptions(GATE_OPTIONS, given));

describe("--fail-under and --require", () => {
  it("ask for nothing unless they are given", () => {
    expect(gate({})).toEqual({ thresholds: [], requirements: [] });
  });

  it("name a form, or none for all; a list with commas, or repeated", () => {
    expect(gate({ failUnder: ["CL=0.6,SI_hard=1", "0"], require: ["above_floor", "CTR=readable"] })).toEqual({
      thresholds: [
        { form: "CL", least: 0.6 },
        { form: "SI_hard", least: 1 },
        { form: null, least: 0 },
      ],
      requirements: [
        { form: null, requirement: "above_floor" },
        { form: "CTR", requirement: "readable" },
      ],
    });
  });

  it.each(["CL=60", "CL=-0.1", "CL=", "CL", "CL=high"])("refuse the threshold %s", (text) => {
    expect(() => gate({ failUnder: [text] })).toThrow("Expected a score from 0 to 1, such as CL=0.6 or 0.6");
  });

  it("refuse another requirement", () => {
    expect(() => gate({ require: ["CL=good"] })).toThrow(
      'Expected readable or above_floor, such as CL=above_floor for --require, found "good".',
    );
  });
});
