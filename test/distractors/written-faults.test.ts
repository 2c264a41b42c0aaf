import { describe, expect, it } from "vitest";
import { faultsIn } from "../../src/distractors/written-faults.js";

describe("faults in a reply", () => {
  const fault = { line: 2, from: "a", to: "b" };

  it("are objects, one a line or in a list, with text around them or a fence", () => {
    expect(faultsIn('{"line": 2, "from": "a", "to": "b"}')).toEqual([fault]);
    expect(faultsIn('Here:\n```json\n[\n  {"line": 2, "from": "a", "to": "b"},\n]\n```')).toEqual([fault]);
    expect(faultsIn('[{"line": 2, "from": "a",\n "to": "b"}]')).toEqual([fault]);
  });

  it("are normalised as reviews are", () => {
    expect(faultsIn('{"line": 2, "from": "a", "to": "b\\r\\nc\\ud800"}')).toEqual([{ ...fault, to: "b\nc\ufffd" }]);
  });

  it("are taken once, and only whole", () => {
    const line = JSON.stringify(fault);
    expect(
      faultsIn(`${line}\n${line}\n{"line": "2", "from": "a", "to": "b"}\n{"line": 0, "from": "a", "to": "b"}`),
    ).toEqual([fault]);
    expect(faultsIn('I cannot. {"line": 2, "from"')).toEqual([]);
  });
});
