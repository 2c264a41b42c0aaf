// npm run engine -- cuda | vulkan | arm64 | …: puts a real engine build in the place of the empty package that stands in
// for it (see "overrides" in package.json). The version is that of the installed engine.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const { overrides } = JSON.parse(readFileSync("package.json", "utf8"));
const { version } = JSON.parse(readFileSync("node_modules/node-llama-cpp/package.json", "utf8"));
const system = { win32: "win", linux: "linux" }[process.platform];
const builds = Object.keys(overrides).filter((name) => name.startsWith(`@node-llama-cpp/${system}-`));
const short = (name) => name.replace(`@node-llama-cpp/${system}-`, "").replace(/^x64-/, "");
const wanted = process.argv.slice(2);
const chosen = builds.filter((name) =>
  wanted.some((word) => short(name) === word || (word === "cuda" && short(name) === "cuda-ext")),
);

if (chosen.length === 0 || wanted.some((word) => !builds.some((name) => short(name) === word))) {
  console.error(
    `Expected one or more of ${builds.map(short).join(", ") || "none on this system"}, found ${wanted.join(" ") || "nothing"}.`,
  );
  process.exit(2);
}
for (const name of chosen) {
  const folder = join("node_modules", name);
  const temporary = mkdtempSync(join(tmpdir(), "probe-engine-"));
  console.log(`${name} ${version}: fetching`);
  const packed = execFileSync("npm", ["pack", `${name}@${version}`, "--pack-destination", temporary, "--json"], {
    encoding: "utf8",
  });
  const [{ filename }] = Object.values(JSON.parse(packed));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  execFileSync("tar", [
    "-xzf",
    join(temporary, filename.replace(/^@/, "").replace("/", "-")),
    "-C",
    folder,
    "--strip-components=1",
  ]);
  rmSync(temporary, { recursive: true });
  console.log(`${name} ${version}: installed`);
}
