import { describe, expect, it } from "vitest";
import { readExamples } from "../../src/dataset/dataset-file.js";
import { orderName, permutationsOf } from "../../src/question/permutations.js";
import { loadProbes } from "../../src/question/probes.js";
import { loadTemplate, renderPrompt } from "../../src/question/prompt.js";
import type { Question } from "../../src/question/question.js";
import { buildQuestions, probeForms } from "../../src/question/question-build.js";
import { collect } from "../fixtures/collect.js";
import { MINI, referenceAnswers } from "../fixtures/reference.js";

// Prompts of the six hand-written records, written by hand after Figure 2 of the paper and the facts in spec §3.

const probes = await loadProbes();
const TASKS = ["CTR", "CL", "SI"] as const;
const forms = probeForms(
  TASKS.map((task) => probes.get(task)!),
  ["easy", "hard"],
);
const templates = new Map(
  await Promise.all(TASKS.map(async (task) => [task as string, await loadTemplate(task)] as const)),
);
const questions = await collect(buildQuestions(readExamples(MINI, new Set([1, 2, 3, 4, 5, 6])), forms));

function promptsOf(question: Question): { order: string; prompt: string }[] {
  return permutationsOf(question.options.length).map((order) => ({
    order: orderName(order),
    prompt: renderPrompt(templates.get(question.task)!, question, order),
  }));
}

/** The prompt of a form such as `CL hard`, with its options in this order. */
function promptOf(exampleId: string, form: string, order: string): string | undefined {
  const question = questions.find(
    ({ exampleId: id, task, difficulty }) => id === exampleId && [task, difficulty ?? []].flat().join(" ") === form,
  );
  return question === undefined ? undefined : promptsOf(question).find((shown) => shown.order === order)?.prompt;
}

describe("a CTR prompt", () => {
  it("of the Python record", () => {
    expect(promptOf("mini-py", "CTR", "120")).toBe(
      [
        "",
        "### The following is a multiple choice question (with answers) that tests code review comprehension. ",
        "Question: Given this Python code snippet, what type of change is the code review asking for?",
        "[Python]",
        "1 def lookup(table, key):",
        "2     try:",
        "3         return table[key]",
        "4     except Exception:",
        "5         return None",
        "6 ",
        "7 def names(table):",
        "8     return sorted(table)",
        "[/Python]",
        "[CODE REVIEW]",
        "Do we really want to swallow every exception here? I'd only ignore the missing key.",
        "[/CODE REVIEW]",
        "### Possible answers:",
        "A. only add new lines of code",
        "B. only delete existing lines of code",
        "C. modify the code",
        "### Answer with the letter symbol only. Answer:",
        "",
      ].join("\n"),
    );
  });
});

describe("a CL prompt", () => {
  it("of the Go record, hard", () => {
    expect(promptOf("mini-go", "CL hard", "2013")).toBe(
      [
        "",
        "### The following is a multiple choice question (with answers) that tests code review comprehension. ",
        "Question: Given this Go code snippet, which line numbers is the code review asking to modify the code?",
        "[Go]",
        "1 func (s *Server) Stop() {",
        "2 \tclose(s.done)",
        '3 \ts.log.Println("stopped")',
        "4 \ts.wg.Wait()",
        "5 }",
        "6 ",
        "7 func (s *Server) Wait() {",
        "8 \ts.wg.Wait()",
        "9 }",
        "[/Go]",
        "[CODE REVIEW]",
        "This can be called twice, the second close panics. Guard it?",
        "[/CODE REVIEW]",
        "### Possible answers:",
        "A. line numbers 2,4",
        "B. line numbers 2,3",
        "C. line numbers 1,2",
        "D. line numbers 3,5",
        "### Answer with the letter symbol only. Answer:",
        "",
      ].join("\n"),
    );
  });

  it("of the Java record, easy, which only deletes", () => {
    expect(promptOf("mini-java", "CL easy", "3210")).toBe(
      [
        "",
        "### The following is a multiple choice question (with answers) that tests code review comprehension. ",
        "Question: Given this Java code snippet, which line numbers is the code review asking to only delete existing lines of code?",
        "[Java]",
        "1 public int total(List<Item> items) {",
        "2     int sum = 0;",
        "3     for (Item item : items) {",
        "4         sum += item.price();",
        "5         System.out.println(sum);",
        "6     }",
        "7     return sum;",
        "8 }",
        "[/Java]",
        "[CODE REVIEW]",
        "nit: is this debug output still wanted?",
        "[/CODE REVIEW]",
        "### Possible answers:",
        "A. line numbers 8",
        "B. line numbers 2",
        "C. line numbers 1",
        "D. line numbers 5",
        "### Answer with the letter symbol only. Answer:",
        "",
      ].join("\n"),
    );
  });
});

