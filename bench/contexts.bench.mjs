// Measures the effect of contexts, threads and evaluating two questions at once: the same questions in each way, by the clock.
import { availableParallelism, cpus } from "node:os";
import { getLlama, LlamaLogLevel } from "node-llama-cpp";
import { depthFirstOrder, scoreNextToken } from "../dist/src/model/llama/symbol-scorer.js";
import { EngineThreads } from "../dist/src/model/llama/threads.js";
import { median } from "./measured-command.mjs";
import { loadVocabulary, modelPath, starterQuestions } from "./starter-prompts.mjs";

const METHOD = `Questions of the starter set, each under all its orders along the prefix tree, as fast mode asks them; every way asks all,
in turn (who is first goes round). "C x T": C contexts of T threads each, a question in each at a time. "batched x T": one
context with two sequences, so that two questions are evaluated in one batch. "default": as probe asks a large file, one
context with as many threads as no other process uses. The clock counts here: leave the machine alone, or load it to see
what that does; what other processes took of it is printed. Scores of all ways must be the same to 1e-4 nats.
--shape=0.5b: random weights of that shape. --examples=N (2), --tasks=CTR,CL,SI (CL), --rounds=N (3), --ways=NAME,…`;

const CONTEXT = { contextSize: 4096, batchSize: 512, flashAttention: false };
const WAYS = [
  { name: "default", contexts: 1, threads: availableParallelism(), sequences: 1, adapts: true },
  { name: "1 x 1", contexts: 1, threads: 1, sequences: 1 },
  { name: "1 x 2", contexts: 1, threads: 2, sequences: 1 },
  { name: "2 x 1", contexts: 2, threads: 1, sequences: 1 },
  { name: "batched x 1", contexts: 1, threads: 1, sequences: 2 },
  { name: "batched x 2", contexts: 1, threads: 2, sequences: 2 },
];
const LARGEST_DIFFERENCE = 1e-4;

export async function run(flags) {
  console.log(METHOD);
  const value = (name, usual) => flags.find((flag) => flag.startsWith(`--${name}=`))?.split("=")[1] ?? usual;
  const path = await modelPath(value("shape", null));
  const { tokenize, symbolTokens } = await loadVocabulary(path);
  const questions = [];
  for await (const { requests } of starterQuestions(value("tasks", "CL").split(","), Number(value("examples", 2))))
    questions.push(await Promise.all(requests.map(({ prompt }) => tokenize(prompt))));
  const others = otherProcesses();
  console.log(`\n${questions.length} questions, ${questions.flat().length} prompts`);
  const ways = [];
  const chosen = value("ways", WAYS.map(({ name }) => name).join()).split(",");
  for (const way of WAYS.filter(({ name }) => chosen.includes(name)))
    ways.push({ ...way, ...(await open(way, path)), ms: [], cpuMs: [] });
  let first = null;
  for (let round = 0; round < Number(value("rounds", 3)); round++) {
    const turn = round % ways.length;
    for (const way of [...ways.slice(turn), ...ways.slice(0, turn)]) {
      const [cpu, clock] = [process.cpuUsage(), performance.now()];
      const scores = await askAll(way, questions, symbolTokens.flat());
      const { user, system } = process.cpuUsage(cpu);
      way.ms.push(performance.now() - clock);
      way.cpuMs.push((user + system) / 1000);
      first ??= scores;
      check(way, scores, first);
    }
  }
  print(ways);
  console.log(`other processes used ${others()} of ${cpus().length} cores meanwhile`);
  for (const { llama, limit } of ways) {
    limit?.close();
    await llama.dispose();
  }
}

/** The contexts of a way and their sequences, with an engine of their own. */
async function open({ contexts, threads, sequences, adapts = false }, path) {
  const maxThreads = contexts * threads;
  const llama = await getLlama({
    gpu: false,
    build: "never",
    skipDownload: true,
    logLevel: LlamaLogLevel.error,
    maxThreads,
  });
  const model = await llama.loadModel({ modelPath: path });
  const limit = adapts ? new EngineThreads(llama, { most: threads, isFixed: false }) : null;
  const opening = (make) => (limit === null ? make() : limit.opening(make));
  const lanes = [];
  for (let made = 0; made < contexts; made++) {
    const options = {
      ...CONTEXT,
      threads,
      sequences,
      experimentalKvCacheKeyType: "F32",
      experimentalKvCacheValueType: "F32",
    };
    const context = await opening(() => model.createContext(options));
    for (let taken = 0; taken < sequences; taken++) lanes.push(context.getSequence());
  }
  return { llama, limit, lanes };
}

/** Each lane takes the next question when it is done with one; the scores by question and order. */
async function askAll({ lanes }, questions, wanted) {
  const waiting = [...questions.keys()];
  const scores = questions.map(() => []);
  const work = async (sequence) => {
    await sequence.clearHistory();
    for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
      const prompts = questions[at];
      for (const order of depthFirstOrder(prompts)) {
        const { logprobs } = await scoreNextToken(sequence, prompts[order], wanted, CONTEXT.batchSize);
        scores[at][order] = [...logprobs.values()];
      }
    }
  };
  await Promise.all(lanes.map(work));
  return scores.flat(2);
}

/** Number of cores that the other processes of the machine used since now. */
function otherProcesses() {
  const busy = () => cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
  const [before, own, clock] = [busy(), process.cpuUsage(), performance.now()];
  return () => {
    const { user, system } = process.cpuUsage(own);
    return ((busy() - before - (user + system) / 1000) / (performance.now() - clock)).toFixed(1);
  };
}

function check({ name }, scores, first) {
  const worst = Math.max(...scores.map((score, at) => Math.abs(score - first[at])));
  if (!(worst <= LARGEST_DIFFERENCE))
    throw new Error(`Expected the scores of ${name} to be the first's, found ${worst}.`);
}

function print(ways) {
  const alone = median(ways.find(({ name }) => name === "1 x 1")?.ms ?? []);
  console.log("\nway                  clock s  times 1 x 1   CPU s   (medians)");
  for (const { name, ms, cpuMs } of ways) {
    const cells = [(median(ms) / 1000).toFixed(2).padStart(7), (median(ms) / alone).toFixed(2).padStart(11)];
    console.log(`${name.padEnd(19)}  ${cells.join("  ")}  ${(median(cpuMs) / 1000).toFixed(2).padStart(6)}`);
  }
}
