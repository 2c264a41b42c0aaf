import type { Agent } from "../agent/agent.js";
import { commandAgent } from "../agent/command-agent.js";
import { patchesAgent } from "../agent/patches-agent.js";
import { goldAgent, noopAgent, recordedCallsAgent } from "../agent/scripted-agents.js";
import { ProbeError } from "../base/errors.js";
import type { Cage } from "../workspace/cage.js";
import type { TrialValues } from "./options.js";

const SCRIPTED = "scripted:";

/** Which options say who works; more than one is a mistake. */
function namedAgents(values: TrialValues): string[] {
  return [
    ...(values.agentCmd === null ? [] : ["--agent-cmd"]),
    ...(values.patches === null ? [] : ["--patches"]),
    ...(values.agent === null ? [] : ["--agent"]),
  ];
}

/** What the run is called by where no model works: the agent. `null`: a model does. */
export function agentLabel(values: TrialValues): string | null {
  const named = namedAgents(values);
  if (named.length > 1)
    throw new ProbeError("bad_input", `Expected one agent, found ${named.join(" and ")}. Leave one out.`);
  if (values.agentCmd !== null) return "command";
  if (values.patches !== null) return "patches";
  return values.agent;
}

/**
 * The agent that the options name; `null`: the built-in loop over a model.
 * @throws ProbeError `bad_input` when there is no such agent
 */
export async function namedAgent(values: TrialValues, cage: Cage): Promise<Agent | null> {
  const { agentCmd, patches, agent } = values;
  if (agentCmd !== null) {
    const network = values.agentNet === "on";
    if (!network && cage.kind === "none") {
      const why = cage.reason === null ? "none was asked for" : cage.reason;
      throw new ProbeError(
        "bad_input",
        `Expected bubblewrap for --agent-net off, found ${why}. Install it, or use --agent-net on.`,
      );
    }
    return commandAgent({ command: agentCmd, cage, environment: values.agentEnv, network });
  }
  if (patches !== null) return patchesAgent(patches);
  if (agent === null) return null;
  return scriptedAgent(agent);
}

function scriptedAgent(name: string): Promise<Agent> {
  if (name === noopAgent.name) return Promise.resolve(noopAgent);
  if (name === goldAgent.name) return Promise.resolve(goldAgent);
  if (name.startsWith(SCRIPTED) && name.endsWith(".jsonl")) return recordedCallsAgent(name.slice(SCRIPTED.length));
  throw new ProbeError(
    "bad_input",
    `Expected --agent scripted:noop, scripted:gold or scripted:FILE.jsonl with tool calls, found "${name}".`,
  );
}

/** The agent, and the controls that go with it. */
export function withControls(agent: Agent, isWanted: boolean): Agent[] {
  const controls = isWanted ? [noopAgent, goldAgent].filter(({ name }) => name !== agent.name) : [];
  return [agent, ...controls];
}