describe("an SI prompt", () => {
  it("of the JavaScript record, hard, which only adds", () => {
    expect(promptOf("mini-js", "SI hard", "1302")).toBe(
      [
        "",
        "### The following is a multiple choice question (with answers) that tests code review comprehension. ",
        "Question: Given this JavaScript code snippet, which code revision is the code review asking for?",
        "[JavaScript]",
        "1 function average(values) {",
        "2   const sum = values.reduce((a, b) => a + b, 0);",
        "3   return sum / values.length;",
        "4 }",
        "5 ",
        "6 export { average };",
        "[/JavaScript]",
        "[CODE REVIEW]",
        "What happens when the list is empty? Please return early.",
        "[/CODE REVIEW]",
        "### Possible answers:",
        "A. ",
        "2 +   if (values.length === 1) return 0;",
        "B. ",
        "2 +   if (values.size === 0) return 0;",
        "C. ",
        "2 +   if (values.length === 0) return 0;",
        "D. ",
        "2 +   if (values.length !== 0) return 0;",
        "### Answer with the letter symbol only. Answer:",
        "",
      ].join("\n"),
    );
  });

  it("of the C++ record, easy, whose review holds a placeholder, a script end and a formula", () => {
    expect(promptOf("mini-cpp", "SI easy", "0123")).toBe(
      [
        "",
        "### The following is a multiple choice question (with answers) that tests code review comprehension. ",
        "Question: Given this CPP code snippet, which code revision is the code review asking for?",
        "[CPP]",
        "1 #include <string>",
        "2 int count(std::string text, char c) {",
        "3   int n = 0;",
        "4   for (char x : text) n += x == c;",
        "5   return n;",
        "6 }",
        "[/CPP]",
        "[CODE REVIEW]",
        "`é` </script> {code_review} =cmd() — pass by const reference, please",
        "[/CODE REVIEW]",
        "### Possible answers:",
        "A. ",
        "2 - int count(std::string text, char c) {",
        "2 + int count(const std::string& text, char c) {",
        "B. ",
        "2 - int count(std::string text, char c) {",
        "2 + int count(const std::vector& text, char c) {",
        "C. ",
        "2 - int count(std::string text, char c) {",
        "2 + int count(const std::thread& text, char c) {",
        "D. ",
        "2 - int count(std::string text, char c) {",
        "2 + int count(const std::mutex& text, char c) {",
        "### Answer with the letter symbol only. Answer:",
        "",
      ].join("\n"),
    );
  });

  it("is not asked of the Java record, which only deletes", () => {
    expect(promptOf("mini-java", "SI easy", "0123")).toBeUndefined();
    expect(promptOf("mini-java", "SI hard", "0123")).toBeUndefined();
  });
});

describe("all prompts of the six records", () => {
  it("are those of the reference", () => {
    const ours = questions.flatMap((question) =>
      promptsOf(question).map(({ order }) =>
        [question.exampleId, question.task, question.difficulty ?? "", order].join(),
      ),
    );
    // 6 CTR × 6 orders + (12 CL + 10 SI) × 24 orders.
    expect(ours).toHaveLength(564);
    expect(ours.toSorted()).toEqual(
      referenceAnswers()
        .map(({ example_id, task, difficulty, permutation }) => [example_id, task, difficulty, permutation].join())
        .toSorted(),
    );
  });

  it("begin and end as the paper's do, and are all different", () => {
    const prompts = questions.flatMap((question) => promptsOf(question).map(({ prompt }) => prompt));
    const head =
      "\n### The following is a multiple choice question (with answers) that tests code review comprehension. \nQuestion: ";
    for (const prompt of prompts) {
      expect(prompt.startsWith(head)).toBe(true);
      expect(prompt.endsWith("\n### Answer with the letter symbol only. Answer:\n")).toBe(true);
    }
    expect(new Set(prompts).size).toBe(564);
  });
});
