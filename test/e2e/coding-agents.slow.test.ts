import { execFile, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { type ChatCall, startChatScript } from "../fixtures/chat-script.js";
import { PROBE } from "../fixtures/cli.js";
import { readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";
import { isRunnerMissing } from "../fixtures/test-runner.js";

const ROOT = join(import.meta.dirname, "../..");
const hasBubblewrap = spawnSync("bwrap", ["--ro-bind", "/", "/", "/bin/true"]).status === 0;
/** Without a cage too where there is time. */
const SANDBOXES = [
  ...(hasBubblewrap ? ["bwrap"] : []),
  ...(hasBubblewrap && process.env["PROBE_SLOW_TESTS"] !== "1" ? [] : ["none"]),
];
const folder = temporaryFolder();
const page = readFileSync(join(ROOT, "docs/agents.md"), "utf8");
const target = readFileSync(join(ROOT, "datasets/suites/refactorbench/interval_set/src/intervalSet.js"), "utf8");

/** The line of the page for an agent. */
function documented(name: string): string {
  const [, line] = new RegExp(`### ${name}\\n[^#]*?\`\`\`sh\\n(.+?)\`\`\``, "s").exec(page) ?? [];
  return line!;
}

/** Where `npm run agents` has put it; `null`: it has not. */
function programFolder(name: string): string | null {
  const asked = spawnSync(process.execPath, [join(ROOT, "scripts/install-coding-agents.mjs"), name, "--cached"], {
    encoding: "utf8",
  });
  if (asked.status !== 0) process.stdout.write(`Skipping a coding agent: ${asked.stderr}`);
  return asked.status === 0 ? asked.stdout.trim() : null;
}

/** What the model has an agent do: look at the file, write it again as a module, and leave a line in its place. */
function refactoring(read: string, write: string, path: string) {
  const written = (content: string, file: string): ChatCall => ({ tool: write, arguments: { [path]: file, content } });
  return (tree: string): ChatCall[] => [
    { tool: read, arguments: { [path]: `${tree}/src/intervalSet.js` } },
    written(target, `${tree}/src/intervals.js`),
    written('export * from "./intervals";\n', `${tree}/src/intervalSet.js`),
  ];
}

const AGENTS = [
  { name: "qwen", calls: refactoring("read_file", "write_file", "file_path") },
  { name: "opencode", calls: refactoring("read", "write", "filePath") },
  { name: "pi", calls: refactoring("read", "write", "path") },
].map((agent) => ({ ...agent, bin: programFolder(agent.name) }));

describe.skipIf(isRunnerMissing).each(AGENTS)("the coding agent $name", ({ name, calls, bin }) => {
  it.runIf(bin !== null).each(SANDBOXES)("works by the documented line, and is graded: sandbox %s", async (sandbox) => {
    const server = await startChatScript(calls);
    const out = join(folder, `${name}-${sandbox}`);
    const line = documented(name)
      .replaceAll("http://127.0.0.1:8000", server.url)
      .replaceAll("my-model", "scripted")
      .replace(
        "--agent-cmd",
        `--task-id interval_set --condition no-test-runner --sandbox ${sandbox} --out ${out} -q --agent-cmd`,
      );
    const script = join(folder, `${name}.sh`);
    writeFileSync(script, `probe() { "${process.execPath}" "${PROBE}" "$@"; }\n${line}`);
    const env = { ...process.env, PATH: `${bin}:${process.env["PATH"]}` };
    const { stderr } = await promisify(execFile)("sh", [script], { cwd: folder, env });
    expect(stderr).toBe("");
    const transcript = readFileSync(join(out, "artifacts/interval_set/no-test-runner/0/transcript.jsonl"), "utf8");
    expect(readTable(out, "trials.csv")[0], transcript.slice(-2000)).toMatchObject({
      status: "graded",
      agent: "command",
      agent_end: "finished",
      attempts: "1",
      reported_success: "true",
      passes_tests: "true",
      decomposed: "true",
      target_lines_after: "1",
      files_after: "2",
      cost_usd: "",
    });
    expect(server.requests.length).toBeGreaterThan(3);
  });
});
