// node scripts/build-llama-server.mjs: llama.cpp's own server, for the tests. It is built from the source bundle inside
// the installed node-llama-cpp (no network) unless the cache has it; `--cached` only looks there. The last line of stdout is the path of the binary.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { availableParallelism, homedir } from "node:os";
import { dirname, join } from "node:path";

const ENGINE = join(import.meta.dirname, "../node_modules/node-llama-cpp/llama");
const FLAGS = [
  "-DCMAKE_BUILD_TYPE=Release",
  "-DBUILD_SHARED_LIBS=OFF",
  // The cache may be restored on another machine: no instructions that only this processor has.
  "-DGGML_NATIVE=OFF",
  "-DLLAMA_BUILD_TESTS=OFF",
  "-DLLAMA_BUILD_EXAMPLES=OFF",
  "-DLLAMA_BUILD_APP=OFF",
  "-DLLAMA_BUILD_UI=OFF",
  "-DLLAMA_USE_PREBUILT_UI=OFF",
  "-DLLAMA_OPENSSL=OFF",
  "-DLLAMA_SUBPROCESS=OFF",
];
const TOOLS = [
  ["git", ["git"]],
  ["cmake", ["cmake"]],
  ["make", [process.env.CMAKE_GENERATOR?.startsWith("Ninja") ? "ninja" : "make"]],
  ["a C compiler", [process.env.CC, "cc", "gcc", "clang"]],
  ["a C++ compiler", [process.env.CXX, "c++", "g++", "clang++"]],
];
const DAY_MS = 86_400_000;
// Inside a git hook, GIT_DIR and GIT_INDEX_FILE would point the clone at the hook's repository.
const ENVIRONMENT = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));

function say(text) {
  console.error(`llama-server: ${text}`);
}

function stop(text) {
  say(text);
  process.exit(1);
}

function cacheFolder() {
  const { PROBE_CACHE_DIR, XDG_CACHE_HOME } = process.env;
  return PROBE_CACHE_DIR || join(XDG_CACHE_HOME || join(homedir(), ".cache"), "code-review-probe");
}

function release() {
  const path = join(ENGINE, "llama.cpp.info.json");
  try {
    return JSON.parse(readFileSync(path, "utf8")).tag;
  } catch (error) {
    return stop(`expected the release of llama.cpp in ${path} (${error.message}). Run npm ci.`);
  }
}

function runs(command) {
  try {
    execFileSync(command, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function requireTools() {
  const missing = TOOLS.filter(([, commands]) => !commands.some((command) => command && runs(command)));
  if (missing.length > 0) {
    stop(
      `the build needs ${missing.map(([name]) => name).join(", ")}, not found on the PATH. ` +
        "Install: apt-get install git cmake build-essential (Debian, Ubuntu), xcode-select --install and brew install cmake (macOS).",
    );
  }
}

let running;

/** Runs a step of the build in a process group of its own, so that it can be ended with all its compilers. */
function step(command, args, { onText = () => {} } = {}) {
  return new Promise((resolve, reject) => {
    let tail = "";
    running = spawn(command, args, { env: ENVIRONMENT, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [running.stdout, running.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        tail = (tail + text).slice(-4000);
        onText(text);
      });
    }
    running.on("error", reject);
    running.on("close", (code, signal) => {
      running = undefined;
      if (code === 0) resolve(tail);
      else reject(new Error(`${command} ${args[0]} ended with ${signal ?? `code ${code}`}:\n${tail.trimEnd()}`));
    });
  });
}

function percentReporter(startMs) {
  let next = 10;
  return (text) => {
    const percent = Math.max(-1, ...Array.from(text.matchAll(/^\[ *(\d+)%\]/gm), ([, digits]) => Number(digits)));
    if (percent < next) return;
    say(`${percent} % after ${seconds(startMs)} s`);
    next = percent - (percent % 10) + 10;
  };
}

function seconds(startMs) {
  return Math.round((Date.now() - startMs) / 1000);
}

/** A build that was killed leaves its folder, about 300 MB. One this old is nobody's. */
function removeLeftovers(folder) {
  for (const name of readdirSync(folder).filter((name) => name.startsWith("building-"))) {
    const path = join(folder, name);
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > DAY_MS) rmSync(path, { recursive: true, force: true });
  }
}

async function build(binary) {
  requireTools();
  const startMs = Date.now();
  const folder = dirname(binary);
  const temporary = join(folder, `building-${process.pid}`);
  const [source, tree] = [join(temporary, "source"), join(temporary, "build")];
  const clean = () => rmSync(temporary, { recursive: true, force: true, maxRetries: 10 });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.once(signal, () => {
      if (running?.pid !== undefined) process.kill(-running.pid, "SIGKILL");
      clean();
      stop(`stopped by ${signal}, nothing kept.`);
    });
  }

  mkdirSync(folder, { recursive: true });
  removeLeftovers(folder);
  clean();
  mkdirSync(temporary);
  const cores = availableParallelism();
  say(`not in the cache; building it once with ${cores} cores in ${temporary}. Two cores take 5 to 10 minutes.`);
  try {
    await step("git", ["clone", "--quiet", join(ENGINE, "gitRelease.bundle"), source]);
    await step("cmake", ["-S", source, "-B", tree, ...FLAGS]);
    await step("cmake", ["--build", tree, "--target", "llama-server", "-j", String(cores)], {
      onText: percentReporter(startMs),
    });
    const built = join(tree, "bin/llama-server");
    await step(built, ["--version"]);
    renameSync(built, binary);
  } catch (error) {
    clean();
    stop(`the build failed after ${seconds(startMs)} s. ${error.message}`);
  }
  clean();
  say(`built in ${seconds(startMs)} s: ${binary}`);
}

if (process.platform === "win32") stop("expected Linux or macOS, found Windows. Use WSL.");
const name = `${release()}-${process.platform}-${process.arch}`;
const binary = join(cacheFolder(), "llama-server", name, "llama-server");
if (!existsSync(binary)) {
  if (process.argv.includes("--cached")) stop("not built yet. `npm run server` builds it once.");
  await build(binary);
}
console.log(binary);
