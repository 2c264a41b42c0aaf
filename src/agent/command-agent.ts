import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import { badInput } from "../base/errors.js";
import { nearNames } from "../base/near-names.js";
import { sha256 } from "../base/sha256.js";
import { jsonValue, shorten, shortenLines, visibleLine } from "../base/text.js";
import type { Command, CommandResult, Permissions } from "../workspace/run-command.js";
import { sealedText } from "../workspace/sealed-files.js";
import { AGENT_ENDS, type Agent, type AgentEnd, type Attempt, type AttemptResult } from "./agent.js";

/** Name of a command agent that was given none. */
export const COMMAND_AGENT = "command";

/** Placeholders of `--agent-cmd`, and the variable that holds each. */
const PLACES = {
  workspace: "PROBE_WORKSPACE",
  prompt_file: "PROBE_PROMPT_FILE",
  task_id: "PROBE_TASK_ID",
  condition: "PROBE_CONDITION",
  output_dir: "PROBE_OUTPUT_DIR",
} as const;

interface CommandAgentOptions {
  /** Name in tables; `null`: `command`. */
  readonly name: string | null;
  /** Its version, as its own command says; `null`: none was named. */
  readonly version: string | null;
  readonly command: string;
  /** Names of variables of this process that it may have, such as of a key. */
  readonly environment: readonly string[];
  readonly network: boolean;
}

/** Numbers that nobody means: their sums over attempts would be none that can be read again. */
const tokens = z.int().nonnegative().max(1e12).nullish().catch(null);

/** Report of an agent on itself when it is done; a field that does not fit is unknown by itself. */
const resultSchema = z.object({
  success: z.boolean().nullish().catch(null),
  cost_usd: z.number().nonnegative().max(1e9).nullish().catch(null),
  prompt_tokens: tokens,
  completion_tokens: tokens,
  finish_reason: z.string().nullish().catch(null),
  /** Model that it worked with. */
  model: z.string().min(1).nullish().catch(null),
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
    name: options.name ?? COMMAND_AGENT,
    identity: {
      agent: COMMAND_AGENT,
      command_sha256: sha256(options.command),
      ...(options.version !== null && { version: options.version }),
    },
    runsCode: true,
    run: (attempt) => runAgent(attempt, line, secrets, options),
  };
}

/** The line that the shell gets: `{workspace}` is `"$PROBE_WORKSPACE"` there. Other braces are the shell's own, or a slip. */
export function shellLine(command: string): string {
  return command.replace(/(?<!\$)\{([A-Za-z_-]+)\}/g, (own, name: string) => {
    const variable = Object.entries(PLACES).find(([place]) => place === name)?.[1];
    if (variable !== undefined) return `"$${variable}"`;
    if (nearNames(name, Object.keys(PLACES)).length === 0) return own;
    const places = Object.keys(PLACES).map((place) => `{${place}}`);
    throw badInput(`Expected ${places.join(", ")} in --agent-cmd, found {${name}}.`);
  });
}

function namedVariables(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => {
      const value = process.env[name];
      if (value === undefined) throw badInput(`Expected the variable ${name} of --agent-env to be set, found none.`);
      return [name, value];
    }),
  );
}

async function runAgent(
  { key, workspace, cage, instruction, outputFolder, limits, note, at, signal }: Attempt,
  line: string,
  variables: Readonly<Record<string, string>>,
  { network }: CommandAgentOptions,
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
  const missing = await missingOf(line, command, permissions, { cage, signal });
  const result = missing === null ? await cage.run(command, permissions, signal) : null;
  signal.throwIfAborted();
  if (result === null || result.end === "not_started")
    return {
      status: "unreachable",
      end: "not_started",
      detail: withoutSecrets(unstartedText(missing ?? result?.output.trim() ?? "", line), variables),
    };
  const clean = (text: string) => withoutSecrets(text, variables);
  for (const call of await toldCalls(outputFolder, clean, Date.now())) note(call);
  note({ role: "command", end: result.end, code: result.code, output: clean(result.output) });
  const report = await readReport(outputFolder);
  const told = concluded(result, report);
  return report?.model == null ? told : { ...told, model: visibleLine(shorten(clean(report.model), 120)) };
}

/** Programs whose first argument is the file that they run. */
const INTERPRETERS = /^(?:sh|bash|dash|zsh|node|deno|bun|python[\d.]*|ruby|perl|php)$/;
const PLAIN_WORD = /^[\w./@+-]+$/;
/** Says which of a program and files are not there; nothing of the agent runs. */
const LOOK =
  'case "$1" in "") ;; */*) [ -f "$1" ] && [ -x "$1" ] || echo "$1" ;; *) command -v "$1" >/dev/null || echo "$1" ;; esac\n' +
  'shift\nfor file; do [ -e "$file" ] || echo "$file"; done';
const LOOK_MS = 60_000;

