// Measures the processor time and memory of a large run: asking, scoring, reporting.
import { createHash } from "node:crypto";
import { createReadStream, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { commandOf, copiedStarter, measured, median, PROBE } from "./measured-command.mjs";

const METHOD = `The starter set, copied under new ids, answered by a script (always right): what is measured is this program. Each
command in a process of its own; processor time (all threads) and peak of resident memory are the kernel's. --copies=N
(10,152 answers each; 100 make the million), --rounds=N. --base=REV: beside it that commit (or that folder, where it is
built) in the same rounds, in turn; the tables of both must be the same but for the run's id.`;

const COMMANDS = ["run", "score", "report"];

export async function run(flags) {
  console.log(METHOD);
  const value = (name) => flags.find((flag) => flag.startsWith(`--${name}=`))?.split("=")[1];
  const folder = mkdtempSync(join(tmpdir(), "probe-bench-"));
  try {
    const data = copiedStarter(folder, Number(value("copies") ?? 100));
    const base = value("base");
    const versions = { ...(base !== undefined && { base: commandOf(base, folder) }), now: PROBE };
    const costs = new Map();
    for (let round = 1; round <= Number(value("rounds") ?? 1); round++) {
      const names = Object.keys(versions);
      const tables = new Set();
      for (const name of round % 2 === 1 ? names : names.reverse()) {
        const out = join(folder, `${name}-${round}`);
        tables.add(await measureVersion({ name, command: versions[name], round, data, out }, costs));
      }
      if (tables.size > 1) throw new Error("Expected the same tables of both versions, found others.");
    }
    if (base !== undefined) compare(costs);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs, scores and reports once; the digest of the tables. */
async function measureVersion({ name, command, round, data, out }, costs) {
  for (const step of COMMANDS) {
    const cost = await measured(command, argumentsOf(step, { data, out }), `${out}.cost`);
    print(`round ${round}  ${name.padEnd(4)}  ${step.padEnd(6)}`, cost, step === "run" ? out : null);
    const key = `${name} ${step}`;
    costs.set(key, [...(costs.get(key) ?? []), cost.cpuMs]);
  }
  const digest = await digestOf(out);
  rmSync(out, { recursive: true });
  return digest;
}

function compare(costs) {
  for (const step of COMMANDS) {
    const [before, now] = ["base", "now"].map((name) => median(costs.get(`${name} ${step}`)));
    console.log(`${step}: now ${(now / before).toFixed(2)} times the processor time of base (medians); same tables`);
  }
}

function argumentsOf(command, { data, out }) {
  if (command === "run") return ["run", "--model", "scripted:oracle", "--dataset", data, "--out", out, "--quiet"];
  return command === "score" ? ["score", out] : ["report", out, "--out", join(out, "report.html")];
}

function print(label, { ms, cpuMs, peakMb }, folder) {
  const size = folder === null ? "" : `, journal ${(statSync(join(folder, "answers.jsonl")).size / 1e6).toFixed(0)} MB`;
  const seconds = (time) => (time / 1000).toFixed(1);
  console.log(`${label}  ${seconds(cpuMs)} s CPU (${seconds(ms)} s by the clock), peak ${peakMb.toFixed(0)} MB${size}`);
}

/** Hash of all tables of a run, but for the run's id. */
async function digestOf(folder) {
  const { run_id: id } = JSON.parse(readFileSync(join(folder, "run.json"), "utf8"));
  const hash = createHash("sha256");
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith(".csv"))
    .sort()) {
    const lines = createInterface({ input: createReadStream(join(folder, file)) });
    for await (const line of lines) hash.update(`${line.replace(id, "")}\n`);
  }
  return hash.digest("hex");
}
