import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { SHORTCUTS } from "../../../src/cli/dataset/dataset-options.js";
import { handleShortcuts } from "../../../src/cli/dataset/shortcuts-handler.js";
import { handleValidate } from "../../../src/cli/dataset/validate-handler.js";
import type { Console } from "../../../src/console/console.js";
import { type GivenOptions, parseOptions } from "../../../src/console/option.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";
import { jsonl } from "../../fixtures/jsonl.js";
import { recordWith } from "../../fixtures/official-record.js";

const folder = useFreshFolder();

function recording() {
  const written = { out: "", err: "" };
  const console: Console = {
    out: (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += text;
    },
    isTerminal: false,
    workingDirectory: folder.path(),
    onInterrupt: () => () => {},
    now: () => new Date(0),
  };
  return { written, console };
}

async function shortcuts(given: GivenOptions, ...records: object[]) {
  const file = folder.path("data.jsonl");
  writeFileSync(file, jsonl(...records));
  const { written, console } = recording();
  expect(await handleShortcuts(parseOptions(SHORTCUTS, { file, ...given }), console)).toBe(0);
  return written;
}

describe("probe dataset shortcuts", () => {
  it("prints the document that the specification names", async () => {
    const { out } = await shortcuts({ json: true }, recordWith());
    const document = JSON.parse(out) as { forms: Record<string, unknown>[] };
    expect(Object.keys(document)).toEqual(["schema_version", "forms", "parts", "languages", "kept_out"]);
    expect(document.forms.map(({ task, difficulty, n }) => [task, difficulty, n])).toEqual([
      ["CTR", null, 1],
      ["CL", "easy", 1],
      ["CL", "hard", 1],
      ["SI", "easy", 1],
      ["SI", "hard", 1],
    ]);
    // One question, and it is a modification; the review names none of the words. Wilson of 1 of 1: 0.2065–1.
    expect(document.forms[0]).toEqual({
      task: "CTR",
      difficulty: null,
      n: 1,
      rules: [
        { rule: "majority", sees: "options", value: 1, ci_low: expect.closeTo(0.2065, 4) as number, ci_high: 1 },
        { rule: "keywords", sees: "lexical", value: 1, ci_low: expect.closeTo(0.2065, 4) as number, ci_high: 1 },
      ],
      floor: 1,
      floor_rule: "majority",
    });
  });

  it("writes the same document to the file of --out, beside the tables", async () => {
    const { out: json } = await shortcuts({ json: true }, recordWith());
    const { out, err } = await shortcuts({ out: folder.path("shortcuts.json") }, recordWith());
    expect(readFileSync(folder.path("shortcuts.json"), "utf8")).toBe(json);
    expect(out).toContain("CL hard: the rule ");
    expect(err).toContain("The same as JSON: ");
    await expect(shortcuts({ out: folder.path("shortcuts.json") }, recordWith())).rejects.toThrow(/--overwrite/);
    await shortcuts({ out: folder.path("shortcuts.json"), overwrite: true }, recordWith());
  });

  it("refuses a file with an invalid record, and names the first problem", async () => {
    await expect(shortcuts({}, recordWith(), recordWith({ loc_correct: [99, 4] }))).rejects.toThrow(
      /data\.jsonl:2: loc_correct: expected line numbers from 1 to 6, found 99\. See probe dataset validate /,
    );
  });
});

describe("probe dataset validate", () => {
  it("warns of what the options give away, without a change of the exit code", async () => {
    // The middle of six lines is 3.5; in all 12 the truth {2, 4} is nearer to it than {2, 3}, {1, 4} and {4, 5}. 12 of 12: 0.757–1.
    writeFileSync(
      folder.path("telling.jsonl"),
      jsonl(...Array.from({ length: 12 }, (_, i) => ({ ...recordWith(), id: `record-${i}` }))),
    );
    const { written, console } = recording();
    expect(await handleValidate({ files: [folder.path("telling.jsonl")], json: false }, console)).toBe(0);
    expect(written.out).toMatch(/telling\.jsonl: 12 valid records\n$/);
    expect(written.err).toMatch(
      /^Warning: .*telling\.jsonl: CL hard: the rule nearest_middle .* give the answer away\.$/m,
    );
  });

  it("does not of a single record, and lists warnings in its JSON document", async () => {
    writeFileSync(folder.path("one.jsonl"), jsonl(recordWith()));
    const { written, console } = recording();
    await handleValidate({ files: [folder.path("one.jsonl")], json: true }, console);
    expect(written.err).toBe("");
    expect(JSON.parse(written.out)).toMatchObject({ files: [{ warnings: [] }] });
  });
});
