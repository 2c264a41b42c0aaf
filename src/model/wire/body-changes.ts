import type { RequestError } from "../http/request-error.js";
import type { BodyChanges, Changeable, WireRequest } from "./ways.js";

const NO_CHANGES: BodyChanges = { leftOut: [], renamed: [] };

/** Other names of parameters. */
const RENAMED = new Map([["max_tokens", "max_completion_tokens"]]);

/** Parameters without which a request still asks the same. */
const OPTIONAL = new Set([
  "temperature",
  "seed",
  "stop",
  "top_p",
  "top_k",
  "min_p",
  "repetition_penalty",
  "parallel_tool_calls",
  "tool_choice",
  "reasoning_effort",
  "reasoning",
  "thinking",
  "extra_body",
  "chat_template_kwargs",
]);

/**
 * The way as a server takes it that refused its last request by the name of a parameter: without that, or by its other
 * name. `null`: nothing was learnt, since it named none, or one that the way is none without. Each parameter is learnt once.
 */
export function learn<W extends Changeable>(way: W, { body }: WireRequest, { refused }: RequestError): W | null {
  const changes = way.changes ?? NO_CHANGES;
  const name = refused.find((each) => Object.hasOwn(body, each) && isFree(way, each));
  if (name === undefined) return null;
  const other = RENAMED.get(name);
  return {
    ...way,
    changes:
      other === undefined
        ? { ...changes, leftOut: [...changes.leftOut, name] }
        : { ...changes, renamed: [...changes.renamed, [name, other]] },
  };
}

function isFree({ keeps = [] }: Changeable, name: string): boolean {
  return !keeps.includes(name) && (OPTIONAL.has(name) || RENAMED.has(name));
}

/** Tests if a way may have learnt these changes. */
export function mayLearn(way: Changeable, { leftOut, renamed }: BodyChanges): boolean {
  return leftOut.every((name) => isFree(way, name)) && renamed.every(([from, to]) => RENAMED.get(from) === to);
}

/** A request of a way, as its server takes it. */
export function changed({ changes }: Changeable, request: WireRequest): WireRequest {
  if (changes === undefined) return request;
  const names = new Map(changes.renamed);
  const entries = Object.entries(request.body)
    .filter(([name]) => !changes.leftOut.includes(name))
    .map(([name, value]) => [names.get(name) ?? name, value] as const);
  return { ...request, body: Object.fromEntries(entries) };
}

/** Changes in words, for the table of a check. */
export function changeNotes({ changes = NO_CHANGES }: Changeable): string[] {
  const { leftOut, renamed } = changes;
  return [
    ...(leftOut.length === 0 ? [] : [`without ${leftOut.join(", ")}, which the server refuses by name`]),
    ...renamed.map(([from, to]) => `${to} in place of ${from}, which the server refuses by name`),
    ...(leftOut.includes("temperature") ? ["replies are drawn at the server's own temperature"] : []),
  ];
}

/** Changes of several ways as facts of a model's identity; none where nothing was changed. */
export function changeFacts(ways: readonly Changeable[]): Readonly<Record<string, string>> {
  const all = ways.flatMap(({ changes }) => changes ?? []);
  const leftOut = new Set(all.flatMap((each) => each.leftOut));
  const renamed = new Set(all.flatMap((each) => each.renamed.map((pair) => pair.join(" as "))));
  return {
    ...(leftOut.size > 0 && { left_out: [...leftOut].sort().join(", ") }),
    ...(renamed.size > 0 && { renamed: [...renamed].sort().join(", ") }),
  };
}
