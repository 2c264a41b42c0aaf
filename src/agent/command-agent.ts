import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { distance } from "fastest-levenshtein";
import { z } from "zod";
import { ProbeError } from "../base/errors.js";
import { sha256 } from "../base/sha256.js";
import { shorten } from "../base/text.js";
import type { Cage } from "../workspace/cage.js";
import type { CommandResult } from "../workspace/run-command.js";
import { sealedText } from "../workspace/sealed-files.js";
import type { Workspace } from "../workspace/workspace.js";
import { AGENT_ENDS, type Agent, type AgentEnd, type Attempt, type AttemptResult } from "./agent.js";

/** Placeholders of `--agent-cmd`, and the variable that holds each. */
const PLACES = {
  workspace: "PROBE_WORKSPACE",
  prompt_file: "PROBE_PROMPT_FILE",
  task_id: "PROBE_TASK_ID",
  condition: "PROBE_CONDITION",
  output_dir: "PROBE_OUTPUT_DIR",
} as const;

interface CommandAgentOptions {
  readonly command: string;
  readonly cage: Cage;
  /** Names of variables of this process that it may have, such as of a key. */
  readonly environment: readonly string[];
  readonly network: boolean;
}

/** Report of an agent on itself when it is done. */
const resultSchema = z.object({
  success: z.boolean().nullish(),
  cost_usd: z.number().nonnegative().nullish(),
  prompt_tokens: z.int().nonnegative().nullish(),
  completion_tokens: z.int().nonnegative().nullish(),
  finish_reason: z.string().nullish(),
});
type AgentReport = z.infer<typeof resultSchema>;

/**
 * An agent that is a command: `sh -c`, in its tree. Placeholders become references to environment variables, so that no text
 * is ever part of the line.
 * @throws ProbeError `bad_input` for a placeholder that there is not, or a variable that is not set
 */
export function commandAgent(options: CommandAgentOptions): Agent {
  const line = shellLine(options.command);
  const secrets = namedVariables(options.environment);
  return {
    name: "command",
    identity: { agent: "command", command_sha256: sha256(options.command) },
    runsCode: true,
    run: (attempt) => runAgent(attempt, line, secrets, options),
  };
}

/** The line that the shell gets: `{workspace}` is `"$PROBE_WORKSPACE"` there. Other braces are the shell's own, or a slip. */
export function shellLine(command: string): string {
  return command.replace(/(?<!\$)\{([A-Za-z_-]+)\}/g, (own, name: string) => {
    const variable = Object.entries(PLACES).find(([place]) => place === name)?.[1];
    if (variable !== undefined) return `"$${variable}"`;
    if (!Object.keys(PLACES).some((place) => distance(place, name) <= 2)) return own;
    const places = Object.keys(PLACES).map((place) => `{${place}}`);
    throw new ProbeError("bad_input", `Expected ${places.join(", ")} in --agent-cmd, found {${name}}.`);
  });
}

function namedVariables(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => {
      const value = process.env[name];
      if (value === undefined)
        throw new ProbeError("bad_input", `Expected the variable ${name} of --agent-env to be set, found none.`);
      return [name, value];
    }),
  );
}

