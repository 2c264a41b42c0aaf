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
 * Object in a reply, as the evaluators of SWE Atlas read it: a reply that begins with `{` has to be JSON to its end.
 */
export function objectInReplyPublished(reply: string, key: string): Readonly<Record<string, unknown>> | null {
  const text = reply.trim();
  const fenced = fencedText(text);
  if (fenced !== null) return parsedObject(fenced);
  return parsedObject(text.startsWith("{") ? text : balancedObject(text, key));
}

function fencedText(text: string): string | null {
  return /```json\s*\n?([\s\S]*?)```/.exec(text)?.[1] ?? null;
}

function parsedObject(text: string | null): Readonly<Record<string, unknown>> | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text.replace(/\p{Cc}/gu, " "));
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}

/** Strings, in which brackets mean nothing, and brackets. */
const PARTS = /"(?:[^"\\]|\\.)*"|[{}]/gs;

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
