import { jsonValue } from "../base/text.js";
import type { ConversationRequest, Converse, Message, Said, ToolCall, ToolDefinition } from "./conversation.js";

/**
 * Tools without an interface for them: described in the system's message, called by one JSON object, answered by a message
 * of the user. Servers without tools and models in this process talk like this.
 */
export function overText(converse: Converse): Converse {
  return async (request, signal) => {
    const reply = await converse(textRequest(request), signal);
    return reply.status === "failed" ? reply : { ...reply, ...saidOf(reply, request) };
  };
}

/** The request as it is without tools: two kinds of speakers behind the system, which take turns. */
export function textRequest(request: ConversationRequest): ConversationRequest {
  const messages = request.messages.map(plainMessage);
  const rules = request.tools.length === 0 ? null : rulesOf(request.tools);
  const [first, ...rest] = messages;
  const led =
    rules === null
      ? messages
      : first?.role === "system"
        ? [{ role: "system" as const, content: `${contentOf(first)}\n\n${rules}` }, ...rest]
        : [{ role: "system" as const, content: rules }, ...messages];
  return { ...request, messages: joined(led), tools: [], toolChoice: "none" };
}

/** Message of a text, with the call that it holds. */
export function saidOf(
  { text }: Pick<Said, "text">,
  { tools, messages }: ConversationRequest,
): Pick<Said, "text" | "toolCalls" | "end"> {
  const call = tools.length === 0 || text === null ? null : callIn(text, `call-${messages.length}`);
  if (call === null) return { text, toolCalls: [], end: "stop" };
  return { text: null, toolCalls: [call], end: "tool_calls" };
}

/** The call as one JSON object. */
function callText({ name, arguments: given }: Pick<ToolCall, "name" | "arguments">): string {
  return `{"tool": ${JSON.stringify(name)}, "arguments": ${given === "" ? "{}" : given}}`;
}

function rulesOf(tools: readonly ToolDefinition[]): string {
  return [
    'Call one tool a turn: write one JSON object {"tool": NAME, "arguments": {…}} and nothing else.',
    "Tools:",
    ...tools.map(({ name, description, parameters }) => {
      const { properties = {} } = parameters;
      return `- ${name} ${JSON.stringify(properties)}: ${description}`;
    }),
  ].join("\n");
}

type Plain = Extract<Message, { role: "system" | "user" | "assistant" }>;

function plainMessage(message: Message): Plain {
  if (message.role === "tool") return { role: "user", content: `Result of ${message.name}:\n${message.content}` };
  if (message.role !== "assistant") return message;
  const calls = message.toolCalls.map(callText);
  return {
    role: "assistant",
    content: [message.content ?? "", ...calls].filter((part) => part !== "").join("\n"),
    toolCalls: [],
  };
}

/** Neighbours of one role in one message: many templates know no others. */
function joined(messages: readonly Plain[]): Plain[] {
  const all: Plain[] = [];
  for (const message of messages) {
    const last = all.at(-1);
    if (last === undefined || last.role !== message.role) all.push(message);
    else all[all.length - 1] = { ...last, content: `${contentOf(last)}\n\n${contentOf(message)}` };
  }
  return all;
}

function contentOf(message: Plain): string {
  return message.content ?? "";
}

/** The first JSON object in a text that is a call; `null`: there is none. */
function callIn(text: string, id: string): ToolCall | null {
  for (let start = text.indexOf("{"); start !== -1; start = text.indexOf("{", start + 1)) {
    const end = endOfObject(text, start);
    if (end === null) return null;
    const call = asCall(text.slice(start, end), id);
    if (call !== null) return call;
  }
  return null;
}

function asCall(text: string, id: string): ToolCall | null {
  const value = jsonValue(text);
  if (typeof value !== "object" || value === null || !("tool" in value) || typeof value.tool !== "string") return null;
  try {
    return { id, name: value.tool, arguments: JSON.stringify("arguments" in value ? value.arguments : {}) };
  } catch {
    // Nested so deep that it is parsed and cannot be written again.
    return null;
  }
}

/** Strings, in which brackets mean nothing, and brackets. */
const PARTS = /"(?:[^"\\]|\\.)*"|[{}]/gs;

/** End of the object that begins at `start`; `null`: it has none. */
function endOfObject(text: string, start: number): number | null {
  let depth = 0;
  for (const { 0: part, index } of text.slice(start).matchAll(PARTS)) {
    if (part === "{") depth++;
    else if (part === "}" && --depth === 0) return start + index + 1;
  }
  return null;
}
