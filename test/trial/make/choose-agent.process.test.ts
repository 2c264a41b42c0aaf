import { expect, it } from "vitest";
import { finishTool } from "../../../src/agent/tool.js";
import { agentVersion, mainAgent } from "../../../src/trial/make/choose-agent.js";
import type { TrialRequest } from "../../../src/trial/trial-run.js";
import { openCage } from "../../../src/workspace/cage.js";
import type { Workspace } from "../../../src/workspace/workspace.js";

const cage = await openCage({ sandbox: "auto", hidden: [] });

it("is the first line that the command prints", async () => {
  expect(await agentVersion("printf 'tool 1.2.3\\nmore\\n'", cage)).toBe("tool 1.2.3");
  expect((await agentVersion("printf '%0300d' 7", cage)).length).toBeLessThan(130);
});

it("is run in a folder of its own", async () => {
  expect(await agentVersion("pwd; touch x", cage)).toMatch(/probe-version-/);
});

it.each([
  ["exit 3", "exited 3"],
  ["true", "exited 0"],
  ["no-such-program-1", "exited 127"],
])("is refused where there is none: %s", async (command, found) => {
  await expect(agentVersion(command, cage)).rejects.toThrow(
    `Expected --agent-version-cmd to print a version, found ${found}`,
  );
});

it("knows no cost in US dollars of a model whose price is in another currency, and no budget", async () => {
  const values = { agentCmd: null, agentName: null, agentVersionCmd: null, patches: null, agent: null, think: null };
  const request = (currency: string, budget: number | null) =>
    ({
      values: { ...values, replay: "off", toolProtocol: "native", budget },
      price: { currency, inputPerMillion: 1, outputPerMillion: 10, asOf: "2026-01-01" },
    }) as unknown as TrialRequest;
  await expect(mainAgent(request("EUR", 1), cage, null)).rejects.toThrow(
    "Expected a model whose price in USD is known for --budget, found one in EUR.",
  );
  const done = { id: "1", name: "finish", arguments: '{"success": true, "summary": ""}' };
  const told = { text: null, toolCalls: [done], promptTokens: 100, completionTokens: 10, durationMs: 1 };
  const model = {
    identity: { provider: "p", name: "m" },
    maxOpenGroups: 1,
    converse: async () => ({ status: "said", end: "tool_calls", ...told }) as const,
    close: async () => {},
  };
  const replies = { before: { agent: new Map(), judge: new Map() }, append: async () => {}, close: async () => {} };
  const attempt = {
    key: { taskId: "t", condition: "c", trial: 0, attempt: 0 },
    system: "",
    user: "",
    instruction: "",
    gold: null,
    cage,
    outputFolder: "/nowhere",
    seed: 0,
    note: () => {},
    signal: new AbortController().signal,
    // The loop does nothing with the tree itself.
    workspace: {} as Workspace,
    tools: [finishTool("finish", "Ends it.")],
    limits: { maxCalls: 1, timeLimitMs: null, budgetUsd: null },
  };
  const costIn = async (currency: string) =>
    (await mainAgent(request(currency, null), cage, { model, replies })).agent.run(attempt);
  // 100 tokens at 1 and 10 at 10 a million.
  expect(await costIn("USD")).toMatchObject({ promptTokens: 100, costUsd: 200 / 1e6 });
  expect(await costIn("EUR")).toMatchObject({ promptTokens: 100, costUsd: null });
});
