import { expect, it } from "vitest";
import { diffHunk } from "../../../src/dataset/hunk-diff.js";
import { readRevision } from "../../../src/distractors/near-miss/revision.js";
import { nearMissesOf } from "../../../src/distractors/near-miss/solution-choices.js";
import { squaresOf } from "../../../src/distractors/near-miss/squares.js";

/** Squares of a hunk all of whose lines change, and how often a revision was parsed for them. */
async function squaresOfHunk(lines: number) {
  const preReviewLines = Array.from({ length: lines }, (_, i) => `v${i + 1} = g(v${i}, ${i + 1})`);
  const postReviewLines = preReviewLines.map((line) => line.replace("g(", "h("));
  const diff = diffHunk(preReviewLines, postReviewLines);
  if (diff === null) throw new Error("no change");
  const triple = { id: "t", language: "python", review: "use h everywhere", preReviewLines, postReviewLines } as const;
  const revision = await readRevision(triple, diff);
  const { syntax } = revision;
  let parsed = 0;
  const counted = Object.assign(Object.create(syntax) as typeof syntax, {
    errors: (text: string) => {
      parsed++;
      return syntax.errors(text);
    },
  });
  return {
    squares: squaresOf(nearMissesOf(revision), { ...revision, syntax: counted }, triple, 1),
    parsed: () => parsed,
  };
}

it("are chosen from fewer in a hunk that is longer than usual, whose every diff takes longer", async () => {
  // 160 are tried of up to 200 lines; of 200 and 200 (200 / 400)² of them, 40, each of three texts at most.
  const { squares, parsed } = await squaresOfHunk(200);
  expect(parsed()).toBeLessThanOrEqual(3 * 40);
  // 0.65 of 40.
  expect([squares.hard.length, squares.easy.length]).toEqual([26, 26]);
});

it("are one of each difficulty where there are two, and the same of both where there is one", async () => {
  const [preReviewLines, postReviewLines] = [
    ["a = f(b)", "c"],
    ["a = g(b)", "c"],
  ];
  const diff = diffHunk(preReviewLines, postReviewLines);
  if (diff === null) throw new Error("no change");
  const triple = { id: "t", language: "python", review: "use g", preReviewLines, postReviewLines } as const;
  const revision = await readRevision(triple, diff);
  const miss = (start: number, to: string) =>
    ({ kind: "name", edits: [{ start, end: start + 1, to }], isAsked: true, cost: 0 }) as const;
  const solutionsOf = (...misses: ReturnType<typeof miss>[]) => {
    const { hard, easy } = squaresOf(misses, revision, triple, 1);
    return [hard, easy].map((squares) => squares.map(({ solutions }) => solutions[3]));
  };
  const shown = (code: string) => `1 - a = f(b)\n1 + ${code}`;
  // Two at one place are in no square together.
  expect(solutionsOf(miss(4, "k"), miss(6, "x"), miss(6, "longer"))).toEqual([
    [shown("a = k(x)")],
    [shown("a = k(longer)")],
  ]);
  expect(solutionsOf(miss(4, "k"), miss(6, "x"))).toEqual([[shown("a = k(x)")], [shown("a = k(x)")]]);
});
