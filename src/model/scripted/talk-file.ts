import { z } from "zod";
import { messageOf, ProbeError } from "../../base/errors.js";
import { shortenLines } from "../../base/text.js";
import type { ConversationRequest, Converse } from "../conversation/conversation.js";

/** What is said where all texts stand in the conversation. */
const talkLine = z.strictObject({ when: z.array(z.string()).default([]), says: z.string() });
type TalkLine = z.infer<typeof talkLine>;

/** Whether a file of answers is one of conversations: its first line says something. */
export function isTalk(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text.split("\n").find((line) => line.trim() !== "") ?? "");
    return typeof value === "object" && value !== null && "says" in value;
  } catch {
    return false;
  }
}

/**
 * Conversations by a file: a JSON object `{"when": [texts], "says": text}` a line. The first line all of whose texts
 * stand in what was said so far, letter by letter, is the reply; without one there is none (`refused`).
 * @throws ProbeError `bad_input` naming the line
 */
export function scriptedTalk(text: string, path: string): Converse {
  const lines = text.split("\n").flatMap((line, i) => (line.trim() === "" ? [] : [parseLine(line, path, i + 1)]));
  return async (request, signal) => {
    signal.throwIfAborted();
    const said = saidIn(request);
    const found = lines.find(({ when }) => when.every((part) => said.includes(part)));
    if (found === undefined)
      return { status: "failed", failure: "refused", detail: "the answer file has no line for this conversation" };
    const meter = { promptTokens: null, completionTokens: null, durationMs: 0 };
    return { status: "said", text: found.says, toolCalls: [], end: "stop", ...meter };
  };
}

function saidIn({ messages }: ConversationRequest): string {
  return messages.map(({ content }) => content ?? "").join("\n");
}

function parseLine(line: string, path: string, number: number): TalkLine {
  try {
    return talkLine.parse(JSON.parse(line));
  } catch (cause) {
    const found = cause instanceof z.ZodError ? z.prettifyError(cause) : messageOf(cause);
    throw new ProbeError(
      "bad_input",
      `${path}:${number}: expected {"when": [texts], "says": text}, found: ${shortenLines(found, 300)}`,
      { cause },
    );
  }
}
