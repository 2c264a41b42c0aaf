// llama.cpp's own server, asked the prompts that a question has, and what that took.
import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const TICKS_A_SECOND = 100;
const READY_WITHIN_MS = 60_000;

/** The binary, where `npm run server` has built it; `null`: it has not. */
export function llamaServerPath() {
  try {
    const script = join(import.meta.dirname, "../scripts/build-llama-server.mjs");
    const output = execFileSync(process.execPath, [script, "--cached"], { stdio: ["ignore", "pipe", "ignore"] });
    return String(output).trimEnd().split("\n").at(-1);
  } catch {
    return null;
  }
}

/** A server with its prompt cache on, and with the numbers of our own engine: cache in F32, no flash attention. */
export async function startServer(binary, { path, threads, slots }) {
  const port = await freePort();
  const flags = `--host 127.0.0.1 --port ${port} -c ${4096 * slots} -np ${slots} -t ${threads} -b 512 -ub 512 -fa off -ctk f32 -ctv f32 --no-webui`;
  const child = spawn(binary, ["-m", path, ...flags.split(" ")], { stdio: "ignore" });
  const stop = () => child.kill("SIGKILL");
  process.once("exit", stop);
  const url = `http://127.0.0.1:${port}`;
  const until = Date.now() + READY_WITHIN_MS;
  while (!(await isReady(url))) {
    if (Date.now() > until || child.exitCode !== null) throw new Error("llama-server did not start.");
    await sleep(100);
  }
  return { url, stop, cpuMs: () => cpuMs(child.pid), peakMb: () => peakMb(child.pid) };
}

/**
 * Asks prompts for one token out of some, in an order, so many of them under way.
 * @returns which of the tokens was written for each prompt, and how many tokens of prompts were evaluated
 */
export async function askServer({ url }, { prompts, order, atOnce }, symbolTokens) {
  const queue = [...order];
  const chosen = [];
  let tokens = 0;
  const worker = async () => {
    for (let index = queue.shift(); index !== undefined; index = queue.shift()) {
      const response = await fetch(`${url}/completion`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          prompt: prompts[index],
          n_predict: 1,
          temperature: 0,
          cache_prompt: true,
          // The most probable of these is written, without the whole vocabulary in the reply.
          logit_bias: symbolTokens.map((token) => [token, 1000]),
          return_tokens: true,
        }),
      });
      const reply = await response.json();
      if (!response.ok) throw new Error(`llama-server answers ${JSON.stringify(reply)}.`);
      chosen[index] = symbolTokens.indexOf(reply.tokens[0]);
      tokens += reply.timings.prompt_n;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { chosen, tokens };
}

async function isReady(url) {
  const response = await fetch(`${url}/health`).catch(() => null);
  return response?.ok === true;
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Processor time of a process on Linux, user and system. */
function cpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND) * 1000;
}

function peakMb(pid) {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
}
