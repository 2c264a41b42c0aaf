import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeReviews } from "../../../src/dataset/curate/review-statistics.js";
import { readTriples } from "../../../src/dataset/triple.js";
import { invalidLine, streamOf, unsupportedLine, validLine } from "../../fixtures/triple-line.js";

const unchanged = { preReviewLines: ["a"], postReviewLines: ["a"] };
const deletion = { preReviewLines: ["a", "b"], postReviewLines: ["a"] };

describe("describeReviews", () => {
  it("has the rows of Table 5 in its order", async () => {
    const { statistics } = await describeReviews(streamOf([validLine()]), []);
    expect(statistics.map(({ statistic, changeType, n }) => [statistic, changeType, n])).toEqual([
      ["comment_length", null, 1],
      ["code_edit_distance", null, 1],
      ["change_locations", "add", 0],
      ["change_locations", "delete", 0],
      ["change_locations", "modify", 1],
      ["code_element_ratio", null, 1],
      ["specification_ratio", null, 1],
    ]);
  });

  it("leaves a comment without words out of the ratios only", async () => {
    const { examples, statistics } = await describeReviews(streamOf([validLine({ review: "" }), validLine()]), []);
    expect(examples).toBe(2);
    // 0 and 3 words.
    expect(statistics[0]).toMatchObject({ n: 2, min: 0, max: 3, mean: 1.5 });
    expect(statistics.slice(-2).map(({ n }) => n)).toEqual([1, 1]);
  });

  it("counts what is left out, by why", async () => {
    const lines = [
      validLine(unchanged),
      validLine({ language: "go", ...deletion }),
      validLine(deletion),
      unsupportedLine("cobol"),
      invalidLine(),
    ];
    const { examples, leftOut, statistics } = await describeReviews(streamOf(lines), ["python"]);
    expect(examples).toBe(1);
    expect(leftOut).toEqual({ unchanged: 1, other_language: 1, unsupported_language: 1, invalid: 1 });
    expect(statistics[3]).toMatchObject({ changeType: "delete", n: 1, min: 1 });
  });
});

const REAL = join(import.meta.dirname, "../../../../shared/datasets/codereviewqa-train.jsonl");
if (!existsSync(REAL)) process.stdout.write("Skipping real reviews: shared/datasets is not beside the repository\n");

describe.skipIf(!existsSync(REAL))("original reviews of the paper's authors", () => {
  it("look like those of the paper's Table 5", async () => {
    const { examples, statistics } = await describeReviews(readTriples(REAL), []);
    const of = (name: string) => statistics.find(({ statistic }) => statistic === name)!;
    expect(examples).toBe(961);
    // Table 5 (another sample of the same source): quartiles 8, 13, 23 words; ratio 0.09, upper quartile 0.13.
    const length = of("comment_length");
    expect([length.q1, length.q3]).toEqual([8, 23]);
    expect(Math.abs(length.median! - 13)).toBeLessThanOrEqual(1);
    expect(Math.abs(of("code_element_ratio").mean! - 0.09)).toBeLessThan(0.02);
    expect(Math.abs(of("code_element_ratio").q3! - 0.13)).toBeLessThan(0.02);
  });
});
