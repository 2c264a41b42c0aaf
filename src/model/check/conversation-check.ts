import { jsonValue } from "../../base/text.js";
import type { ConversationRequest, Converse, Said, ToolDefinition } from "../conversation.js";
import { conversationQuestion } from "../wire/questions.js";
import type { ConversationWay, WireRequest } from "../wire/ways.js";
import type { CheckedWay } from "./check-report.js";
import type { Ability, Finding } from "./try-ways.js";

type TalkFinding = Finding<ConversationWay, null>;

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

/** Has a model take part in a conversation of several roles. */
async function tryConversation(ask: AskSaid): Promise<TalkFinding> {
  const { text, end } = await ask(requestOf("Say: hello", []));
  if (text === null && end !== "length") return { status: "refused", reason: "said nothing" };
  const note = `wrote no text in ${MOST_TOKENS} tokens: it reasons first, and needs room`;
  return { status: "works", notes: text === null ? [note] : [], evidence: null };
}

/** Has a model call a tool, with the argument that is asked for: that moves. */
async function tryTools(ask: AskSaid): Promise<TalkFinding> {
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
  const value = jsonValue(text);
  const isWord = typeof value === "object" && value !== null && "word" in value && typeof value.word === "string";
  return isWord ? String(value.word) : null;
}

/** Takes part in a conversation. */
export const CONVERSATION: Ability<ConversationWay, null> = {
  rowOf: () => "conversation",
  probe: (way, ask) => tryConversation((request) => ask(conversationQuestion(way, request))),
  agree: () => true,
  example: exampleOf,
};

/** Has its model call tools. */
export const TOOLS: Ability<ConversationWay, null> = {
  rowOf: () => "tools",
  probe: (way, ask) => tryTools((request) => ask(conversationQuestion(way, request))),
  agree: () => true,
  example: exampleOf,
};

function exampleOf(way: ConversationWay): WireRequest {
  const messages = [{ role: "user" as const, content: "{message}" }];
  return way.request({ ...requestOf("", []), messages, toolChoice: "required" });
}

/** Rows of the same examinations for a model in this process. */
export async function conversationRows(converse: Converse): Promise<CheckedWay[]> {
  const ask: AskSaid = async (request) => {
    const reply = await converse(request, new AbortController().signal);
    if (reply.status === "failed") throw new Error(reply.detail);
    return reply;
  };
  const row = async (extraction: string, way: string, found: Promise<TalkFinding>): Promise<CheckedWay> => {
    const finding = await found;
    const notes = finding.status === "works" ? finding.notes : [finding.reason];
    return { way, extraction, status: finding.status, notes, measures: null };
  };
  return [
    await row("conversation", "conversation, in process", tryConversation(ask)),
    await row("tools", "tools under a grammar, in process", tryTools(ask)),
  ];
}
