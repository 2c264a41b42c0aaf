import { describe, expect, it } from "vitest";
import { tableText } from "../../../../src/store/csv.js";
import { type Cell, entryOf } from "../../../../src/store/table.js";
import type { Answer } from "../../../../src/suites/codereviewqa/answer/answer.js";
import { GENERATIONS, generationsTable, TABLES } from "../../../../src/suites/codereviewqa/record/generations-table.js";
import { ANSWERS, answersTable, QUESTIONS, SUMMARY } from "../../../../src/suites/codereviewqa/record/result-tables.js";
import { choice, makeAnswer, TIE, UNAVAILABLE } from "../../../fixtures/answer.js";
import { A, B, C, D, logprob } from "../../../fixtures/symbols.js";

const names = (table: (typeof TABLES)[number]) => table.columns.map(({ name }) => name).join(",");

// The lists of spec §6.
describe("the tables", () => {
  it("have the columns of the specification, in its order", () => {
    expect(names(ANSWERS)).toBe(
      "run_id,model,task,difficulty,ablation,example_id,language,change_type,permutation_index,permutation,correct_symbol," +
        "chosen_symbol,chosen_option,correct,logprob_a,logprob_b,logprob_c,logprob_d,symbol_mass,margin,status," +
        "failure,extraction,prompt_tokens,cached_tokens,duration_ms,prompt_sha256,repeat,thinking_tokens," +
        "thinking_end,completion_tokens,cost",
    );
    expect(names(QUESTIONS)).toBe(
      "run_id,model,task,difficulty,ablation,example_id,language,change_type,permutations,answered,correct_permutations," +
        "invariant_correct,plurality_option,plurality_agreement,mean_accuracy,min_margin,mean_symbol_mass,failed",
    );
    expect(names(SUMMARY)).toBe(
      "run_id,model,task,difficulty,ablation,group_by,group,metric,value,ci_low,ci_high,n,note",
    );
    expect(names(GENERATIONS)).toBe(
      "run_id,model,example_id,language,change_type,generation,em,em_trim,em_no_space,em_no_comment,paper_em," +
        "paper_em_trim,paper_em_no_space,paper_em_no_comment,bleu,edit_similarity,status,failure,completion_tokens",
    );
  });

  it("say of no number of orders that it is N!, of which --orders asks fewer", () => {
    const wrong = QUESTIONS.columns.filter(
      ({ description }) => /N!/.test(description) && !/--orders/.test(description),
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it("name the key of generations where there are some of several tasks", () => {
    const { primaryKey, title } = generationsTable(["jaccard"]);
    expect(primaryKey).toEqual(["run_id", "task", "example_id"]);
    // Once, as the page has a key behind each title.
    expect(title).toContain("with CLO, task and jaccard stand behind the last column, and task is part of the key.");
  });

  it("have a column more for each option above four, behind that of D", () => {
    const more = answersTable(6).columns.map(({ name }) => name);
    expect(more.slice(more.indexOf("logprob_d"), more.indexOf("symbol_mass"))).toEqual([
      "logprob_d",
      "logprob_e",
      "logprob_f",
    ]);
    expect(more.filter((name) => name !== "logprob_e" && name !== "logprob_f").join(",")).toBe(names(ANSWERS));
    expect(names(answersTable(2))).toBe(names(ANSWERS));
  });

  it.each(TABLES)("$file: the primary key is made of its columns", ({ primaryKey, columns }) => {
    expect(columns.map(({ name }) => name)).toEqual(expect.arrayContaining([...primaryKey]));
  });

  it("keep the order of the options as text, so that 0123 keeps its zero", () => {
    expect(ANSWERS.columns.find(({ name }) => name === "permutation")?.type).toBe("string");
  });
});

const OWNER = { runId: "run-1", model: "tiny" };

/** The row of an answer by column name. */
function cells(changes: Partial<Answer>): Record<string, Cell> {
  return entryOf(ANSWERS.columns, { ...OWNER, item: makeAnswer(changes) });
}

describe("ANSWERS", () => {
  it("puts each value under its column", () => {
    const found = cells({
      task: "CL",
      difficulty: "hard",
      exampleId: "abc",
      language: "ruby",
      changeType: "add",
      permutationIndex: 14,
      permutation: "2013",
      correctSymbol: B,
      outcome: choice("2013", B, 0.25),
      logprobs: [A, B, C, D].map((symbol, i) => ({ symbol, logprob: logprob(-1 - i) })),
      symbolMass: 0.5,
      extraction: "full",
      promptTokens: 100,
      cachedTokens: 90,
      durationMs: 1.5,
      promptSha256: "feed",
    });
    expect(found).toEqual({
      run_id: "run-1",
      model: "tiny",
      task: "CL",
      difficulty: "hard",
      ablation: "none",
      example_id: "abc",
      language: "ruby",
      change_type: "add",
      permutation_index: 14,
      permutation: "2013",
      correct_symbol: "B",
      chosen_symbol: "B",
      chosen_option: 0,
      correct: true,
      logprob_a: -1,
      logprob_b: -2,
      logprob_c: -3,
      logprob_d: -4,
      symbol_mass: 0.5,
      margin: 0.25,
      status: "chosen",
      failure: null,
      extraction: "full",
      prompt_tokens: 100,
      cached_tokens: 90,
      duration_ms: 1.5,
      prompt_sha256: "feed",
      repeat: 0,
      thinking_tokens: null,
      thinking_end: null,
      completion_tokens: null,
      cost: null,
    });
  });

  it("leaves the fourth log probability of a question with three options empty", () => {
    const logprobs = [A, B, C].map((symbol) => ({ symbol, logprob: logprob(-1) }));
    expect(cells({ logprobs })).toMatchObject({ logprob_c: -1, logprob_d: null });
  });

  it("leaves an unknown log probability empty in the file, never 0", () => {
    const logprobs = [
      { symbol: A, logprob: logprob(-0.5) },
      { symbol: B, logprob: null },
    ];
    const text = tableText(ANSWERS, [{ ...OWNER, item: makeAnswer({ logprobs }) }]);
    // after `correct`: A, B (unknown), C and D (not there), mass and margin (absent), status
    expect(text).toContain(",true,-0.5,,,,,,chosen,");
  });

  it("says why there is no choice, and leaves the choice empty", () => {
    const none = { chosen_symbol: null, chosen_option: null, correct: null, margin: null };
    expect(cells({ outcome: TIE })).toMatchObject({ ...none, status: "undecided", failure: "tie" });
    expect(cells({ outcome: UNAVAILABLE })).toMatchObject({ ...none, status: "failed", failure: "unavailable" });
  });
});
