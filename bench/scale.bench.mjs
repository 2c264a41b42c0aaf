// Measures the gain by workers on a queue: the same run with one, two and four of them, against a server of fixed latency.
import { fork, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { run as measureVolume } from "./volume.bench.mjs";

const METHOD = `A server that takes 400 ms for each reply (--delay=MS), a Redis server, the run and its workers, each a process of its own on this
machine. CL of 20 starter examples: 960 answers. Every worker has 16 requests under way at most, so that the most that
W workers can do is W x 16 / 0.4 s; with less delay the cores end before that. "answers/s" is over the time of asking, that the run records; resident memory is the
kernel's peak. "direct" is the run by itself, with as many requests under way as one worker. --rounds=N (2). --million:
then what \`volume\` measures, a million answers; --copies and --base as there.`;

const PROBE = join(import.meta.dirname, "../dist/src/cli/main.js");
const [AT_ONCE, PORT] = [16, 16399];
const QUEUE = `redis://127.0.0.1:${PORT}`;
const CL = ["--task", "CL", "--limit", "20", "--quiet"];

export async function run(flags) {
  await measureWorkers(flags);
  if (flags.includes("--million")) await measureVolume(flags.filter((flag) => !flag.startsWith("--rounds=")));
}

async function measureWorkers(flags) {
  console.log(METHOD);
  if (spawnSync("redis-server", ["--version"]).status !== 0)
    return console.log("No redis-server here: nothing measured.");
  const value = (name) => flags.find((flag) => flag.startsWith(`--${name}=`))?.split("=")[1];
  const [rounds, delayMs] = [Number(value("rounds") ?? 2), Number(value("delay") ?? 400)];
  const folder = mkdtempSync(join(tmpdir(), "probe-bench-"));
  const redis = spawn("redis-server", ["--port", PORT, "--dir", folder, "--save", ""], { stdio: "ignore" });
  const server = fork(join(import.meta.dirname, "no-op-server.mjs"), ["0", String(delayMs)], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  try {
    const url = await new Promise((resolve) =>
      server.stdout.once("data", (text) => resolve(String(text).split("\n")[0].trim())),
    );
    console.log(`${cpus().length} cores`);
    for (let round = 1; round <= rounds; round++) {
      show(round, "direct", await measure({ folder, url, delayMs }, `direct-${round}`, 0));
      for (const workers of [1, 2, 4])
        show(round, `${workers} workers`, await measure({ folder, url, delayMs }, `${workers}-${round}`, workers));
    }
  } finally {
    server.kill();
    redis.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

function show(round, name, { rate, most, run, worker }) {
  const memory = worker === null ? `run ${run} MB` : `run ${run} MB, worker ${worker} MB`;
  console.log(
    `round ${round}: ${name.padEnd(9)} ${rate.toFixed(0).padStart(5)} answers/s of ${most.toFixed(0)} at most; ${memory}`,
  );
}

async function measure({ folder, url, delayMs }, name, count) {
  const served = ["--model", "openai:no-op", "--base-url", url, "--concurrency", String(AT_ONCE)];
  const workers = Array.from({ length: count }, () => start(["worker", ...served, "--queue", QUEUE, "--quiet"]));
  // All are there before the first question.
  if (count > 0) await sleep(3_000);
  const out = join(folder, name);
  const how = count === 0 ? served : ["--model", "openai:no-op", "--queue", QUEUE];
  const run = start(["run", ...how, ...CL, "--out", out]);
  if ((await run.ended) !== 0) throw new Error(`Expected the run ${name} to end well.`);
  for (const { child } of workers) child.kill("SIGINT");
  await Promise.all(workers.map(({ ended }) => ended));
  const { times, planned_answers: answers } = JSON.parse(readFileSync(join(out, "run.json"), "utf8"));
  const peaks = workers.map(({ peak }) => peak());
  return {
    rate: (answers * 1000) / times.asking_ms,
    most: (Math.max(1, count) * AT_ONCE * 1000) / delayMs,
    run: run.peak(),
    worker: peaks.length === 0 ? null : Math.max(...peaks),
  };
}

/** A process of the command, and the most memory that it had, in MB. */
function start(args) {
  const child = spawn(process.execPath, [PROBE, ...args], { stdio: ["ignore", "ignore", "inherit"] });
  let peak = 0;
  const look = setInterval(() => {
    try {
      const found = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"));
      peak = Math.max(peak, Number(found?.[1] ?? 0) / 1024);
    } catch {
      // It is over.
    }
  }, 100);
  const ended = new Promise((resolve) =>
    child.once("close", (code) => {
      clearInterval(look);
      resolve(code);
    }),
  );
  return { child, ended, peak: () => Math.round(peak) };
}
