// npm run lock: after a change of dependencies, writes package-lock.json and vendor/engine/lock.json anew and completes
// both, so that they serve every platform: a registry mirror may lack the builds for other platforms, npm then leaves them
// out, and `npm ci` refuses the file. Each missing one is added by name and version, with the platform its name tells, and
// with its hash where the registry knows it; those that stay without are named. With `--hashes` only the hashes are filled
// in.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ENGINE_LOCK = "vendor/engine/lock.json";
const SYSTEMS = {
  android: "android",
  darwin: "darwin",
  mac: "darwin",
  linux: "linux",
  win: "win32",
  win32: "win32",
  freebsd: "freebsd",
  openbsd: "openbsd",
  openharmony: "openharmony",
};
const PROCESSORS = ["arm64", "x64", "arm", "armv7l", "ia32", "ppc64", "s390x", "riscv64", "loong64", "wasm32"];

function platformOf(name) {
  const parts = name.split("/").at(-1).split(/[-.]/);
  const os = parts.map((part) => SYSTEMS[part]).find((system) => system !== undefined);
  const cpu = parts.find((part) => PROCESSORS.includes(part));
  const libc = parts.includes("musl") ? "musl" : parts.some((part) => part.startsWith("gnu")) ? "glibc" : undefined;
  return { ...(cpu && { cpu: [cpu] }), ...(libc && { libc: [libc] }), ...(os && { os: [os] }) };
}

function addMissing(lock) {
  for (const entry of Object.values(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const place = `node_modules/${name}`;
      if (lock.packages[place]?.version !== undefined || lock.packages[place]?.link) continue;
      lock.packages[place] = {
        version: version.replace(/^[^\d]*/, ""),
        ...(entry.dev && { dev: true }),
        optional: true,
        ...platformOf(name),
      };
    }
  }
}

/** The registry's hash of a package, or `undefined` where it has no such package. */
function hashOf(name, version) {
  try {
    const options = { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };
    return JSON.parse(execFileSync("npm", ["view", `${name}@${version}`, "dist.integrity", "--json"], options));
  } catch {
    return undefined;
  }
}

function addHashes(lock, path) {
  for (const [place, entry] of Object.entries(lock.packages)) {
    if (!place.includes("node_modules/") || entry.version === undefined || entry.integrity !== undefined) continue;
    const name = place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
    const integrity = hashOf(name, entry.version);
    if (integrity === undefined) console.log(`${path}: no hash of ${name}@${entry.version} in this registry`);
    else entry.integrity = integrity;
  }
}

function complete(path) {
  const lock = JSON.parse(readFileSync(path, "utf8"));
  addMissing(lock);
  addHashes(lock, path);
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
}

function install(folder) {
  execFileSync("npm", ["install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: folder,
    stdio: "inherit",
  });
}

/** Lock of `probe engine install`: the engine alone, with every build of it. */
function lockEngine() {
  const version = JSON.parse(readFileSync("package.json", "utf8")).devDependencies["node-llama-cpp"];
  const folder = mkdtempSync(join(tmpdir(), "probe-engine-"));
  const manifest = { name: "probe-engine", private: true, dependencies: { "node-llama-cpp": version } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  cpSync(".npmrc", join(folder, ".npmrc"));
  install(folder);
  cpSync(join(folder, "package-lock.json"), ENGINE_LOCK);
  rmSync(folder, { recursive: true });
}

if (!process.argv.includes("--hashes")) {
  install(".");
  lockEngine();
}
complete("package-lock.json");
complete(ENGINE_LOCK);
