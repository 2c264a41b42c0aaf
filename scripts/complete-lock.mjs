// A registry mirror may lack the builds of packages for other platforms. npm then leaves them out of the lock file, and
// `npm ci` refuses it. This adds each such optional package by name and version, with the platform its name tells, so
// that the lock file serves every platform. Run it after `npm install`.
import { readFileSync, writeFileSync } from "node:fs";

const LOCK = "package-lock.json";
const lock = JSON.parse(readFileSync(LOCK, "utf8"));
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

let added = 0;
for (const entry of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const place = `node_modules/${name}`;
    if (lock.packages[place] !== undefined) continue;
    lock.packages[place] = {
      version: version.replace(/^[^\d]*/, ""),
      ...(entry.dev && { dev: true }),
      optional: true,
      ...platformOf(name),
    };
    added++;
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(LOCK, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${LOCK}: ${added} packages for other platforms added`);