/**
 * Looks in the cage for what a line needs, before it is started: afterwards the agent could say of itself what it likes.
 * @returns the first that is not there, or the cage's fault; `null`: the line can be started
 */
async function missingOf(
  line: string,
  { cwd, env }: Pick<Command, "cwd" | "env">,
  permissions: Permissions,
  { cage, signal }: Pick<Attempt, "cage" | "signal">,
): Promise<string | null> {
  const { program, files } = neededBy(line);
  const argv = ["/bin/sh", "-c", LOOK, "sh", program, ...files] as const;
  const { end, code, output } = await cage.run({ argv, cwd, env, limitMs: LOOK_MS }, permissions, signal);
  const [first = ""] = output.trim().split("\n");
  if (first !== "") return first;
  return end === "exited" && code === 0 ? null : `${end}${code === null ? "" : ` ${code}`}`;
}

/**
 * The program of a line, `""` where it is no plain word, and the files that it cannot do without: the script of an interpreter,
 * and what it names of this machine.
 */
function neededBy(line: string): { readonly program: string; readonly files: readonly string[] } {
  const words = line.trim().split(/\s+/);
  const start = words.findIndex((word) => !/^\w+=/.test(word));
  const [program = "", first = ""] = words.slice(Math.max(0, start));
  const ofMachine = line.split(/[\s"'=]+/).filter((word) => word.startsWith("/") && PLAIN_WORD.test(word));
  const isScript = INTERPRETERS.test(basename(program)) && !first.startsWith("-") && PLAIN_WORD.test(first);
  return {
    program: PLAIN_WORD.test(program) ? program : "",
    files: [...(isScript ? [first] : []), ...ofMachine.filter((word) => existsSync(word))],
  };
}

function unstartedText(missing: string, line: string): string {
  return (
    `Expected the agent's command to start, found no ${shorten(missing, 200)} (${shorten(line, 100)}). The cage shows ` +
    "programs of the search path and the tree: put what it names there, or use --sandbox none."
  );
}

function concluded(
  result: CommandResult,
  report: AgentReport | null,
): Extract<AttemptResult, { readonly status: "done" }> {
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
  return resultSchema.safeParse(jsonValue(text ?? "")).data ?? null;
}

/** Text without the values of variables, as they are and as JSON writes them; the longest first, as one may begin another. */
function withoutSecrets(text: string, variables: Readonly<Record<string, string>>): string {
  const secrets = Object.values(variables).filter((value) => value.length >= 6);
  const written = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  return written.sort((a, b) => b.length - a.length).reduce((clean, secret) => clean.replaceAll(secret, "***"), text);
}

/** File in the output folder of a command agent in which it may tell its calls, an object a line. */
const CALLS_FILE = "calls.jsonl";

/** The most that is read, in bytes, and kept: calls, and letters of a result. */
const MOST_BYTES = 4 * 1024 * 1024;
const MOST_CALLS = 1000;
const MOST_RESULT = 4000;

const callSchema = z.object({
  tool: z.string().min(1).max(200),
  arguments: z.record(z.string(), z.unknown()).catch({}),
  result: z.string().catch(""),
  /** Milliseconds since 1970. */
  at: z.number().nullable().catch(null),
});

/** A call by an agent's own word, as it stands in the notes of a trial. */
interface ToldCall {
  readonly role: "told";
  readonly tool: string;
  /** JSON. */
  readonly arguments: string;
  readonly content: string;
  /** Milliseconds before it was noted; `null`: not told. */
  readonly ago_ms: number | null;
}

/**
 * Calls that a command tells of itself. They make its story and nothing else, as nobody saw them; lines that cannot be read
 * are left out.
 * @param clean takes what is secret out of a text
 */
async function toldCalls(outputFolder: string, clean: (text: string) => string, now: number): Promise<ToldCall[]> {
  const text = await sealedText(outputFolder, CALLS_FILE, MOST_BYTES).catch(() => null);
  const lines = (text ?? "").split("\n");
  return lines.flatMap((line) => callIn(line, clean, now) ?? []).slice(0, MOST_CALLS);
}

/** What is nested too deep is parsed, and cannot be written again. Escapes may hide what is secret in a line, not in its value. */
function callIn(line: string, clean: (text: string) => string, now: number): ToldCall | null {
  const cleanValue = (_: string, value: unknown) => {
    if (typeof value === "string") return clean(value);
    if (typeof value === "number") return clean(`${value}`) === `${value}` ? value : clean(`${value}`);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [clean(name), each]));
  };
  try {
    const { tool, arguments: given, result, at } = callSchema.parse(JSON.parse(line, cleanValue));
    return {
      role: "told",
      tool,
      arguments: JSON.stringify(given),
      content: shortenLines(result, MOST_RESULT),
      ago_ms: at === null ? null : Math.max(0, Math.round(now - at)),
    };
  } catch {
    return null;
  }
}
