import { describe, expect, it } from "vitest";
import { tableText } from "../../../../src/store/csv.js";
import { type Cell, entryOf } from "../../../../src/store/table.js";
import { GENERATIONS, type ScoredText } from "../../../../src/suites/codereviewqa/record/generations-table.js";
import { FAILED, makeGeneration, NO_MATCH, text } from "../../../fixtures/generation.js";

const OWNER = { runId: "run-1", model: "tiny" };

function cells(item: ScoredText): Record<string, Cell> {
  return entryOf(GENERATIONS.columns, { ...OWNER, item });
}

describe("GENERATIONS", () => {
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
    expect(cells({ ...generation, score })).toEqual({
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
    expect(cells({ ...makeGeneration({ outcome: FAILED }), score: null })).toMatchObject({
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
    const item = { ...makeGeneration({ outcome: text(written) }), score: NO_MATCH };
    const row = tableText(GENERATIONS, [{ ...OWNER, item }]);
    // Guarded by ', quoted, quotes doubled (RFC 4180); the line break stays.
    expect(row).toContain(`"'=HYPERLINK(""http://evil"",""a"")\n+1\t,"""`);
  });
});
