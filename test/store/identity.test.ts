import { describe, expect, it } from "vitest";
import { commonName, differences, workId } from "../../src/store/identity.js";

describe("differences", () => {
  const recorded = { model: "a", "model file": "a.gguf", modelled: true, seed: 1, forms: ["x"], gone: null };

  it("are a line each, in the order of what is asked, then of what is recorded alone", () => {
    expect(differences(recorded, { ...recorded, seed: 2, added: ["p"], gone: 0 }, "the run", "that one")).toEqual([
      "seed: the run has 1, that one 2",
      "gone: the run has null, that one 0",
      'added: the run has none, that one ["p"]',
    ]);
    expect(differences({ only: "here" }, {}, "the run")).toEqual(['only: the run has "here", this command none']);
    expect(differences(recorded, { ...recorded, forms: ["x"] }, "the run")).toEqual([]);
  });

  it("leave out facts about a thing that is another, and not those whose names begin alike", () => {
    const other = { ...recorded, model: "b", "model file": "b.gguf", modelled: false };
    expect(differences(recorded, other, "the run")).toEqual([
      'model: the run has "a", this command "b"',
      "modelled: the run has true, this command false",
    ]);
    expect(differences(recorded, { ...recorded, "model file": "b.gguf" }, "the run")).toHaveLength(1);
  });
});

describe("the name of a piece of work", () => {
  const now = new Date("2026-11-21T23:03:54.987Z");
  const fingerprint = "1f2e3d4c".padEnd(64, "0");

  it("says when it began, the model and the fingerprint, and its kind where it has one", () => {
    expect(workId({ now, kind: null, label: "tiny", fingerprint })).toBe("20261121T230354Z-tiny-1f2e3d4c");
    expect(workId({ now, kind: "audit", label: "tiny", fingerprint })).toBe("20261121T230354Z-audit-tiny-1f2e3d4c");
  });

  it("is a plain folder name: the last 40 characters of the model's name that can stand in one", () => {
    const label = `a/../my model: ${"y".repeat(28)}`;
    // `..-my-model-` and 28 of y are 40; a name begins with no point and no hyphen.
    expect(workId({ now, kind: null, label, fingerprint })).toBe(
      `20261121T230354Z-my-model-${"y".repeat(28)}-1f2e3d4c`,
    );
    expect(workId({ now, kind: null, label: "../.tiny", fingerprint })).toBe("20261121T230354Z-tiny-1f2e3d4c");
  });

  it("has in common with that of other such work neither when it began nor its fingerprint", () => {
    expect(commonName("20261121T230354Z-audit-my-model-1f2e3d4c")).toBe("audit-my-model");
    expect(commonName("20261121T230354Z-tiny-1f2e3d4c-1f2e3d4c")).toBe("tiny-1f2e3d4c");
  });
});
