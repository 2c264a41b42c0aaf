import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Attempt } from "../../src/agent/agent.js";
import { commandAgent, shellLine } from "../../src/agent/command-agent.js";
import { openCage } from "../../src/workspace/cage.js";
import { Workspace } from "../../src/workspace/workspace.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const source = join(folder, "source");
mkdirSync(source);
writeFileSync(join(source, "a.js"), "1\n");

async function run(command: string, rest: { taskId?: string; environment?: string[]; timeLimitMs?: number } = {}) {
  const place = mkdtempSync(join(folder, "w-"));
  const workspace = await Workspace.create(join(place, "work"), { kind: "folder", path: source });
  const outputFolder = join(place, "out");
  mkdirSync(outputFolder);
  const notes: { role?: string; output?: string }[] = [];
  const attempt: Attempt = {
    key: { taskId: rest.taskId ?? "t", condition: "c", trial: 0, attempt: 0 },
    workspace,
    cage: await openCage({ sandbox: "none", hidden: [] }),
    system: "",
    user: "",
    tools: [],
    instruction: "Do it.\n",
    gold: null,
    outputFolder,
    seed: 0,
    limits: { maxCalls: 50, timeLimitMs: rest.timeLimitMs ?? 20_000, budgetUsd: null },
    note: (entry) => notes.push(entry),
    signal: new AbortController().signal,
  };
  const { environment = [] } = rest;
  const agent = commandAgent({ ...UNNAMED, command, environment, network: true });
  return { result: await agent.run(attempt), output: notes.at(-1)?.output ?? "", told: notes.slice(0, -1), workspace };
}

const UNNAMED = { name: null, version: null } as const;

