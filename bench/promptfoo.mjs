// Runs prompts through promptfoo (https://promptfoo.dev), installed from npm into the cache folder for this alone.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const PROMPTFOO = "0.123.1";
const LEAST_NODE = [22, 22]; // what this promptfoo starts on
const NODE = "22.23.3"; // what is installed where the running one is older
// promptfoo looks for it at every log line; present, it spends about a tenth less CPU than where the search fails each time.
const SOURCE_MAP_SUPPORT = "0.5.21";

/**
 * One `promptfoo eval` over the prompts as legacy completions of one token, in a process of its own, and before it one
 * over the first prompt alone, whose time is the start-up. Both are wall times from spawn to end.
 */
export async function runPromptfoo({ baseUrl, prompts, concurrency = 64 }) {
  const { node, entry } = await installPromptfoo();
  const startup = await evaluate({ node, entry, baseUrl, concurrency, prompts: prompts.slice(0, 1) });
  const whole = await evaluate({ node, entry, baseUrl, concurrency, prompts });
  return {
    ...whole,
    prompts: prompts.length,
    concurrency,
    version: PROMPTFOO,
    node: await output(node, ["-v"]),
    startup,
  };
}

async function evaluate({ node, entry, baseUrl, prompts, concurrency }) {
  const folder = await mkdtemp(join(tmpdir(), "bench-promptfoo-"));
  try {
    const [config, usage] = [join(folder, "promptfooconfig.json"), join(folder, "usage.json")];
    await writeFile(config, JSON.stringify(evaluation(baseUrl, prompts)));
    const flags = ["--no-cache", "--no-write", "--no-table", "--no-share", "--no-progress-bar"];
    const preload = pathToFileURL(join(import.meta.dirname, "promptfoo-preload.mjs")).href;
    const args = ["--import", preload, entry, "eval", "-c", config, "-j", String(concurrency), ...flags];
    const started = performance.now();
    // A failed request makes an error of its test, and the exit code 100.
    await output(node, args, { cwd: folder, env: { ...environment(folder), BENCH_USAGE_FILE: usage } });
    return { ms: performance.now() - started, ...JSON.parse(await readFile(usage, "utf8")) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function evaluation(apiBaseUrl, prompts) {
  const config = { apiBaseUrl, apiKey: "none", max_tokens: 1, temperature: 0, passthrough: { logprobs: 20 } };
  return {
    prompts: ["{{prompt}}"],
    providers: [{ id: "openai:completion:no-op", config }],
    tests: prompts.map((prompt) => ({ vars: { prompt } })),
  };
}

function environment(folder) {
  const kept = ["PATH", "SystemRoot", "TEMP", "TMP", "TMPDIR"].flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name]]],
  );
  return {
    ...Object.fromEntries(kept),
    HOME: folder,
    PROMPTFOO_CONFIG_DIR: join(folder, "promptfoo"),
    PROMPTFOO_DISABLE_TELEMETRY: "1",
    PROMPTFOO_DISABLE_UPDATE: "1",
    PROMPTFOO_DISABLE_SHARING: "1",
    PROMPTFOO_DISABLE_REMOTE_GENERATION: "1",
    PROMPTFOO_DISABLE_DEBUG_LOG: "1",
    PROMPTFOO_DISABLE_ERROR_LOG: "1",
    // Otherwise braces inside a prompt are rendered as a template once more: slower, and no longer the prompt given.
    PROMPTFOO_DISABLE_JSON_AUTOESCAPE: "1",
  };
}

/** The Node that runs promptfoo and promptfoo's entry file, both installed on the first call. */
async function installPromptfoo() {
  const own = hasNode(process.versions.node);
  const [platform, arch] = [process.platform === "win32" ? "win" : process.platform, process.arch];
  const nodePackage = `${platform === "darwin" && arch === "arm64" ? "node-bin" : "node"}-${platform}-${arch}`;
  const folder = join(cacheFolder(), "bench-promptfoo", own ? PROMPTFOO : `${PROMPTFOO}-node-${NODE}`);
  const modules = join(folder, "node_modules");
  const found = {
    node: own ? process.execPath : join(modules, nodePackage, "bin", platform === "win" ? "node.exe" : "node"),
    entry: join(modules, "promptfoo", "dist", "src", "entrypoint.js"),
  };
  const done = join(folder, "installed");
  if (existsSync(done)) return found;
  console.log(`Installing promptfoo ${PROMPTFOO} into ${folder} (about a minute, 0.5 GB) …`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true }));
  const packages = [`promptfoo@${PROMPTFOO}`, `source-map-support@${SOURCE_MAP_SUPPORT}`];
  await npmInstall(folder, own ? packages : [...packages, `${nodePackage}@${NODE}`]);
  await npmInstall(folder, [await databaseBinary(modules)]);
  const version = await output(found.node, [found.entry, "--version"], { env: environment(folder) });
  if (version !== PROMPTFOO) throw new Error(`Expected promptfoo ${PROMPTFOO}, found ${version}`);
  await writeFile(done, "");
  return found;
}

function hasNode(version) {
  const [major, minor] = version.split(".").map(Number);
  return major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);
}

function cacheFolder() {
  const { PROBE_CACHE_DIR, XDG_CACHE_HOME } = process.env;
  return PROBE_CACHE_DIR || join(XDG_CACHE_HOME || join(homedir(), ".cache"), "code-review-probe");
}

/** Optional packages of promptfoo (1 GB of SDKs and browsers): it needs one to start, its database's binary. */
async function databaseBinary(modules) {
  const { optionalDependencies } = JSON.parse(await readFile(join(modules, "libsql", "package.json"), "utf8"));
  const musl = process.platform === "linux" && process.report.getReport().header.glibcVersionRuntime === undefined;
  const name = Object.keys(optionalDependencies).find(
    (key) => key.startsWith(`@libsql/${process.platform}-${process.arch}`) && key.includes("-musl") === musl,
  );
  if (name === undefined) throw new Error(`No promptfoo for ${process.platform} ${process.arch}`);
  return `${name}@${optionalDependencies[name]}`;
}

async function npmInstall(folder, packages) {
  const flags = ["--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund", "--save-exact", "--loglevel=error"];
  await output("npm", ["install", ...flags, ...packages], { cwd: folder, shell: process.platform === "win32" });
}

/** The program's trimmed stdout; an error with the end of what it printed when it fails. */
async function output(command, args, options = {}) {
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const printed = { out: "", all: "" };
  child.stdout.setEncoding("utf8").on("data", (text) => {
    printed.out += text;
    printed.all += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    printed.all += text;
  });
  const code = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${printed.all.slice(-2000)}`);
  return printed.out.trim();
}
