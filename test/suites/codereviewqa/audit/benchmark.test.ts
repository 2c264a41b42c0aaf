import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Selection } from "../../../../src/dataset/dataset-file.js";
import {
  type OpenBenchmarkOptions,
  openBenchmark,
  readReviews,
} from "../../../../src/suites/codereviewqa/audit/benchmark.js";
import { collect } from "../../../fixtures/collect.js";
import { jsonl } from "../../../fixtures/jsonl.js";
import { recordWith } from "../../../fixtures/official-record.js";
import { rawTripleWith } from "../../../fixtures/raw-triple.js";
import { temporaryFolder } from "../../../fixtures/temporary-folder.js";

const folder = temporaryFolder();
let files = 0;

function file(...lines: readonly unknown[]): string {
  const path = join(folder, `set-${++files}.jsonl`);
  writeFileSync(path, jsonl(...lines));
  return path;
}

const ALL: Selection = { languages: [], sample: null, seed: 0, limit: null };

function open(path: string, options: Partial<OpenBenchmarkOptions> = {}) {
  return openBenchmark(path, { selection: ALL, skipInvalid: false, warn: () => {}, ...options });
}

describe("a benchmark", () => {
  it("of official records holds questions", async () => {
    const benchmark = await open(file(recordWith(), recordWith({ review: "Another." })));
    expect(benchmark).toMatchObject({ holds: "questions", examples: 2, invalid: 0, leftOut: 0 });
    const [review] = await collect(readReviews(benchmark));
    expect(review).toMatchObject({ language: "python", review: "Please shout the even lines." });
    expect(review?.example?.location).toEqual([2, 4]);
  });

  it("says so where the first record has no questions, but others have", async () => {
    const warnings: string[] = [];
    const { lang, old, new: after, review } = recordWith();
    const path = file({ lang, old, new: after, review }, recordWith({ review: "Another." }));
    const benchmark = await open(path, { warn: (message) => warnings.push(message) });
    expect(benchmark.holds).toBe("reviews");
    expect(warnings.join()).toContain("1 records have questions, but not the first: it is audited in ACR form alone");
  });

  it("of raw triples holds reviews", async () => {
    const benchmark = await open(file(rawTripleWith()));
    expect(benchmark).toMatchObject({ holds: "reviews", examples: 1 });
    const reviews = await collect(readReviews(benchmark));
    expect(reviews).toMatchObject([{ language: "python", preReviewLines: ["one", "two", "three"], example: null }]);
  });

  it("of official records without options holds reviews", async () => {
    const { lang, old, new: after, review } = recordWith();
    const benchmark = await open(file({ lang, old, new: after, review }));
    expect(benchmark.holds).toBe("reviews");
    expect((await collect(readReviews(benchmark)))[0]?.preReviewLines[1]).toBe("two");
  });

  it("leaves out copies, and languages that no probe knows", async () => {
    const cobol = rawTripleWith({ language: "cobol" });
    const benchmark = await open(
      file(rawTripleWith(), cobol, rawTripleWith(), rawTripleWith({ code_review: "Else." })),
    );
    expect(benchmark).toMatchObject({ examples: 2, leftOut: 2 });
    expect(await collect(readReviews(benchmark))).toHaveLength(2);
  });

  it("is named after its file", async () => {
    const path = join(folder, "older.jsonl");
    writeFileSync(path, jsonl(rawTripleWith()));
    expect((await open(path)).name).toBe("older");
    expect((await open("starter")).name).toBe("starter");
  });

  it("keeps the examples that were asked for", async () => {
    const path = file(...["py", "go", "py"].map((language, i) => rawTripleWith({ language, code_review: `${i}` })));
    const selected = async (selection: Partial<Selection>) =>
      (await collect(readReviews(await open(path, { selection: { ...ALL, ...selection } })))).map(
        ({ review }) => review,
      );
    expect(await selected({})).toEqual(["0", "1", "2"]);
    expect(await selected({ limit: 2 })).toEqual(["0", "1"]);
    expect(await selected({ languages: ["python"] })).toEqual(["0", "2"]);
  });
});

describe("a file that is no benchmark", () => {
  it("is refused with the place of each problem", async () => {
    const path = file(rawTripleWith(), rawTripleWith({ post_review_code: 7 }));
    await expect(open(path)).rejects.toMatchObject({
      code: "bad_input",
      message: expect.stringMatching(
        /set-\d+\.jsonl:2: post_review_code: expected a string, found 7\n.*--skip-invalid/s,
      ),
    });
  });

  it("is read without its invalid lines where that is asked for", async () => {
    const warnings: string[] = [];
    const path = file(rawTripleWith(), rawTripleWith({ post_review_code: 7 }));
    const benchmark = await open(path, { skipInvalid: true, warn: (message) => warnings.push(message) });
    expect(benchmark).toMatchObject({ examples: 1, invalid: 1 });
    expect(warnings.join()).toContain("Skipped 1 invalid line of");
  });

  it("is refused when nothing of it was asked for", async () => {
    const selection = { ...ALL, languages: ["ruby" as const] };
    await expect(open(file(rawTripleWith()), { selection })).rejects.toThrow(
      /found none that were asked for.*--language/,
    );
    await expect(open(file())).rejects.toMatchObject({ code: "bad_input" });
    await expect(open(join(folder, "none.jsonl"))).rejects.toThrow(/no such file/);
  });
});
