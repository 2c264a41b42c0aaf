import type { Agent } from "../agent/agent.js";
import { runLoop } from "../agent/loop.js";
import { type RecordedReplies, type ReplyBook, readReplies, recordingConverse } from "../agent/replies.js";
import { ProbeError } from "../base/errors.js";
import { overText } from "../model/conversation/text-protocol.js";
import type { Capability } from "../model/model.js";
import type { Performance, Subject } from "../run/suite.js";
import type { Cage } from "../workspace/cage.js";
import { agentLabel, namedAgent } from "./choose-agent.js";
import type { TrialValues } from "./options.js";
import type { TrialRequest } from "./trial-run.js";

/** The name of the built-in loop in the column `agent`. */
export const LOOP = "loop";

/**
 * What a run is about where no model is opened: an agent, or a model whose replies are all recorded.
 * @throws ProbeError `bad_input`
 */
export async function subjectOf(values: TrialValues, label: string | null): Promise<Subject | null> {
  const agent = agentLabel(values);
  if (agent !== null) return { label: agent, identity: { provider: "agent", name: agent } };
  if (values.replay === "only" && label !== null) return { label, identity: (await recordedReplies(values)).model };
  if (label === "command")
    throw new ProbeError(
      "bad_input",
      "Expected --agent-cmd again: a run does not keep the command that it was made with.",
    );
  return null;
}

function recordedReplies({ replies, replay }: TrialValues): Promise<RecordedReplies> {
  if (replies !== null) return readReplies(replies);
  throw new ProbeError("bad_input", `Expected --replies FILE with --replay ${replay}, found none.`);
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
  if (agent !== null) return { agent, needs: [] };
  const recorded = values.replay === "off" ? null : await recordedReplies(values);
  if (values.budget !== null && request.price === null)
    throw new ProbeError(
      "bad_input",
      "Expected a model whose price is known for --budget. Put it into probe.config.json.",
    );
  const talk: Capability = values.toolProtocol === "text" ? "conversations" : "tools";
  return { agent: loopAgent(request, recorded, session), needs: values.replay === "only" ? [] : [talk] };
}

/** What the loop works with in a session. */
export interface LoopSession {
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
        identity: model.identity,
        recorded,
        mode: values.replay,
        book: replies,
      });
      return runLoop(attempt, { converse: values.toolProtocol === "text" ? overText(asked) : asked, price });
    },
  };
}
