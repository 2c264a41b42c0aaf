// npm run agents: coding agents that people use, from the package registry, for test/e2e/coding-agents.test.ts alone.
// `NAME --cached` prints the folder of its program if it is installed. None of their install scripts is run.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Package, version, and where its program is. Of opencode, the program itself: what starts it is made by its install script. */
const AGENTS = {
  opencode: ["opencode-ai", "1.18.33", `node_modules/opencode-${process.platform}-${process.arch}/bin`],
  pi: ["@mariozechner/pi-coding-agent", "0.73.1", "node_modules/.bin"],
  qwen: ["@qwen-code/qwen-code", "0.15.10", "node_modules/.bin"],
};

const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "code-review-probe", "coding-agents");

const folderOf = (name) => join(CACHE, `${name}-${AGENTS[name][1]}`);
const binOf = (name) => join(folderOf(name), AGENTS[name][2]);

function install(name) {
  const [id, version] = AGENTS[name];
  const building = `${folderOf(name)}.installing`;
  rmSync(building, { recursive: true, force: true });
  mkdirSync(building, { recursive: true });
  const args = ["install", "--prefix", building, "--ignore-scripts", "--no-audit", "--no-fund", `${id}@${version}`];
  execFileSync("npm", args, { stdio: ["ignore", "ignore", "inherit"] });
  renameSync(building, folderOf(name));
}

const isCached = process.argv.includes("--cached");
const [named] = process.argv.slice(2).filter((arg) => !arg.startsWith("-"));
for (const name of named === undefined ? Object.keys(AGENTS) : [named]) {
  if (AGENTS[name] === undefined) throw new Error(`Expected ${Object.keys(AGENTS).join(", ")}, found ${name}.`);
  if (!existsSync(binOf(name))) {
    if (isCached) {
      console.error(`${name} is not installed: npm run agents`);
      process.exit(1);
    }
    install(name);
  }
  console.log(binOf(name));
}
