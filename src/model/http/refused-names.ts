/** A word between quotes of any kind, or at the head of a message: `seed: Extra inputs are not permitted`. */
const QUOTED = /["'`]([A-Za-z]\w*)(?:\.[\w.]+)?["'`]/g;
const HEAD = /"(?:message|msg|detail)"\s*:\s*"([a-z_]+)(?:\.[\w.]+)?:\s/g;
const PARAM = /"param"\s*:\s*"([A-Za-z]\w*)(?:\.[\w.]+)?"/;
/** Words behind which a name stands without quotes: `temperature is not supported with this model`. */
const REFUSING =
  /not support|unsupported|not (?:allowed|permitted|available)|unknown|unrecogni[sz]ed|unexpected|deprecated|only/i;
const PLAIN = /\b[a-z]+(?:[_A-Z][A-Za-z]*)*\b/g;

/**
 * Names that a reply with an error status may refuse a parameter by, the likeliest first: `error.param` (OpenAI and those
 * that speak as it does), the words between quotes, the head of the message; at last every word of a message that speaks
 * of a refusal. Most are no parameters: whoever knows what was sent chooses among them.
 */
export function refusedNames(status: number, body: string): readonly string[] {
  if (status !== 400 && status !== 422) return [];
  // A message within a message has its quotes escaped.
  const text = body.replaceAll('\\"', '"');
  const named = [PARAM.exec(text)?.[1] ?? [], ...found(text, HEAD), ...found(text, QUOTED)].flat();
  const plain = REFUSING.test(text) ? [...text.matchAll(PLAIN)].map(([word]) => word) : [];
  return [...new Set([...named, ...plain].map(snakeCase))];
}

function found(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name = ""]) => name);
}

/** `reasoningEffort` → `reasoning_effort`. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter, at: number) => `${at === 0 ? "" : "_"}${letter.toLowerCase()}`);
}
