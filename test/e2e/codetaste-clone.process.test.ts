import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const OWN = join(import.meta.dirname, "../../datasets/suites/codetaste");
const TASK = "probe/till/5e77a1e5";
const env = { XDG_CACHE_HOME: join(folder, "cache") };

/** Says how many of the ten tests held, as the scripts of released instances do. */
const TESTS =
  'node --test --test-reporter=tap test/till.test.mjs > "$HOME/out"; f=$(sed -n "s/^# fail //p" "$HOME/out"); ' +
  `p=$(sed -n "s/^# pass //p" "$HOME/out"); echo "{\\"passed\\": $p, \\"failed\\": $f, \\"total\\": $((p + f))}"`;

function git(...args: readonly string[]): string {
  const who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "core.autocrlf=false"];
  return execFileSync("git", [...who, ...args], { cwd: join(folder, "clone"), encoding: "utf8" }).trim();
}

function commit(message: string): string {
  git("add", "--all");
  git("commit", "--quiet", "--no-verify", "-m", message);
  return git("rev-parse", "HEAD");
}

it("an instance of a clone has its tree and its right solution by their commits, and its tests by --test-cmd", async () => {
  cpSync(join(OWN, "repos/probe/till"), join(folder, "clone"), { recursive: true });
  git("init", "--quiet");
  const base = commit("before");
  git("apply", join(OWN, "gold", `${TASK}.patch`));
  const gold = commit("after");
  const parts = ["assets/descriptions", "assets/rules", "baseline_results"];
  for (const part of parts) {
    mkdirSync(join(folder, "data", part, "probe/till"), { recursive: true });
    cpSync(join(OWN, part, TASK), join(folder, "data", part, TASK), { recursive: true });
    renameSync(join(folder, "data", part, TASK), join(folder, "data", part, "probe/till", base.slice(0, 8)));
  }
  const row = ["probe", "till", gold, base].join(",");
  writeFileSync(join(folder, "data/instances.csv"), `owner,repo,golden_commit_hash,commit_hash\n${row}\n`);
  const asked = ["suite", "run", "codetaste", "-q", "--data", "data", "--repo", "clone", "--test-cmd", TESTS];
  const who = ["--agent", "scripted:gold", "--controls", "--condition", "instructed/direct", "--out", "run"];
  const { code, stderr } = await runProbe([...asked, ...who], { cwd: folder, env });
  expect(code, stderr).toBe(0);
  const rows = readTable(join(folder, "run"), "trials.csv");
  expect(rows.map(({ agent, valid, pass, ifr, refactored }) => [agent, valid, pass, ifr, refactored])).toEqual([
    ["scripted:gold", "true", "true", "1", "true"],
    ["scripted:noop", "true", "true", "0", "false"],
  ]);
});
