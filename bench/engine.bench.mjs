// Fast mode (cache reused along the permutation tree) against exact mode (each prompt from scratch) and llama.cpp's server.
import { seededIntegers, shuffled } from "../dist/src/base/random.js";
import { depthFirstOrder, treeNodeCount } from "../dist/src/model/llama/symbol-scorer.js";
import { NO_CONNECTION } from "../dist/src/model/model.js";
import { openModel } from "../dist/src/model/open-model.js";
import { resolveModel } from "../dist/src/model/resolved-model.js";
import { askServer, llamaServerPath, startServer } from "./llama-server.mjs";
import { loadVocabulary, modelPath, starterQuestions } from "./starter-prompts.mjs";

const METHOD = `Questions of the starter set under all their orders. Question by question and in turn (who is first goes round): fast;
exact; llama.cpp's server with its prompt cache, asked the same tokens: with four requests under way in the order given,
which is near to the tree's (server 4), one after the other in the order of the prefix tree (server 1), and, at the end
and a probe at a time, with four under way in an order drawn by seed from all its questions (server any); each in a
process of its own. F32 cache, no flash attention, as many threads for each. Seconds are processor time, as other work on
the machine has little say in it: of our process, and of the server and who asks it (whose prompts are tokens already).
Tokens are evaluated ones by each engine's own meter; tree: nodes of the prefix tree. The servers are left out where npm
run server has not built one. --shape=0.5b: random weights of that shape in Q8_0 (unlike the bundled model they choose by
chance). --examples=N (of the starter set), --tasks=CTR,CL,SI, --threads=N (1), --exact=N: only N orders of a question
from scratch, and their time in proportion.`;

const SEED = 20_261_122;

/** The way that asks all questions of a probe at once. */
const MIXED = "server any";

/** Ways to ask a server: its name here, how many requests are under way, and the order of the prompts. */
const SERVERS = [
  [MIXED, 4, (prompts) => shuffled([...prompts.keys()], seededIntegers(SEED))],
  ["server 4", 4, (prompts) => [...prompts.keys()]],
  ["server 1", 1, depthFirstOrder],
];

export async function run(flags) {
  console.log(METHOD);
  const value = (name, usual) => flags.find((flag) => flag.startsWith(`--${name}=`))?.split("=")[1] ?? usual;
  const path = await modelPath(value("shape", null));
  const threads = Number(value("threads", 1));
  const ways = await openWays(path, threads, Number(value("exact", Number.POSITIVE_INFINITY)));
  const { tokenize, symbolTokens } = await loadVocabulary(path);
  const rows = new Map();
  const inTurn = ways.filter((way) => way.name !== MIXED);
  let turn = 0;
  try {
    for await (const { name, requests } of starterQuestions(
      value("tasks", "CTR,CL,SI").split(","),
      Number(value("examples", 1)),
    )) {
      const prompts = await Promise.all(requests.map(({ prompt }) => tokenize(prompt)));
      const row = rows.get(name) ?? { questions: [], answers: 0, nodes: 0, ways: new Map() };
      rows.set(name, row);
      row.answers += prompts.length;
      row.nodes += treeNodeCount(prompts);
      const chosen = new Map();
      const order = [...inTurn.slice(turn % inTurn.length), ...inTurn.slice(0, turn % inTurn.length)];
      turn++;
      for (const way of order) chosen.set(way.name, await measure(way, { requests, prompts, symbolTokens }, row));
      for (const { name: other } of inTurn) countDiffering(row.ways.get(other), chosen.get("fast"), chosen.get(other));
      row.questions.push({ prompts, chosen: chosen.get("fast") });
    }
    for (const way of ways.filter(({ name }) => name === MIXED)) await askMixed(way, rows, symbolTokens);
    print(rows, ways);
  } finally {
    await Promise.all(ways.map((way) => way.close()));
  }
}

async function askMixed(way, rows, symbolTokens) {
  for (const row of rows.values()) {
    const prompts = row.questions.flatMap((question) => question.prompts);
    const chosen = await measure(way, { prompts, symbolTokens }, row);
    const fast = row.questions.flatMap((question) => question.chosen);
    countDiffering(row.ways.get(way.name), fast, chosen);
  }
}

