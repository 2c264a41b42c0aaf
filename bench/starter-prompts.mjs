// Prompts for the benchmarks of the engine: questions of the starter set under all their orders, and as tokens.
import { join } from "node:path";
import { getLlama, LlamaLogLevel } from "node-llama-cpp";
import { readDataset } from "../dist/src/dataset/dataset-file.js";
import { promptTokenizer } from "../dist/src/model/llama/prompt-tokenizer.js";
import { findSymbolTokens } from "../dist/src/model/llama/symbol-scorer.js";
import { loadProbes } from "../dist/src/question/probes.js";
import { loadTemplate } from "../dist/src/question/prompt.js";
import { buildQuestions, probeForms } from "../dist/src/question/question-build.js";
import { questionOrders } from "../dist/src/suites/codereviewqa/ask/question-requests.js";
import { shapedModel } from "./shaped-model.mjs";

const STARTER = join(import.meta.dirname, "../datasets/starter.jsonl");
const TINY = join(import.meta.dirname, "../models/tiny.gguf");
const LETTERS = ["A", "B", "C", "D"];
/** Every order of the options; the seed draws among fewer alone. */
const MANNER = { selection: { seed: 0 } };

/** The bundled model, or random weights of a shape. */
export async function modelPath(shape) {
  return shape === null ? TINY : await shapedModel(shape);
}

/** The questions of the first examples, form by form as a run asks them. */
export async function* starterQuestions(tasks, count) {
  const probes = await loadProbes();
  const chosen = tasks.map((task) => probes.get(task));
  const templates = new Map(await Promise.all(tasks.map(async (task) => [task, await loadTemplate(task)])));
  const examples = (async function* () {
    let left = count;
    for await (const { example } of readDataset(STARTER)) if (left-- > 0) yield example;
  })();
  for await (const question of buildQuestions(examples, probeForms(chosen, ["easy", "hard"]))) {
    const requests = questionOrders(question, templates.get(question.task), MANNER).map(({ request }) => request);
    yield { name: [question.task, question.difficulty].filter((part) => part !== null).join(" "), requests };
  }
}

/** Tokens of prompts and letters for a model. */
export async function loadVocabulary(path) {
  const llama = await getLlama({ gpu: false, build: "never", skipDownload: true, logLevel: LlamaLogLevel.disabled });
  const model = await llama.loadModel({ modelPath: path, vocabOnly: true });
  const tokenizer = await promptTokenizer(model, "completion", undefined, new AbortController().signal);
  const bySymbol = findSymbolTokens(model, LETTERS);
  return {
    tokenize: (prompt) => tokenizer.tokenize(prompt),
    symbolTokens: LETTERS.map((letter) => [...(bySymbol.get(letter) ?? [])]),
  };
}
