// probe's client against a server that answers at once, and beside it promptfoo with as many prompts.
import { fork, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readDataset } from "../dist/src/dataset/dataset-file.js";
import { permutationsOf } from "../dist/src/question/permutations.js";
import { loadProbes } from "../dist/src/question/probes.js";
import { loadTemplate, renderPrompt } from "../dist/src/question/prompt.js";
import { buildQuestions, probeForms } from "../dist/src/question/question-build.js";
import { COST, commandOf, copiedStarter, median, PROBE, residentMb } from "./measured-command.mjs";
import { runPromptfoo } from "./promptfoo.mjs";

const METHOD = `A local server that answers every request at once with log probabilities that depend on the prompt, in a process of its
own. probe: the whole command, CL hard of the starter set copied under new ids, every answer scored and journalled;
"asking" leaves out its start and the writing of the tables. promptfoo: the same prompts as legacy completions, cache,
database and output file off, 64 at once, its start-up (a run of one prompt) measured apart. Rounds in turn. Resident
memory is the kernel's, read every 100 ms. --base=REV: in place of promptfoo, the client of that commit (or in that
folder, where it is built), in turn with this one; processor time is the process's own, all of the command. --rounds=N, --copies=N (2,592 prompts each), --no-promptfoo, --no-memory.`;

