import { jsonValue } from "../base/text.js";

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The JSON object in a reply, however it is wrapped: the whole reply, else its `json` code block, else the first object that
 * begins with the key, else the first other that may be meant. Control characters in texts, which JSON has not, count as
 * blanks. `null`: there is none.
 */
export function objectInReply(reply: string, key: string): JsonObject | null {
  const text = reply.trim();
  const usual = parsedObject(text) === null ? [...fencedTexts(text, JSON_FENCED), ...begunTexts(text, key)] : [];
  return objectsIn(usual, key)[0] ?? objectsInReply(text, key)[0] ?? null;
}

/**
 * Every JSON object in a reply that may be meant: the whole reply, else those with the key that is looked for, in code blocks
 * or in no other object; behind one without an end, those that begin with the key. A judge that quotes an agent has more than
 * one. None that has the key twice: nobody knows which is meant.
 */
export function objectsInReply(reply: string, key: string): readonly JsonObject[] {
  const text = reply.trim();
  const whole = parsedObject(text);
  if (whole !== null) return isRepeated(text, key) ? [] : [whole];
  const balanced = balancedTexts(text, /\{\s*"/g);
  const behind = begunTexts(text.slice(balanced.end), key);
  return objectsIn([...fencedTexts(text, FENCED), ...balanced.texts, ...behind], key);
}

function objectsIn(texts: readonly string[], key: string): JsonObject[] {
  return texts.flatMap((each) => {
    const object = parsedObject(each);
    return object !== null && Object.hasOwn(object, key) && !isRepeated(each, key) ? [object] : [];
  });
}

function fencedTexts(text: string, fence: RegExp): string[] {
  return [...text.matchAll(fence)].map(([, inner = ""]) => inner.trim());
}

function begunTexts(text: string, key: string): readonly string[] {
  return balancedTexts(text, new RegExp(`\\{\\s*"${key}"`, "g")).texts;
}

const JSON_FENCED = /```json([\s\S]*?)```/gi;
const FENCED = /```(?:json)?([\s\S]*?)```/gi;

function parsedObject(text: string): JsonObject | null {
  const value = jsonValue(text.replace(/\p{Cc}/gu, " "));
  return isObject(value) ? value : null;
}

/** Tests for JSON objects. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Strings, in which brackets mean nothing, one without an end too, with the colon behind a key; and brackets. */
const PARTS = /"(?:[^"\\]|\\.)*(?:"(?:\s*:)?|$)|[{}]/gs;

/** Texts in balanced brackets that begin as they should, one behind the other, up to one without an end; and their end. */
function balancedTexts(text: string, opening: RegExp): { readonly texts: readonly string[]; readonly end: number } {
  const texts: string[] = [];
  for (let end = 0; ; ) {
    opening.lastIndex = end;
    const start = opening.exec(text)?.index;
    const length = start === undefined ? null : balancedLength(text.slice(start));
    if (start === undefined || length === null) return { texts, end };
    end = start + length;
    texts.push(text.slice(start, end));
  }
}

function balancedLength(text: string): number | null {
  let depth = 0;
  for (const { 0: part, index } of text.matchAll(PARTS)) {
    if (part === "{") depth++;
    else if (part === "}" && --depth === 0) return index + 1;
  }
  return null;
}

/** Tests for an object's text that has a key more than once, of which JSON takes the last. */
function isRepeated(object: string, key: string): boolean {
  let [depth, times] = [0, 0];
  for (const [part] of object.matchAll(PARTS)) {
    if (part === "{") depth++;
    else if (part === "}") depth--;
    else if (depth === 1 && part.startsWith(`"${key}"`) && part.endsWith(":")) times++;
  }
  return times > 1;
}
