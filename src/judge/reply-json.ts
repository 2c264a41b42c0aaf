import { jsonValue } from "../base/text.js";

/**
 * The JSON object in a reply, however it is wrapped: the whole reply, what its first `json` code block holds, or the first
 * balanced object whose first key is the one that is looked for. Control characters in texts, which JSON has not, count as
 * blanks. `null`: there is none.
 */
export function objectInReply(reply: string, key: string): Readonly<Record<string, unknown>> | null {
  const text = reply.trim();
  return parsedObject(text) ?? parsedObject(fencedText(text)) ?? parsedObject(balancedObject(text, key));
}

/**
 * Every JSON object in a reply that may be meant: the whole reply, else what its `json` code blocks hold and the balanced
 * objects whose first key is the one that is looked for. A judge that quotes an agent has more than one.
 */
export function objectsInReply(reply: string, key: string): readonly Readonly<Record<string, unknown>>[] {
  const text = reply.trim();
  const whole = parsedObject(text);
  if (whole !== null) return [whole];
  const fenced = [...text.matchAll(new RegExp(FENCED, "g"))].map(([, inner = ""]) => inner.trim());
  const balanced: string[] = [];
  for (let rest = text; ; ) {
    const found = balancedObject(rest, key);
    if (found === null) break;
    balanced.push(found);
    rest = rest.slice(rest.indexOf(found) + found.length);
  }
  return [...fenced, ...balanced].map(parsedObject).filter((each) => each !== null);
}

function fencedText(text: string): string | null {
  return FENCED.exec(text)?.[1]?.trim() ?? null;
}

const FENCED = /```json([\s\S]*?)```/;

function parsedObject(text: string | null): Readonly<Record<string, unknown>> | null {
  const value = jsonValue(text?.replace(/\p{Cc}/gu, " ") ?? "");
  return isObject(value) ? value : null;
}

/** Tests for JSON objects. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Strings, in which brackets mean nothing, one without an end too, and brackets. */
const PARTS = /"(?:[^"\\]|\\.)*(?:"|$)|[{}]/gs;

function balancedObject(text: string, key: string): string | null {
  const start = text.search(new RegExp(`\\{\\s*"${key}"`));
  if (start === -1) return null;
  let depth = 0;
  for (const { 0: part, index } of text.slice(start).matchAll(PARTS)) {
    if (part === "{") depth++;
    else if (part === "}" && --depth === 0) return text.slice(start, start + index + 1);
  }
  return null;
}
