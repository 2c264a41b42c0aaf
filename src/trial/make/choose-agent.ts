import { rm } from "node:fs/promises";
import type { Agent } from "../../agent/agent.js";
import { runLoop } from "../../agent/agent-loop.js";
import { COMMAND_AGENT, commandAgent } from "../../agent/command-agent.js";
import {
  type RecordedReplies,
  type ReplyBook,
  readReplies,
  recordingConverse,
  thinkingIdentity,
} from "../../agent/replies.js";
import { goldAgent, noopAgent, patchesAgent, recordedCallsAgent } from "../../agent/scripted-agents.js";
import { badInput } from "../../base/errors.js";
import { nearHint } from "../../base/near-names.js";
import { shellWord, shorten, visibleLine } from "../../base/text.js";
import { dollarPrice } from "../../model/prices.js";
import { type Capability, thoughtLimit } from "../../model/requests.js";
import { overText } from "../../model/text-protocol.js";
import type { Performance, Subject } from "../../run/suite.js";
import type { Cage } from "../../workspace/cage.js";
import { temporaryFolder } from "../../workspace/tree-files.js";
import type { TrialValues } from "../trial-options.js";
import type { TrialRequest } from "../trial-run.js";

const SCRIPTED = "scripted:";

/** Options that name an agent; more than one is a mistake. */
function namedAgents(values: TrialValues): string[] {
  return [
    ...(values.agentCmd === null ? [] : ["--agent-cmd"]),
    ...(values.patches === null ? [] : ["--patches"]),
    ...(values.agent === null ? [] : ["--agent"]),
  ];
}

/** Name of the agent, which names the run where no model works. `null`: a model does. */
function agentLabel(values: TrialValues): string | null {
  const named = namedAgents(values);
  if (named.length > 1) throw badInput(`Expected one agent, found ${named.join(" and ")}. Leave one out.`);
  if (values.agentCmd !== null) return values.agentName ?? COMMAND_AGENT;
  requireCommand(values);
  if (values.patches !== null) return "patches";
  return values.agent;
}

/** @throws ProbeError `bad_input` for a name or a version of a command that is not there: a run keeps none */
function requireCommand({ agentName, agentVersionCmd }: TrialValues): void {
  const named = agentName === null ? "--agent-version-cmd" : `--agent-name ${shellWord(agentName)}`;
  if (agentName === null && agentVersionCmd === null) return;
  throw badInput(
    `Expected --agent-cmd with ${named}, found none: a run does not keep the command that it was made with.`,
  );
}

/** @throws ProbeError `bad_input` for thoughts of an agent that is no model of ours */
function requireNoThink(values: TrialValues): void {
  if (values.think === null) return;
  throw badInput(
    `Expected --model M with --think, found ${namedAgents(values).join()}, which is asked for no thoughts. Leave one out.`,
  );
}

/**
 * The agent that the options name; `null`: the built-in loop over a model.
 * @throws ProbeError `bad_input` when there is no such agent
 */
async function namedAgent(values: TrialValues, cage: Cage): Promise<Agent | null> {
  const { agentCmd, patches, agent } = values;
  if (agentCmd !== null) {
    const network = values.agentNet === "on";
    if (!network && cage.kind === "none") {
      const why = cage.reason === null ? "none was asked for" : cage.reason;
      throw badInput(`Expected bubblewrap for --agent-net off, found ${why}. Install it, or use --agent-net on.`);
    }
    const { agentName: name, agentVersionCmd: versionCmd, agentEnv: environment } = values;
    const version = versionCmd === null ? null : await agentVersion(versionCmd, cage);
    return commandAgent({ name, version, command: agentCmd, environment, network });
  }
  if (patches !== null) return patchesAgent(patches);
  if (agent === null) return null;
  return scriptedAgent(agent);
}

function scriptedAgent(name: string): Promise<Agent> {
  if (name === noopAgent.name) return Promise.resolve(noopAgent);
  if (name === goldAgent.name) return Promise.resolve(goldAgent);
  if (name.startsWith(SCRIPTED) && name.endsWith(".jsonl")) return recordedCallsAgent(name.slice(SCRIPTED.length));
  throw badInput(
    `Expected --agent scripted:noop, scripted:gold or scripted:FILE.jsonl with tool calls, found "${name}".` +
      nearHint(name.replace(/^(?!scripted:)/, SCRIPTED), [noopAgent.name, goldAgent.name]),
  );
}