describe("a command as agent", () => {
  it("has the name that it is given, its version, and the model that it says it worked with", async () => {
    const named = commandAgent({ name: "tool", version: "1.2", command: "true", environment: [], network: true });
    expect([named.name, named.identity["version"]]).toEqual(["tool", "1.2"]);
    const said = await run(`echo '{"model": "small-model", "success": true}' > {output_dir}/result.json`);
    expect(said.result).toMatchObject({ status: "done", model: "small-model" });
    expect((await run("true")).result).not.toHaveProperty("model");
  });

  it("is never given a text in its line: placeholders are variables", async () => {
    expect(shellLine("x {workspace} '{task_id}'")).toBe(`x "$PROBE_WORKSPACE" '"$PROBE_TASK_ID"'`);
    const hostile = "$(touch pwned); `touch pwned` \" ' {condition}";
    const { output, workspace } = await run("printf '%s|' {task_id} {condition}; cat {prompt_file}; pwd", {
      taskId: hostile,
    });
    expect(output).toBe(`${hostile}|c|Do it.\n${workspace.tree}\n`);
    expect(await workspace.changedFiles()).toEqual([]);
  });

  it("keeps the braces of its shell, and says where one is a slip", () => {
    // biome-ignore-start lint/suspicious/noTemplateCurlyInString: a shell's own
    expect(shellLine("awk '{print}' ${HOME} {a,b}")).toBe("awk '{print}' ${HOME} {a,b}");
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: a shell's own
    expect(() => shellLine("x {workspce}")).toThrow(/Expected \{workspace\}.*found \{workspce\}/);
  });

  it("reports success by its exit code, unless it says more", async () => {
    const failed = await run("echo 2 > a.js; exit 3");
    expect(failed.result).toMatchObject({ end: "crashed", reportedSuccess: false, costUsd: null });
    expect(await failed.workspace.changedFiles()).toEqual([{ path: "a.js", change: "modified" }]);
    const report = '{"success": true, "cost_usd": 0.25, "prompt_tokens": 7, "finish_reason": "max_calls"}';
    const told = await run(`echo '${report}' > {output_dir}/result.json; exit 3`);
    expect(told.result).toMatchObject({
      end: "max_calls",
      reportedSuccess: true,
      costUsd: 0.25,
      promptTokens: 7,
      completionTokens: null,
    });
  });

  it("is not believed where its report is none, nor waited for where that is a pipe", async () => {
    const { result } = await run("mkfifo {output_dir}/result.json");
    expect(result).toMatchObject({ end: "finished", reportedSuccess: true, costUsd: null });
  });

  it.each([
    '"cost_usd": 1e308',
    '"cost_usd": "0.5"',
    '"prompt_tokens": 9007199254740991',
    '"completion_tokens": 1000000000001',
    '"finish_reason": 7',
    '"model": ""',
  ])("is believed but for %s", async (told) => {
    const { result } = await run(`echo '{"success": false, ${told}}' > {output_dir}/result.json`);
    const unknown = { costUsd: null, promptTokens: null, completionTokens: null };
    expect(result).toMatchObject({ end: "finished", reportedSuccess: false, ...unknown });
    expect(result).not.toHaveProperty("model");
  });

  it.each([
    ["a program that is not there", "no-such-agent --fast", "no-such-agent"],
    ["a script that its shell does not find", "sh /hidden/x.sh", "/hidden/x.sh"],
    ["a module that node does not find", "node /hidden/x.mjs", "/hidden/x.mjs"],
    ["a file that may not be run", "./a.js", "a.js"],
    ["a program behind variables", "MODE=fast no-such-agent", "no-such-agent"],
  ])("has not started where the line names %s", async (_, command, named) => {
    const { result } = await run(command);
    expect(result).toMatchObject({ status: "unreachable", end: "not_started", detail: expect.stringContaining(named) });
  });

  it("has started, and is graded, whatever it says and with whatever code it ends", async () => {
    const forged = [
      "exit 3",
      "cat no-such-file; exit 1",
      "echo 2 > a.js; exit 127",
      // Nothing was touched, and each says what a shell would of a program that is not there.
      "exit 127",
      "exit 126",
      "ls >/dev/null; echo 'sh: 0: cannot open a.js: No such file'; exit 2",
      "exec sh -c 'echo a.js: Permission denied; exit 126'",
      "node --input-type=module -e 'import \"./a.mjs\"'",
    ];
    for (const command of forged)
      expect((await run(command)).result, command).toMatchObject({ status: "done", end: "crashed" });
    const told = await run('echo \'{"finish_reason": "not_started"}\' > {output_dir}/result.json; exit 127');
    expect(told.result).toMatchObject({ status: "done", end: "finished" });
  });

  it("need not find what it is to write, nor a word that is no program", async () => {
    for (const command of ["(true)", "echo done > /tmp/$$.log", "true --out out/new.json", "if true; then true; fi"])
      expect((await run(command)).result, command).toMatchObject({ status: "done", end: "finished" });
  });

  it("may tell what it read, wrote and ran, in lines that can be read, without what is secret", async () => {
    process.env["TEST_AGENT_KEY"] = "secret-value-1";
    const calls = [
      `{"tool": "run_command", "arguments": {"command": "curl $TEST_AGENT_KEY"}, "result": "exit code 0", "at": 1}`,
      `no json`,
      `{"tool": ""}`,
      `{"tool": "read_file", "arguments": 7}`,
    ];
    const lines = calls.map((call) => `echo '${call.replace("$TEST_AGENT_KEY", `'"$TEST_AGENT_KEY"'`)}'`).join("; ");
    const { told, output } = await run(`(${lines}) > {output_dir}/calls.jsonl; echo done`, {
      environment: ["TEST_AGENT_KEY"],
    });
    expect(told).toEqual([
      {
        role: "told",
        tool: "run_command",
        arguments: '{"command":"curl ***"}',
        content: "exit code 0",
        ago_ms: expect.any(Number),
      },
      { role: "told", tool: "read_file", arguments: "{}", content: "", ago_ms: null },
    ]);
    expect(output).toBe("done\n");
    // Parsed, and too deep to be written again.
    const deep = `printf '{"tool":"x","arguments":{"a":'; printf '[%.0s' $(seq 200000); printf ']%.0s' $(seq 200000); echo '}}'`;
    expect((await run(`(${deep}; echo '{"tool": "y"}') > {output_dir}/calls.jsonl`)).told).toMatchObject([
      { tool: "y" },
    ]);
    expect((await run("mkfifo {output_dir}/calls.jsonl")).told).toEqual([]);
    expect((await run("ln -s /etc/passwd {output_dir}/calls.jsonl")).told).toEqual([]);
  });

  it("keeps no secret that JSON writes in escapes, nor the rest of one that another begins", async () => {
    const quoted = 'a"b\\c\nd';
    const values = {
      TEST_AGENT_QUOTED: quoted,
      TEST_AGENT_SHORT: "abcdef",
      TEST_AGENT_LONG: "abcdefSECRETTAIL",
      TEST_AGENT_DIGITS: "987654321",
    };
    Object.assign(process.env, values);
    const written = JSON.stringify({
      tool: `t ${quoted}`,
      arguments: { [quoted]: [quoted, 987654321, 7] },
      result: quoted,
    });
    // One with its quotation mark by number, as JSON may have it too.
    const line = written.replace('"t a\\"', '"t a\\u0022');
    const escaped = JSON.stringify(quoted).slice(1, -1);
    const command = `printf '%s' '${line}' > {output_dir}/calls.jsonl; printf '%s' '${escaped}' "|$TEST_AGENT_LONG"`;
    const { told: calls, output } = await run(command, { environment: Object.keys(values) });
    expect(calls).toMatchObject([{ tool: "t ***", arguments: '{"***":["***","***",7]}', content: "***" }]);
    expect(output).toBe("***|***");
  });

  it("is killed at its limit", async () => {
    const { result } = await run("sleep 60", { timeLimitMs: 300 });
    expect(result).toMatchObject({ status: "done", end: "time_limit", reportedSuccess: false });
  });

  it("has the variables that are named, and none of their values in what is kept", async () => {
    process.env["TEST_AGENT_KEY"] = "secret-value-1";
    const { output } = await run('echo "$TEST_AGENT_KEY"; env | grep -c TEST_AGENT_KEY; env | grep -c NODE_ENV; true', {
      environment: ["TEST_AGENT_KEY"],
    });
    expect(output).toBe("***\n1\n0\n");
    expect(() =>
      commandAgent({ ...UNNAMED, command: "true", environment: ["NO_SUCH_VARIABLE"], network: true }),
    ).toThrow("Expected the variable NO_SUCH_VARIABLE of --agent-env to be set, found none.");
  });
});