async function runAgent(
  { key, workspace, instruction, outputFolder, limits, note, at, signal }: Attempt,
  line: string,
  variables: Readonly<Record<string, string>>,
  { cage, network }: CommandAgentOptions,
): Promise<AttemptResult> {
  const home = join(outputFolder, "home");
  const promptFile = join(outputFolder, "prompt.txt");
  await mkdir(home, { recursive: true });
  await writeFile(promptFile, instruction);
  const env = {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    LANG: "C.UTF-8",
    HOME: home,
    ...variables,
    [PLACES.workspace]: workspace.tree,
    [PLACES.prompt_file]: promptFile,
    [PLACES.task_id]: key.taskId,
    [PLACES.condition]: key.condition,
    [PLACES.output_dir]: outputFolder,
  };
  const command = { argv: ["/bin/sh", "-c", line] as const, cwd: workspace.tree, env, limitMs: limits.timeLimitMs };
  const permissions = {
    workspace: workspace.tree,
    writesWorkspace: true,
    writes: [outputFolder],
    reads: [],
    network,
    ...(at && { at }),
  };
  const result = await cage.run(command, permissions, signal);
  signal.throwIfAborted();
  note({ role: "command", end: result.end, code: result.code, output: withoutSecrets(result.output, variables) });
  const report = await readReport(outputFolder);
  if (report === null && isUnstarted(result, line) && (await isUntouched(workspace, home)))
    return {
      status: "unreachable",
      end: "not_started",
      detail: withoutSecrets(unstartedText(result, line), variables),
    };
  return concluded(result, report);
}

/** Exit codes of a shell for a program that cannot be run, or is not there. */
const NO_PROGRAM = new Set([126, 127]);
const NO_FILE = /no such file|cannot find (?:module|package)|can't open|not found|permission denied|cannot open/i;

/** Tests if a command ended before anything of it ran: its program, or a file that the line names, could not be had. */
function isUnstarted({ end, code, output }: CommandResult, line: string): boolean {
  if (end === "not_started") return true;
  if (end !== "exited" || code === 0) return false;
  if (code !== null && NO_PROGRAM.has(code)) return true;
  const files = line.split(/[\s"'=]+/).filter((word) => word.includes("/") || /\.\w+$/.test(word));
  return output.split("\n").some((said) => NO_FILE.test(said) && files.some((file) => said.includes(file)));
}

/** Tests if nothing was done: neither in the tree nor in the home that was made for it. */
async function isUntouched(workspace: Workspace, home: string): Promise<boolean> {
  return (await readdir(home)).length === 0 && (await workspace.changedFiles()).length === 0;
}

function unstartedText({ output, end, code }: CommandResult, line: string): string {
  const lines = output.trim().split("\n");
  const said = shorten(
    lines.find((each) => NO_FILE.test(each)) || lines[0] || (code === null ? end : `exit code ${code}`),
    200,
  );
  return (
    `Expected the agent's command to start, found: ${said} (${shorten(line, 100)}). The cage shows programs of the search path ` +
    "and the tree: put what it names there, or use --sandbox none."
  );
}

function concluded(result: CommandResult, report: AgentReport | null): AttemptResult {
  const end = endOf(result, report);
  const said = report?.success ?? result.code === 0;
  return {
    status: "done",
    end,
    reportedSuccess: end === "time_limit" ? false : said,
    calls: null,
    promptTokens: report?.prompt_tokens ?? null,
    completionTokens: report?.completion_tokens ?? null,
    costUsd: report?.cost_usd ?? null,
    detail:
      result.code === 0 ? null : `the command ended: ${result.end}${result.code === null ? "" : ` ${result.code}`}`,
  };
}

function endOf({ end, code }: CommandResult, report: AgentReport | null): AgentEnd {
  if (end === "timed_out") return "time_limit";
  const told = AGENT_ENDS.find((each) => each === report?.finish_reason && each !== "not_started");
  if (told !== undefined) return told;
  return end === "exited" && (code === 0 || report !== null) ? "finished" : "crashed";
}

const MOST_REPORT_BYTES = 1024 * 1024;

/** The agent's report on itself; `null`: none that can be read. */
async function readReport(outputFolder: string): Promise<AgentReport | null> {
  const text = await sealedText(outputFolder, "result.json", MOST_REPORT_BYTES);
  try {
    return text === null ? null : resultSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function withoutSecrets(text: string, variables: Readonly<Record<string, string>>): string {
  const secrets = Object.values(variables).filter((value) => value.length >= 6);
  return secrets.reduce((clean, secret) => clean.replaceAll(secret, "***"), text);
}
