import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { SHORTCUTS } from "../../../src/cli/dataset/dataset-options.js";
import {
  handleShortcuts,
  shortcutBlocks,
  shortcutLines,
  shortcutWarnings,
} from "../../../src/cli/dataset/shortcuts-handler.js";
import { handleValidate } from "../../../src/cli/dataset/validate-handler.js";
import type { Console } from "../../../src/console/console.js";
import { type GivenOptions, parseOptions } from "../../../src/console/option.js";
import { floorsOfForm, summariseFloors } from "../../../src/question/floors/floors.js";
import type { ShortcutReport, Shortcuts } from "../../../src/question/floors/shortcuts.js";
import { plainText } from "../../../src/report/terminal.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";
import { jsonl } from "../../fixtures/jsonl.js";
import { recordWith } from "../../fixtures/official-record.js";
import { makeFloors } from "../../fixtures/question-floors.js";
import { cellRows as rowsOf } from "../../fixtures/table-cells.js";

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

/** Twenty questions, of which these many are right by the rules. */
function floorsWith(right: Readonly<Record<string, number>>, changes: Parameters<typeof makeFloors>[0] = {}) {
  const questions = Array.from({ length: 20 }, (_, i) =>
    makeFloors({
      ...changes,
      exampleId: `${i}`,
      shares: Object.fromEntries(Object.entries(right).map(([rule, count]) => [rule, Number(i < count)])),
    }),
  );
  return summariseFloors(floorsOfForm(questions));
}

const CTR: Shortcuts = {
  task: "CTR",
  difficulty: null,
  chance: 1 / 3,
  floors: floorsWith({ keywords: 4 }, { answerClass: "modify", lexical: ["keywords"] }),
};
const HARD: Shortcuts = {
  task: "CL",
  difficulty: "hard",
  chance: 1 / 4,
  floors: floorsWith({ medoid: 15, longest_lines: 5, review_overlap: 18 }, { lexical: ["review_overlap"] }),
};
const EASY: Shortcuts = { ...HARD, difficulty: "easy", floors: floorsWith({ medoid: 8, longest_lines: 2 }) };
const REPORT: ShortcutReport = {
  forms: [CTR, EASY, HARD],
  parts: [{ ...HARD, part: "2 lines or more", floors: floorsWith({ medoid: 20 }) }],
  languages: [{ ...HARD, language: "go" }],
  keptOut: [{ ...HARD, floors: floorsWith({ most_names: 5 }) }],
};

describe("shortcutBlocks", () => {
  const text = plainText(shortcutBlocks(REPORT));

  it("has a table a task: a row a rule, a column a form, and a part beside its form", () => {
    const [heads, ...keptOut] = rowsOf(text, "CL");
    expect(heads).toEqual(["CL", "sees", "easy (n 20)", "hard (n 20)", "hard, 2 lines or more (n 20)"]);
    expect(keptOut).toEqual([["CL", "hard (n 20)"]]);
    // Wilson 95 %: 8 of 20 is 0.219–0.613, 15 of 20 0.531–0.888, 20 of 20 0.839–1.
    expect(rowsOf(text, "medoid")).toEqual([
      ["medoid", "options", "40.0 % (21.9–61.3)", "75.0 % (53.1–88.8)", "100.0 % (83.9–100.0)"],
    ]);
    // A rule that a form does not have is not 0.
    expect(rowsOf(text, "review_overlap")[0]?.slice(1)).toEqual(["lexical", "–", "90.0 % (69.9–97.2)", "–"]);
    expect(rowsOf(text, "best no-read rule").map((row) => row.slice(2))).toEqual([
      ["majority"],
      ["medoid", "medoid", "medoid"],
    ]);
    expect(rowsOf(text, "best lexical rule").map((row) => row.slice(2))).toEqual([
      ["keywords"],
      ["–", "review_overlap", "–"],
    ]);
    // 5 of 20 is 0.112–0.469.
    expect(text).toContain("Kept out: rules that no option is chosen by");
    expect(rowsOf(text, "most_names")).toEqual([["most_names", "25.0 % (11.2–46.9)"]]);
    expect(rowsOf(text, "guessing")[1]).toEqual(["guessing", "", "25.0 %", "25.0 %", "25.0 %"]);
  });

  it("says the floor of each language", () => {
    expect(rowsOf(text, "go")).toEqual([["go", "–", "–", "90.0 % review_overlap (n 20)"]]);
  });
});

describe("shortcutLines", () => {
  it("are a sentence about the best rule of each form that does not read, and one about its best lexical one", () => {
    expect(shortcutLines(REPORT).slice(0, 3)).toEqual([
      'CTR: the rule majority (always "modify") is right in 100.0 % (83.9–100.0) of 20 questions; guessing in 33.3 %.',
      "CTR: the rule keywords (lexical: matches words of the review) is right in 20.0 % (8.1–41.6) of 20 questions; guessing in 33.3 %. That is no more than guessing.",
      "CL easy: the rule medoid (no-read: sees the options alone) is right in 40.0 % (21.9–61.3) of 20 questions; guessing in 25.0 %.",
    ]);
  });

  it("say so where no rule is above guessing", () => {
    const [line] = shortcutLines({ ...REPORT, forms: [{ ...EASY, floors: floorsWith({ medoid: 5 }) }] });
    expect(line).toMatch(/guessing in 25\.0 %\. That is no more than guessing\.$/);
  });
});

describe("shortcutWarnings", () => {
  it("are of the forms in which a rule that does not read is right well above chance", () => {
    // The lower end of 8 of 20 is 0.219; of 15 of 20 it is 0.531, above 0.35. CTR's majority and the lexical rule, which
    // are higher, are none.
    expect(shortcutWarnings(REPORT)).toEqual([
      "CL hard: the rule medoid (no-read: sees the options alone) is right in 75.0 % (53.1–88.8) of 20 questions; guessing in 25.0 %. The options give the answer away.",
    ]);
  });

  it("begin a tenth above chance", () => {
    const warned = (count: number) =>
      shortcutWarnings({ ...REPORT, forms: [{ ...EASY, floors: floorsWith({ medoid: count }) }] });
    // Wilson's lower end: 11 of 20 is 0.342, 12 of 20 0.387.
    expect(warned(11)).toEqual([]);
    expect(warned(12)).toHaveLength(1);
  });
});
