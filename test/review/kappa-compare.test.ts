import { describe, expect, it } from "vitest";
import { compareDecisions } from "../../src/review/annotator-agreement.js";
import { readDecisions } from "../../src/review/decisions-file.js";
import { writeDecisions } from "../fixtures/decisions.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";

const folder = useFreshFolder();

async function compare(
  a: Parameters<typeof writeDecisions>[2],
  b: Parameters<typeof writeDecisions>[2],
  examples: number,
) {
  const dataset = { examples };
  const [ours, theirs] = await Promise.all([
    readDecisions(writeDecisions(folder.path("a.jsonl"), "ada", a, dataset)),
    readDecisions(writeDecisions(folder.path("b.jsonl"), "bob", b, dataset)),
  ]);
  return compareDecisions(ours, theirs);
}

describe("two annotators' decisions side by side", () => {
  it("count what both, one and neither decided", async () => {
    const found = await compare({ x: "keep", y: "keep", z: "keep" }, { z: "keep", w: "keep" }, 9);
    // Of nine: z by both, x and y by ada, w by bob, five by neither.
    expect(found).toMatchObject({ both: 1, onlyA: ["x", "y"], onlyB: ["w"], neither: 5, annotators: ["ada", "bob"] });
    expect(found.keepDrop.n).toBe(1);
  });

  it("agree on a drop whatever the reasons over keep and drop, and not over all eight categories", async () => {
    const found = await compare(
      { p: "keep", q: "unclear_comment", r: "code_formatting", s: "keep" },
      { p: "keep", q: "unclear_comment", r: "not_self_contained", s: "wrong_linking" },
      4,
    );
    expect(found.keepDrop).toMatchObject({ categories: ["keep", "drop"], observed: 0.75 });
    // Row: ada. p: keep, keep; s: keep, drop; q and r: drop, drop.
    expect(found.keepDrop.counts).toEqual([
      [1, 1],
      [0, 2],
    ]);
    expect(found.allCategories.categories).toHaveLength(8);
    expect(found.allCategories.observed).toBe(0.5);
  });

  it("list what they disagree on, with both decisions and notes, and say whether it is the decision or the reason", async () => {
    const { conflicts } = await compare(
      { q: "keep", r: "code_formatting", s: "keep" },
      { q: "unclear_comment", r: "not_self_contained", s: "keep" },
      3,
    );
    expect(conflicts.map(({ example_id, kind }) => [example_id, kind])).toEqual([
      ["q", "decision"],
      ["r", "reason"],
    ]);
    expect(conflicts[0]).toMatchObject({
      a: { decision: "keep", reason: null, note: "ada on q" },
      b: { decision: "drop", reason: "unclear_comment", note: "bob on q" },
    });
  });

  it("are refused when they are about different files, naming both", async () => {
    const a = await readDecisions(writeDecisions(folder.path("a.jsonl"), "ada", { x: "keep" }));
    const other = { sha256: "b".repeat(64), path: "other.jsonl" };
    const b = await readDecisions(writeDecisions(folder.path("b.jsonl"), "bob", { x: "keep" }, other));
    expect(() => compareDecisions(a, b)).toThrow(
      /a\.jsonl: data\.jsonl, sha256 a{64}\n.*b\.jsonl: other\.jsonl, sha256 b{64}/,
    );
  });
});
