import type { ConversationRequest, Converse, Said, ToolDefinition } from "../conversation.js";
import { conversationQuestion } from "../server/server-conversation.js";
import type { ConversationWay } from "../wire/ways.js";
import type { CheckedWay } from "./check-report.js";
import type { Ability, Finding } from "./trial.js";

/** Asks for the next message of a conversation. */
type AskSaid = (request: ConversationRequest) => Promise<Omit<Said, "durationMs">>;

/** Room to think first. */
const MOST_TOKENS = 512;

const WORDS = ["orange", "violet"] as const;

const PICK: ToolDefinition = {
  name: "pick",
  description: "Picks a word.",
  parameters: {
    type: "object",
    properties: { word: { type: "string", enum: ["blue", "orange", "violet", "green"] } },
    required: ["word"],
    additionalProperties: false,
  },
};

function requestOf(content: string, tools: readonly ToolDefinition[]): ConversationRequest {
  return {
    messages: [
      { role: "system", content: "You do what you are asked, and nothing else." },
      { role: "user", content },
    ],
    tools,
    toolChoice: tools.length === 0 ? "none" : "required",
    maxTokens: MOST_TOKENS,
    temperature: 0,
    seed: 0,
    responseFormat: null,
  };
}

/** Whether a model takes part in a conversation of several roles. */
async function tryConversation(ask: AskSaid): Promise<Finding<null>> {
  const { text, end } = await ask(requestOf("Say: hello", []));
  if (text !== null) return { status: "works", notes: [], evidence: null };
  if (end === "length")
    return {
      status: "works",
      notes: [`wrote no text in ${MOST_TOKENS} tokens: it reasons first, and needs room`],
      evidence: null,
    };
  return { status: "refused", reason: "said nothing" };
}

/** Whether a model calls a tool when it has to, and whether its argument is the one that is asked for: that moves. */
async function tryTools(ask: AskSaid): Promise<Finding<null>> {
  const picked: string[] = [];
  for (const word of WORDS) {
    const { toolCalls } = await ask(requestOf(`Call the tool pick with the word ${word}.`, [PICK]));
    const [call] = toolCalls;
    if (call === undefined) return { status: "refused", reason: "called no tool where it had to" };
    const found = wordIn(call.arguments);
    if (call.name !== PICK.name || found === null)
      return { status: "refused", reason: "called a tool with arguments that are none of it" };
    picked.push(found);
  }
  const right = WORDS.filter((word, i) => picked[i] === word).length;
  const notes =
    right === WORDS.length ? [] : [`picked the right word ${right} times of ${WORDS.length}: it is weak with tools`];
  return { status: "works", notes, evidence: null };
}

function wordIn(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && "word" in value && typeof value.word === "string"
      ? value.word
      : null;
  } catch {
    return null;
  }
}

/** Whether a server takes part in a conversation. */
export const CONVERSATION: Ability<ConversationWay, null> = {
  extraction: "conversation",
  probe: (way, ask) => tryConversation((request) => ask(conversationQuestion(way, request))),
  agree: () => true,
};

/** Whether a server has its model call tools. */
export const TOOLS: Ability<ConversationWay, null> = {
  extraction: "tools",
  probe: (way, ask) => tryTools((request) => ask(conversationQuestion(way, request))),
  agree: () => true,
};

/** Likewise of a model in this process: a row each. */
export async function conversationRows(converse: Converse): Promise<CheckedWay[]> {
  const ask: AskSaid = async (request) => {
    const reply = await converse(request, new AbortController().signal);
    if (reply.status === "failed") throw new Error(reply.detail);
    return reply;
  };
  const row = async (extraction: string, way: string, found: Promise<Finding<null>>): Promise<CheckedWay> => {
    const finding = await found;
    const notes = finding.status === "works" ? finding.notes : [finding.reason];
    return { way, extraction, status: finding.status, notes, measures: null };
  };
  return [
    await row("conversation", "conversation, in process", tryConversation(ask)),
    await row("tools", "tools under a grammar, in process", tryTools(ask)),
  ];
}
