import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import { openPromptfooTests } from "../../../src/dataset/import/promptfoo-tests.js";
import { collect } from "../../fixtures/collect.js";
import { temporaryFolder } from "../../fixtures/temporary-folder.js";

const folder = temporaryFolder();

const VARS = {
  pre_review_code: "a = 1\n",
  code_review: "Name it {{ env.HOME }}.",
  post_review_code: "first = 1\n",
  language: "python",
};
const TESTS = [
  { vars: { ...VARS, tone: "kind" }, assert: [{ type: "equals", value: "x" }] },
  { vars: { ...VARS, id: "two", repo: "" } },
];

async function read(name: string, content: string) {
  const path = join(folder, name);
  writeFileSync(path, content);
  const { unused, lines } = await openPromptfooTests(path);
  return { unused, lines: await collect(lines) };
}

it("reads the reviews of a configuration, of a list and of results alike, each once", async () => {
  const results = {
    results: { version: 3, results: [...TESTS, ...TESTS].map(({ vars }) => ({ vars, success: true })) },
  };
  const files = [
    await read("config.yaml", stringify({ prompts: ["{{code_review}}"], tests: TESTS })),
    await read("list.yml", stringify(TESTS)),
    await read("results.json", JSON.stringify(results)),
  ];
  for (const { unused, lines } of files) {
    expect(unused).toEqual(["tone"]);
    expect(lines).toMatchObject([
      { status: "valid", form: "raw", text: JSON.stringify(VARS), triple: { review: "Name it {{ env.HOME }}." } },
      { status: "valid", text: JSON.stringify({ ...VARS, id: "two" }), triple: { id: "two" } },
    ]);
  }
});

it("tells which test is no review, and reads no file that one names", async () => {
  const { lines } = await read(
    "odd.json",
    JSON.stringify([{ vars: { question: "?" } }, { vars: { ...VARS, pre_review_code: "file:///etc/passwd" } }, {}]),
  );
  // A test without vars is told as one with the wrong ones: both lack every field.
  expect(lines).toMatchObject([
    { status: "invalid", line: 1, problems: [{ field: "pre_review_code" }, {}, {}, {}] },
    { status: "invalid", line: 2, problems: [{ field: "pre_review_code", expected: "the text itself" }] },
  ]);
});

it("refuses what has no tests in it", async () => {
  const contents = ["tests: file://tests.csv", "[1, 2]", "- {", "a: &a [*a]", "text"];
  for (const content of contents) await expect(read("none.yaml", content)).rejects.toThrow(/^Expected (tests|JSON)/);
  await expect(read("none.json", "{")).rejects.toThrow("Expected JSON or YAML in");
});