export async function run(flags) {
  console.log(METHOD);
  const number = (name, usual) => Number(flags.find((flag) => flag.startsWith(`--${name}=`))?.split("=")[1] ?? usual);
  const folder = mkdtempSync(join(tmpdir(), "probe-bench-"));
  const server = await startServer();
  try {
    const base = flags.find((flag) => flag.startsWith("--base="))?.slice("--base=".length);
    if (base !== undefined) {
      await sideBySide({ folder, server, base, rounds: number("rounds", 3), copies: number("copies", 4) });
      return;
    }
    await throughput({
      folder,
      server,
      rounds: number("rounds", 3),
      copies: number("copies", 4),
      withPromptfoo: !flags.includes("--no-promptfoo"),
    });
    if (!flags.includes("--no-memory")) await memory({ folder, server });
  } finally {
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startServer() {
  const child = fork(join(import.meta.dirname, "no-op-server.mjs"), [], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const url = await new Promise((resolve) =>
    child.stdout.once("data", (text) => resolve(String(text).split("\n")[0].trim())),
  );
  return { url, stop: () => child.kill() };
}

async function throughput({ folder, server, rounds, copies, withPromptfoo }) {
  const data = copiedStarter(folder, copies);
  const prompts = await renderAll(data);
  console.log(`\n${prompts.length} prompts a round, node ${process.version}`);
  const ratios = [];
  for (let round = 1; round <= rounds; round++) {
    const probe = await runProbe(folder, server.url, data, `round-${round}`);
    const asking = (prompts.length / probe.askingMs) * 1000;
    console.log(
      `round ${round}  probe      ${asking.toFixed(0)} answers/s asking, ${((prompts.length / probe.ms) * 1000).toFixed(0)}/s whole command ` +
        `(${(probe.ms / 1000).toFixed(1)} s), peak ${probe.peakMb.toFixed(0)} MB`,
    );
    if (!withPromptfoo) continue;
    const other = await runPromptfoo({ baseUrl: server.url, prompts });
    const net = (prompts.length / (other.ms - other.startup.ms)) * 1000;
    ratios.push([asking / net, other.ms / probe.ms]);
    console.log(
      `round ${round}  promptfoo  ${net.toFixed(0)} prompts/s less start-up, ${((prompts.length / other.ms) * 1000).toFixed(0)}/s whole command ` +
        `(${(other.ms / 1000).toFixed(1)} s), peak ${other.maxRssMb.toFixed(0)} MB, ${other.version} on node ${other.node}`,
    );
  }
  if (ratios.length === 0) return;
  console.log(
    `ratio probe/promptfoo, median: asking ${median(ratios.map(([a]) => a)).toFixed(1)}, whole command ${median(ratios.map(([, b]) => b)).toFixed(1)}`,
  );
}

/** The prompts of CL hard; promptfoo drops a last line end, so they come without. */
async function renderAll(data) {
  const probe = (await loadProbes()).get("CL");
  const template = await loadTemplate("CL");
  const examples = (async function* () {
    for await (const line of readDataset(data)) yield line.example;
  })();
  const prompts = [];
  for await (const question of buildQuestions(examples, probeForms([probe], ["hard"]))) {
    for (const order of permutationsOf(question.options.length))
      prompts.push(renderPrompt(template, question, order).trimEnd());
  }
  return prompts;
}

/** This client and another commit's, in turn; who begins changes with the round. */
async function sideBySide({ folder, server, base, rounds, copies }) {
  const data = copiedStarter(folder, copies);
  const answers = copies * 2592;
  const clients = { base: commandOf(base, folder), now: PROBE };
  console.log(`\n${answers} answers a round, node ${process.version}; base: ${base}`);
  const ratios = [];
  for (let round = 1; round <= rounds; round++) {
    const measured = {};
    for (const name of round % 2 === 1 ? ["base", "now"] : ["now", "base"]) {
      const { askingMs, cpuMs, peakMb } = await runProbe(folder, server.url, data, `${name}-${round}`, {
        command: clients[name],
      });
      measured[name] = { rate: (answers / askingMs) * 1000, cpu: (cpuMs / answers) * 1000 };
      const { rate, cpu } = measured[name];
      console.log(
        `round ${round}  ${name.padEnd(4)}  ${rate.toFixed(0)} answers/s asking, ${cpu.toFixed(0)} ms CPU per 1,000 answers, peak ${peakMb.toFixed(0)} MB`,
      );
    }
    ratios.push([measured.now.rate / measured.base.rate, measured.base.cpu / measured.now.cpu]);
  }
  const [rate, cpu] = [0, 1].map((i) => median(ratios.map((ratio) => ratio[i])).toFixed(2));
  console.log(`now against base, median of the rounds: ${rate} times the answers/s, 1/${cpu} of the processor time`);
}

async function runProbe(folder, baseUrl, data, name, { command = PROBE, onSample = () => {} } = {}) {
  const out = join(folder, name);
  const args = [
    "run",
    "--model",
    "openai:no-op",
    "--base-url",
    baseUrl,
    "--dataset",
    data,
    "--task",
    "CL",
    "--difficulty",
    "hard",
  ];
  const started = performance.now();
  const cpuFile = join(folder, `${name}.cpu`);
  const child = spawn(process.execPath, ["--import", COST, command, ...args, "--out", out, "--quiet"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, PROBE_BENCH_COST: cpuFile },
  });
  let peakMb = 0;
  const timer = setInterval(() => {
    const mb = residentMb(child.pid);
    peakMb = Math.max(peakMb, mb);
    onSample(mb);
  }, 100);
  const code = await new Promise((resolve) => child.once("close", resolve));
  clearInterval(timer);
  if (code !== 0) throw new Error(`probe ended with ${code}`);
  const ms = performance.now() - started;
  const { times } = JSON.parse(readFileSync(join(out, "run.json"), "utf8"));
  rmSync(out, { recursive: true });
  return { ms, askingMs: times.asking_ms, peakMb, cpuMs: JSON.parse(readFileSync(cpuFile, "utf8")).cpuMs };
}

async function memory({ folder, server }) {
  console.log("\nmemory (largest resident size in each tenth of the run)");
  for (const copies of [39, 78]) {
    const samples = [];
    const { peakMb, askingMs } = await runProbe(folder, server.url, copiedStarter(folder, copies), `memory-${copies}`, {
      onSample: (mb) => samples.push(mb),
    });
    const tenths = Array.from({ length: 10 }, (_, i) =>
      Math.max(
        ...samples.slice(Math.floor((i * samples.length) / 10), Math.floor(((i + 1) * samples.length) / 10)),
      ).toFixed(0),
    );
    const answers = copies * 2592;
    console.log(
      `${answers} answers: peak ${peakMb.toFixed(0)} MB; ${tenths.join(" ")}; ${((answers / askingMs) * 1000).toFixed(0)} answers/s`,
    );
  }
}