/** The agent, and the controls that go with it. */
export function withControls(agent: Agent, isWanted: boolean): Agent[] {
  const controls = isWanted ? [noopAgent, goldAgent].filter(({ name }) => name !== agent.name) : [];
  return [agent, ...controls];
}

/** The name of the built-in loop in the column `agent`. */
const LOOP = "loop";

/**
 * Subject of a run where no model is opened: an agent, or a model whose replies are all recorded.
 * @throws ProbeError `bad_input`
 */
export async function subjectOf(values: TrialValues, label: string | null): Promise<Subject | null> {
  const agent = agentLabel(values);
  if (agent !== null) return { label: agent, identity: { provider: "agent", name: agent } };
  if (values.replay === "only" && label !== null) return { label, identity: (await recordedReplies(values)).model };
  if (label === COMMAND_AGENT)
    throw badInput("Expected --agent-cmd again: a run does not keep the command that it was made with.");
  return null;
}

function recordedReplies({ replies, replay }: TrialValues): Promise<RecordedReplies> {
  if (replies !== null) return readReplies(replies);
  throw badInput(`Expected --replies FILE with --replay ${replay}, found none.`);
}

/**
 * Who works in a run, and what that needs of a model.
 * @param session `null`: only to be described
 */
export async function mainAgent(
  request: TrialRequest,
  cage: Cage,
  session: LoopSession | null,
): Promise<{ readonly agent: Agent; readonly needs: Capability[] }> {
  const { values } = request;
  const agent = await namedAgent(values, cage);
  if (agent !== null) {
    requireNoThink(values);
    return { agent, needs: [] };
  }
  const recorded = values.replay === "off" ? null : await recordedReplies(values);
  if (values.budget !== null && dollarPrice(request.price) === null) {
    const found = request.price === null ? "none" : `one in ${visibleLine(shorten(request.price.currency, 20))}`;
    throw badInput(
      `Expected a model whose price in USD is known for --budget, found ${found}. Put it into probe.config.json.`,
    );
  }
  const talk: Capability = values.toolProtocol === "text" ? "conversations" : "tools";
  return { agent: loopAgent(request, recorded, session), needs: values.replay === "only" ? [] : [talk] };
}

/** Parts of a session that the loop works with. */
interface LoopSession {
  readonly model: Performance["model"];
  readonly replies: ReplyBook;
}

function loopAgent(
  { values, price }: TrialRequest,
  recorded: RecordedReplies | null,
  session: LoopSession | null,
): Agent {
  return {
    name: LOOP,
    identity: { agent: "loop", protocol: 1 },
    runsCode: true,
    async run(attempt) {
      if (session === null) return { status: "unreachable", detail: "no model is open" };
      const { model, replies } = session;
      const asked = recordingConverse({
        converse: model.converse?.bind(model) ?? null,
        identity: thinkingIdentity(model.identity, values.think),
        recorded,
        mode: values.replay,
        book: replies,
      });
      return runLoop(attempt, {
        converse: values.toolProtocol === "text" ? overText(asked) : asked,
        price: dollarPrice(price),
        mostThoughts: thoughtLimit(values.think),
      });
    },
  };
}

const VERSION_LIMIT_MS = 60_000;
const LONGEST_VERSION = 100;

/**
 * The version of an agent: the first line that its command prints, run in the cage in a folder of its own, without network.
 * @throws ProbeError `bad_input` where it fails, or prints nothing
 */
export async function agentVersion(command: string, cage: Cage): Promise<string> {
  const folder = await temporaryFolder("probe-version-");
  try {
    const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LANG: "C.UTF-8", HOME: folder };
    const argv = ["/bin/sh", "-c", command] as const;
    const permissions = { workspace: folder, writesWorkspace: true, writes: [], reads: [], network: false };
    const run = { argv, cwd: folder, env, limitMs: VERSION_LIMIT_MS };
    const { end, code, output } = await cage.run(run, permissions, new AbortController().signal);
    const [first = ""] = output.trim().split("\n");
    if (end === "exited" && code === 0 && first !== "") return visibleLine(shorten(first.trim(), LONGEST_VERSION));
    const found = `${end}${code === null ? "" : ` ${code}`}${first === "" ? "" : `: ${visibleLine(shorten(first, LONGEST_VERSION))}`}`;
    throw badInput(`Expected --agent-version-cmd to print a version, found ${found}.`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
