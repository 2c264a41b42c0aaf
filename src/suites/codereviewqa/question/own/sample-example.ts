import type { Example } from "../../example/example.js";

/** A made-up example with everything an example can have: what of a probe can be tried before there is data. */
export const SAMPLE_EXAMPLE: Example = {
  id: "sample",
  language: "python",
  preReviewLines: ["def add(a, b):", "    total = a - b", "", "    return total"],
  postReviewLines: ["def add(a, b):", "    total = a + b", "", "    return total"],
  review: "This subtracts: use + here.",
  changeType: "modify",
  changeTypeDistractors: ["add", "delete"],
  location: [2],
  locationDistractors: { easy: [[1], [4], [3]], hard: [[1], [3], [4]] },
  solution: "2 -     total = a - b\n2 +     total = a + b",
  solutionDistractors: {
    easy: [
      "2 -     total = a - b\n2 +     total = a * b",
      "2 -     total = a - b\n2 +     total = a / b",
      "2 -     total = a - b\n2 +     total = b - a",
    ],
    hard: [
      "2 -     total = a - b\n2 +     total = a % b",
      "2 -     total = a - b\n2 +     total = a | b",
      "2 -     total = a - b\n2 +     total = a ^ b",
    ],
  },
};
