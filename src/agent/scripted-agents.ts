import { join } from "node:path";
import { z } from "zod";
import { badInput, isSystemError, messageOf } from "../base/errors.js";
import { sha256 } from "../base/sha256.js";
import { type Bytes, shortenLines } from "../base/text.js";
import type { Converse } from "../model/conversation.js";
import { readText } from "../store/text-lines.js";
import { isFolder } from "../workspace/tree-files.js";
import { readPatch } from "../workspace/workspace.js";
import { type Agent, type AttemptKey, NO_METER } from "./agent.js";
import { runLoop } from "./agent-loop.js";

/** Changes nothing and says that it is done: what any score is worth that it reaches. */
export const noopAgent: Agent = {
  name: "scripted:noop",
  identity: { agent: "scripted", script: "noop" },
  runsCode: false,
  run: async () => ({ status: "done", end: "finished", reportedSuccess: true, detail: null, ...NO_METER }),
};

/** Applies the right solution: what can be reached at all. */
export const goldAgent: Agent = {
  name: "scripted:gold",
  identity: { agent: "scripted", script: "gold" },
  runsCode: false,
  async run({ gold, workspace }) {
    if (gold === null) return { status: "unreachable", detail: "the task has no gold patch" };
    const fault = await workspace.apply(gold);
    if (fault !== null) return { status: "unreachable", detail: `the gold patch does not apply: ${fault}` };
    return { status: "done", end: "finished", reportedSuccess: true, detail: null, ...NO_METER };
  },
};

const FREE = { currency: "USD", inputPerMillion: 0, outputPerMillion: 0, asOf: "" };

const callLine = z.strictObject({
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
  /** Task, condition, attempt (from 0) or phase (`plan`, `work`) that it is for; without them, every one. */
  task_id: z.string().optional(),
  condition: z.string().optional(),
  attempt: z.int().nonnegative().optional(),
  phase: z.string().optional(),
});
type CallLine = z.infer<typeof callLine>;

/**
 * Makes the calls of a file, one a turn, through the same loop as a model; behind the last it is silent.
 * @throws ProbeError `bad_input` naming the line
 */
export async function recordedCallsAgent(path: string): Promise<Agent> {
  const text = await readText(path).catch((cause: unknown) => {
    throw badInput(`Expected tool calls, a JSON object a line, in ${path}, found: ${messageOf(cause)}`, cause);
  });
  const lines = text.split("\n").flatMap((line, i) => (line.trim() === "" ? [] : [parseLine(line, path, i + 1)]));
  return {
    name: `scripted:${path}`,
    identity: { agent: "scripted", calls_sha256: sha256(text) },
    runsCode: true,
    run: (attempt) => {
      const { taskId, condition, attempt: number, phase = "work" } = attempt.key;
      const own = lines.filter(
        (line) =>
          (line.task_id ?? taskId) === taskId &&
          (line.condition ?? condition) === condition &&
          (line.attempt ?? number) === number &&
          (line.phase ?? phase) === phase,
      );
      return runLoop(attempt, { converse: replayed(own), price: FREE });
    },
  };
}

function parseLine(line: string, path: string, number: number): CallLine {
  try {
    return callLine.parse(JSON.parse(line));
  } catch (cause) {
    const found = cause instanceof z.ZodError ? z.prettifyError(cause) : messageOf(cause);
    throw badInput(`${path}:${number}: expected {"tool", "arguments"}, found: ${shortenLines(found, 300)}`, cause);
  }
}

function replayed(lines: readonly CallLine[]): Converse {
  return async ({ key }) => {
    const turn = key?.turn ?? 0;
    const line = lines[turn];
    const toolCalls =
      line === undefined ? [] : [{ id: `call-${turn}`, name: line.tool, arguments: JSON.stringify(line.arguments) }];
    const end = line === undefined ? "stop" : "tool_calls";
    return { status: "said", text: null, toolCalls, promptTokens: 0, completionTokens: 0, end, durationMs: 0 };
  };
}

/**
 * Takes patches that were made elsewhere: `DIR/<task_id>[/<condition>][/<trial>].patch` or `.diff`, the most particular
 * first. What they cost, and what their maker said of them, is not known.
 * @throws ProbeError `bad_input` when there is no such folder
 */
export async function patchesAgent(folder: string): Promise<Agent> {
  if (!(await isFolder(folder))) throw badInput(`Expected a folder of patches for --patches, found none at ${folder}.`);
  return {
    name: "patches",
    identity: { agent: "patches", folder },
    runsCode: false,
    async run({ key, workspace }) {
      const patch = await findPatch(folder, key);
      if (patch === null)
        return {
          status: "unreachable",
          detail: `no patch ${key.taskId}[/${key.condition}][/${key.trial}] in ${folder}`,
        };
      const fault = await workspace.apply(patch);
      const unknown = { calls: null, promptTokens: null, completionTokens: null, costUsd: null };
      const done = { status: "done", reportedSuccess: null, detail: fault, ...unknown } as const;
      return fault === null ? { ...done, end: "finished" } : { ...done, end: "crashed", refused: fault };
    },
  };
}

async function findPatch(folder: string, { taskId, condition, trial }: AttemptKey): Promise<Bytes | null> {
  const names = [`${taskId}/${condition}/${trial}`, `${taskId}/${condition}`, `${taskId}/${trial}`, taskId];
  for (const name of names.flatMap((each) => [`${each}.patch`, `${each}.diff`])) {
    try {
      return await readPatch(join(folder, name));
    } catch (error) {
      if (!isSystemError(error, "ENOENT") && !isSystemError(error, "ENOTDIR")) throw error;
    }
  }
  return null;
}