async function openWays(path, threads, exactOrders) {
  const ways = [await ownEngine("fast", path, threads, Number.POSITIVE_INFINITY)];
  if (exactOrders > 0) ways.push(await ownEngine("exact", path, threads, exactOrders));
  const binary = llamaServerPath();
  if (binary === null) return ways;
  for (const [name, atOnce, orderOf] of SERVERS) {
    const server = await startServer(binary, { path, threads, slots: atOnce });
    const ask = async ({ prompts, symbolTokens }) => {
      const flat = symbolTokens.flat();
      const { chosen, tokens } = await askServer(server, { prompts, order: orderOf(prompts), atOnce }, flat);
      return { chosen: chosen.map((at) => symbolTokens.findIndex((own) => own.includes(flat[at]))), tokens };
    };
    const cpuMs = () => server.cpuMs() + ownCpuMs();
    ways.push({ name, ask, cpuMs, peakMb: server.peakMb, close: server.stop });
  }
  return ways;
}

function ownCpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function ownEngine(name, path, threads, orders) {
  const before = process.memoryUsage().rss;
  const resolved = { ...resolveModel(path, new Map()), settings: { threads, gpu: "false", contextSize: 4096 } };
  const options = { promptMode: "completion", mode: name, seed: 0, connection: NO_CONNECTION, purpose: "ask" };
  const model = await openModel(resolved, options);
  const ask = async ({ requests }) => {
    const asked = requests.slice(0, orders);
    const start = model.evaluatedTokens();
    const chosen = [];
    for await (const { index, reply } of model.scoreSymbols(asked, new AbortController().signal)) {
      if (reply.status !== "scored") throw new Error(`The engine failed: ${reply.detail}`);
      const logprobs = [...reply.scores.values()].map(({ logprob }) => logprob);
      chosen[index] = logprobs.indexOf(Math.max(...logprobs));
    }
    const scale = requests.length / asked.length;
    return { chosen, tokens: (model.evaluatedTokens() - start) * scale, scale };
  };
  return {
    name,
    ask,
    cpuMs: ownCpuMs,
    peakMb: () => (process.memoryUsage().rss - before) / 2 ** 20,
    close: () => model.close(),
  };
}

async function measure(way, question, row) {
  const sums = row.ways.get(way.name) ?? { cpuMs: 0, ms: 0, tokens: 0, compared: 0, differing: 0 };
  row.ways.set(way.name, sums);
  const [cpu, clock] = [way.cpuMs(), performance.now()];
  const { chosen, tokens, scale = 1 } = await way.ask(question);
  sums.cpuMs += (way.cpuMs() - cpu) * scale;
  sums.ms += (performance.now() - clock) * scale;
  sums.tokens += tokens;
  return chosen;
}

function countDiffering(sums, ours, theirs) {
  sums.compared += theirs.length;
  sums.differing += theirs.filter((option, index) => option !== ours[index]).length;
}

function print(rows, ways) {
  console.log(
    "\nprobe    way         CPU s  times fast  clock s    tokens  tokens/tree  tokens/CPU s  other option than fast",
  );
  for (const [name, { questions, answers, nodes, ways: measured }] of rows) {
    const fast = measured.get("fast");
    console.log(`${name}: ${questions.length} questions, ${answers} prompts, tree of ${nodes} tokens`);
    for (const [way, { cpuMs, ms, tokens, compared, differing }] of [...measured].sort()) {
      const cells = [
        [(cpuMs / 1000).toFixed(2), 6],
        [(cpuMs / fast.cpuMs).toFixed(2), 10],
        [(ms / 1000).toFixed(2), 7],
        [tokens.toFixed(0), 8],
        [(tokens / nodes).toFixed(2), 11],
        [((tokens / cpuMs) * 1000).toFixed(0), 12],
        [`${differing} of ${compared}`, 22],
      ];
      console.log(`         ${way.padEnd(10)} ${cells.map(([text, width]) => text.padStart(width)).join("  ")}`);
    }
  }
  for (const { name, peakMb } of ways) console.log(`memory, ${name}: ${peakMb().toFixed(0)} MB`);
}
