import { describe, expect, it } from "vitest";
import { ANSWERS, answersTable, QUESTIONS } from "../../../../src/suites/codereviewqa/record/columns.js";
import { GENERATIONS } from "../../../../src/suites/codereviewqa/record/generations-table.js";
import { SUMMARY } from "../../../../src/suites/codereviewqa/record/summary-columns.js";
import { TABLES } from "../../../../src/suites/codereviewqa/record/tables.js";

const names = (table: (typeof TABLES)[number]) => table.columns.map(({ name }) => name).join(",");

// The lists of spec §6.
describe("the tables", () => {
  it("have the columns of the specification, in its order", () => {
    expect(names(ANSWERS)).toBe(
      "run_id,model,task,difficulty,ablation,example_id,language,change_type,permutation_index,permutation,correct_symbol," +
        "chosen_symbol,chosen_option,correct,logprob_a,logprob_b,logprob_c,logprob_d,symbol_mass,margin,status," +
        "failure,extraction,prompt_tokens,cached_tokens,duration_ms,prompt_sha256",
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
