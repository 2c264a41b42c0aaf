// The audit (spec §8) against the engine's own prefill of the same tokens, bundled model; and its memory.
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getLlama, LlamaLogLevel } from "node-llama-cpp";
import { NO_CONNECTION } from "../dist/src/model/model.js";
import { loadAliases } from "../dist/src/model/model-aliases.js";
import { openModel } from "../dist/src/model/open-model.js";
import { resolveModel } from "../dist/src/model/resolved-model.js";
import { loadProbes } from "../dist/src/question/probes.js";
import { JournalWriter } from "../dist/src/store/journal/journal-writer.js";
import { AUDIT_JOURNAL } from "../dist/src/suites/codereviewqa/audit/audit-record.js";
import { planForms, scoreSequences, sequencesOf } from "../dist/src/suites/codereviewqa/audit/sequences.js";

const METHOD = `Code reviews put together from the starter set's code, about 1,000 tokens each as prompt and solution. Five after
five go through the audit (text, tokens, scores, 5-grams, journal on disk), and through the engine alone: plain prefill, no
scores, one thread, F32 cache, batches of 512. Which of the two is first alternates, so that both meet the same machine; a
row sums up 100 reviews. Memory is that of this process, which holds both. --limit=N takes N reviews (default 1,000).`;

const ROUND = 100;
const BLOCK = 5;
const TOKENS = 1000;

export async function run(flags) {
  console.log(METHOD);
  const limit = Number(flags.find((flag) => flag.startsWith("--limit="))?.slice("--limit=".length) ?? 1000);
  const tiny = resolveModel("tiny", await loadAliases("."));
  const options = { promptMode: "completion", mode: "fast", seed: 0, connection: NO_CONNECTION };
  const model = await openModel(tiny, { ...options, needs: ["token_scores"] });
  const plain = await openPlainEngine();
  const folder = mkdtempSync(join(tmpdir(), "probe-bench-"));
  const journal = await JournalWriter.open(join(folder, AUDIT_JOURNAL.file), AUDIT_JOURNAL, { bench: true });
  const reviews = longReviews(await codeLines(), model, limit);
  const ratios = [];
  console.log("\nround  texts  tokens  audit tokens/s  prefill tokens/s  ratio  resident MB");
  for (let round = 0; round * ROUND < limit; round++) {
    const batch = reviews.slice(round * ROUND, (round + 1) * ROUND);
    const rates = await takeTurns(batch, { model, journal, plain });
    ratios.push(perSecond(rates.audit) / perSecond(rates.prefill));
    print(round, batch.length, rates, ratios.at(-1));
  }
  const sorted = ratios.toSorted((a, b) => a - b);
  console.log(`median ratio ${sorted[sorted.length >> 1].toFixed(2)} (target: at least 0.60)`);
  await journal.close();
  rmSync(folder, { recursive: true });
  await model.close();
  await plain.llama.dispose();
}

async function openPlainEngine() {
  const llama = await getLlama({
    gpu: false,
    build: "never",
    skipDownload: true,
    logLevel: LlamaLogLevel.disabled,
    maxThreads: 1,
  });
  const model = await llama.loadModel({ modelPath: join(import.meta.dirname, "../models/tiny.gguf") });
  const context = await model.createContext({
    contextSize: 4096,
    batchSize: 512,
    flashAttention: false,
    threads: 1,
    experimentalKvCacheKeyType: "F32",
    experimentalKvCacheValueType: "F32",
  });
  return { llama, model, sequence: context.getSequence() };
}

async function codeLines() {
  const text = await readFile(join(import.meta.dirname, "../datasets/starter.jsonl"), "utf8");
  return text
    .trim()
    .split("\n")
    .flatMap((line) => JSON.parse(line).new.split("\n"))
    .map((line) => line.slice(1));
}

/** Reviews of `TOKENS` tokens each: code before and after, no two alike. */
function longReviews(lines, model, count) {
  const perLine = model.countTokens(lines.join("\n")) / lines.length;
  // The template and the review take about 90 tokens, a line number 2.
  const size = Math.round((TOKENS - 90) / (2 * perLine + 2));
  return Array.from({ length: count }, (_, i) => {
    const part = (offset) => Array.from({ length: size }, (__, j) => lines[(i * 7 + offset + j) % lines.length]);
    const shared = { language: "c", review: `Please check case ${i}.`, example: null };
    return { id: `long-${i}`, ...shared, preReviewLines: part(0), postReviewLines: part(2) };
  });
}

async function acrForms() {
  const probes = [...(await loadProbes()).values()].filter(({ task }) => task === "ACR");
  return planForms(probes, [], false);
}

async function textsOf(reviews) {
  const forms = await acrForms();
  return Promise.all(reviews.map(async (review) => (await sequencesOf(review, forms, 0))[0].text));
}

async function* placed(reviews) {
  const forms = await acrForms();
  for (const review of reviews) {
    for (const sequence of await sequencesOf(review, forms, 0)) yield { benchmark: 0, sequence };
  }
}

async function takeTurns(reviews, parts) {
  const rates = { audit: meter(), prefill: meter() };
  for (let start = 0; start < reviews.length; start += BLOCK) {
    const block = reviews.slice(start, start + BLOCK);
    const texts = await textsOf(block);
    const turns = [
      () => timed(rates.audit, () => audit(block, parts)),
      () => timed(rates.prefill, () => prefill(texts, parts.plain)),
    ];
    for (const turn of (start / BLOCK) % 2 === 0 ? turns : turns.toReversed()) await turn();
  }
  return rates;
}

async function audit(reviews, { model, journal }) {
  const options = {
    scoreTokens: model.scoreTokens.bind(model),
    concurrency: model.maxOpenGroups,
    starts: "even",
    seed: 0,
    signal: new AbortController().signal,
  };
  let tokens = 0;
  for await (const record of scoreSequences(placed(reviews), options)) {
    await journal.append(record);
    tokens += record.tokens;
  }
  return tokens;
}

const meter = () => ({ tokens: 0, ms: 0 });

async function timed(total, work) {
  const started = performance.now();
  total.tokens += await work();
  total.ms += performance.now() - started;
}

async function prefill(texts, { model, sequence }) {
  let tokens = 0;
  for (const text of texts) {
    const ids = [model.tokens.bos, ...model.tokenize(text)];
    await sequence.clearHistory();
    await sequence.controlledEvaluate(ids);
    tokens += ids.length - 1;
  }
  return tokens;
}

const perSecond = ({ tokens, ms }) => (tokens * 1000) / ms;

function print(round, texts, { audit: scored, prefill: plain }, ratio) {
  const cells = [
    [round + 1, 5],
    [texts, 5],
    [scored.tokens, 6],
    [perSecond(scored).toFixed(0), 14],
    [perSecond(plain).toFixed(0), 16],
    [ratio.toFixed(2), 5],
    [(process.memoryUsage().rss / 1e6).toFixed(0), 11],
  ];
  console.log(cells.map(([value, width]) => String(value).padStart(width)).join("  "));
}
