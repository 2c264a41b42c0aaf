import { describe, expect, it } from "vitest";
import { type Cell, formatRows } from "../../../../src/store/csv.js";
import { GENERATIONS } from "../../../../src/suites/codereviewqa/record/columns.js";
import { generationRow } from "../../../../src/suites/codereviewqa/record/rows.js";
import { FAILED, makeGeneration, NO_MATCH, text } from "../../../fixtures/generation.js";

const OWNER = { runId: "run-1", model: "tiny" };

function named(row: readonly Cell[]): Record<string, Cell | undefined> {
  expect(row).toHaveLength(GENERATIONS.columns.length);
  return Object.fromEntries(GENERATIONS.columns.map(({ name }, i) => [name, row[i]]));
}

describe("generationRow", () => {
  it("puts each value under its column", () => {
    const score = {
      em: true,
      emTrim: false,
      emNoSpace: true,
      emNoComment: false,
      paperEm: false,
      paperEmTrim: true,
      paperEmNoSpace: true,
      paperEmNoComment: false,
      bleu: 0.25,
      editSimilarity: 0.75,
    };
    const generation = makeGeneration({
      exampleId: "abc",
      language: "ruby",
      changeType: "add",
      outcome: text("x", "length"),
    });
    expect(named(generationRow(OWNER, generation, score))).toEqual({
      run_id: "run-1",
      model: "tiny",
      example_id: "abc",
      language: "ruby",
      change_type: "add",
      generation: "x",
      em: true,
      em_trim: false,
      em_no_space: true,
      em_no_comment: false,
      paper_em: false,
      paper_em_trim: true,
      paper_em_no_space: true,
      paper_em_no_comment: false,
      bleu: 0.25,
      edit_similarity: 0.75,
      status: "truncated",
      failure: null,
      completion_tokens: 7,
    });
  });

  it("has a failed generation match nothing, and its similarities absent", () => {
    expect(named(generationRow(OWNER, makeGeneration({ outcome: FAILED }), null))).toMatchObject({
      generation: null,
      em: false,
      paper_em_no_comment: false,
      bleu: null,
      edit_similarity: null,
      status: "failed",
      failure: "unavailable",
      completion_tokens: null,
    });
  });

  it("keeps a spreadsheet from obeying what a model wrote", () => {
    const written = '=HYPERLINK("http://evil","a")\n+1\t,"';
    const row = formatRows([generationRow(OWNER, makeGeneration({ outcome: text(written) }), NO_MATCH)]);
    // Guarded by ', quoted, quotes doubled (RFC 4180); the line break stays.
    expect(row).toContain(`"'=HYPERLINK(""http://evil"",""a"")\n+1\t,"""`);
  });
});
