// Fast mode (cache reused along the permutation tree) against exact mode (each prompt from scratch), bundled model.

import { join } from "node:path";
import { getLlama, LlamaLogLevel } from "node-llama-cpp";
import { loadAliases } from "../dist/src/model/aliases.js";
import { treeNodeCount } from "../dist/src/model/llama/token-tree.js";
import { promptTokenizer } from "../dist/src/model/llama/tokenize.js";
import { NO_CONNECTION } from "../dist/src/model/model.js";
import { openModel, resolveModel } from "../dist/src/model/registry.js";
import { plannedQuestions, planRun } from "../dist/src/suites/codereviewqa/ask/plan.js";
import { questionOrders } from "../dist/src/suites/codereviewqa/ask/question-orders.js";

const METHOD = `Every question of the starter set under all its orders, one thread, F32 cache. Question by question, fast and exact
in turn (which is first alternates), so that both meet the same machine. Tokens are the engine's own meter; tree nodes
are counted from the tokenised prompts. --limit=N takes the first N examples only.`;

export async function run(flags) {
  console.log(METHOD);
  const limit = Number(flags.find((flag) => flag.startsWith("--limit="))?.slice("--limit=".length) ?? 0) || null;
  const tiny = resolveModel("tiny", await loadAliases("."));
  const selection = { languages: [], sample: null, seed: 0, limit };
  const request = {
    model: tiny,
    tasks: [],
    difficulties: [],
    dataset: "starter",
    selection,
    promptMode: "completion",
    mode: "fast",
    price: null,
  };
  const plan = await planRun(request, console.log);
  const models = {
    fast: await openModel(tiny, {
      promptMode: "completion",
      mode: "fast",
      seed: 0,
      connection: NO_CONNECTION,
      purpose: "ask",
    }),
    exact: await openModel(tiny, {
      promptMode: "completion",
      mode: "exact",
      seed: 0,
      connection: NO_CONNECTION,
      purpose: "ask",
    }),
  };
  const tokenize = await loadTokenizer();
  const rows = new Map();
  let turn = 0;
  for await (const question of plannedQuestions(plan)) {
    const form = plan.forms.find(
      ({ probe, difficulty }) => probe.task === question.task && difficulty === question.difficulty,
    );
    const requests = questionOrders(question, form.template).map(({ request: asked }) => asked);
    const name = question.difficulty === null ? question.task : `${question.task} ${question.difficulty}`;
    const row = rows.get(name) ?? {
      questions: 0,
      nodes: 0,
      answers: 0,
      differing: 0,
      largest: 0,
      fast: meter(),
      exact: meter(),
    };
    rows.set(name, row);
    row.questions++;
    row.nodes += treeNodeCount(requests.map(({ prompt }) => tokenize(prompt)));
    const replies = {};
    for (const mode of turn++ % 2 === 0 ? ["fast", "exact"] : ["exact", "fast"]) {
      replies[mode] = await ask(models[mode], requests, row[mode]);
    }
    compare(replies.fast, replies.exact, row);
  }
  print(rows);
  await Promise.all(Object.values(models).map((model) => model.close()));
}

const meter = () => ({ ms: 0, tokens: 0 });

async function loadTokenizer() {
  const llama = await getLlama({ gpu: false, build: "never", skipDownload: true, logLevel: LlamaLogLevel.disabled });
  const model = await llama.loadModel({ modelPath: join(import.meta.dirname, "../models/tiny.gguf") });
  return promptTokenizer(model, "completion", undefined);
}

async function ask(model, requests, total) {
  const [before, started] = [model.evaluatedTokens(), performance.now()];
  const scores = [];
  for await (const { index, reply } of model.scoreSymbols(requests, new AbortController().signal)) {
    scores[index] = [...reply.scores.values()].map(({ logprob }) => logprob);
  }
  total.ms += performance.now() - started;
  total.tokens += model.evaluatedTokens() - before;
  return scores;
}

function compare(fast, exact, row) {
  const best = (logprobs) => logprobs.indexOf(Math.max(...logprobs));
  for (const [i, logprobs] of fast.entries()) {
    row.answers++;
    if (best(logprobs) !== best(exact[i])) row.differing++;
    for (const [j, logprob] of logprobs.entries()) row.largest = Math.max(row.largest, Math.abs(logprob - exact[i][j]));
  }
}

function print(rows) {
  console.log(
    "\nprobe    questions  answers  fast ms  exact ms  time ratio  fast tokens  exact tokens  tree nodes  fast/tree  differing  largest |Δlogprob|",
  );
  for (const [name, row] of rows) {
    const cells = [
      [row.questions, 9],
      [row.answers, 7],
      [row.fast.ms.toFixed(0), 7],
      [row.exact.ms.toFixed(0), 8],
      [(row.exact.ms / row.fast.ms).toFixed(2), 10],
      [row.fast.tokens, 11],
      [row.exact.tokens, 12],
      [row.nodes, 10],
      [(row.fast.tokens / row.nodes).toFixed(3), 9],
      [row.differing, 9],
      [row.largest.toExponential(1), 19],
    ];
    console.log(`${name.padEnd(8)} ${cells.map(([value, width]) => String(value).padStart(width)).join("  ")}`);
  }
}
