import { expect, it } from "vitest";
import { sampleTable } from "../../../src/cli/dataset/sample-handler.js";
import { plainText } from "../../../src/report/terminal.js";

it("shows how widely a sample is spread; examples without a repository are not one", () => {
  const table = sampleTable([
    {
      language: "go",
      available: 60,
      taken: 7,
      repositories: [
        { repo: "a/a", available: 10, taken: 2 },
        { repo: "b/b", available: 10, taken: 0 },
        { repo: null, available: 40, taken: 5 },
      ],
    },
  ]);
  const text = plainText([table]);
  const row = text.split("\n").find((line) => line.includes("go"));
  // 60 available, 7 taken, 2 repositories of which 1 gave; 5 from the largest stratum.
  expect(row?.match(/\d+/g)).toEqual(["60", "7", "2", "1", "5"]);
});
