import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { reviewLines } from "../../../src/cli/dataset/review-lines.js";
import { collect } from "../../fixtures/collect.js";
import { temporaryFolder } from "../../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const SOUND = '{"pre_review_code":"a","code_review":"r","post_review_code":"b","language":"py"}';

function read(name: string, lines: readonly string[], skip: boolean) {
  const path = join(folder, name);
  writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
  const warnings: string[] = [];
  return { warnings, lines: collect(reviewLines(path, { skip, warn: (message) => void warnings.push(message) })) };
}

describe("reviewLines", () => {
  it("passes sound lines on without a word", async () => {
    const { lines, warnings } = read("sound", [SOUND, SOUND], false);
    expect((await lines).map(({ status }) => status)).toEqual(["valid", "valid"]);
    expect(warnings).toEqual([]);
  });

  it("fails for an invalid line, naming it and the way on", async () => {
    const { lines } = read("bad", [SOUND, "{"], false);
    await expect(lines).rejects.toMatchObject({
      code: "bad_input",
      message: expect.stringMatching(
        /bad:2: expected one JSON object[\s\S]*Found 1 invalid record;.*--skip-invalid/,
      ) as string,
    });
  });

  it("passes invalid lines on when they are to be skipped, and warns", async () => {
    const { lines, warnings } = read("skip", ["{", SOUND], true);
    expect((await lines).map(({ status }) => status)).toEqual(["invalid", "valid"]);
    expect(warnings.join()).toMatch(
      /skip:1: expected one JSON object[\s\S]*Skipped 1 invalid record \(--skip-invalid\)/,
    );
  });

  it("fails where no line is sound, skipping or not", async () => {
    await expect(read("none", ["{"], true).lines).rejects.toThrow("Found 1 invalid record; nothing was written.");
    await expect(read("empty", [], true).lines).rejects.toThrow(
      /at least one code review in .*empty, found an empty file/,
    );
  });

  it("tells a problem of many lines once, with their number", async () => {
    const error = await read("many", [SOUND, ...Array.from({ length: 25 }, () => "{")], false).lines.catch(String);
    expect(String(error).match(/expected one JSON object/g)).toHaveLength(1);
    // The sound line is the first.
    expect(String(error)).toContain("(25 ×: lines 2, 3, 4, 5, 6 …)\nFound 25 invalid records;");
  });
});
