import type { RequestError } from "../http/request-error.js";
import type { BodyChanges, Changeable, Fields, WireRequest } from "./ways.js";

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
 * Thoughts that are off unasked are left alone by a refusal that names nothing, too.
 */
export function learn<W extends Changeable>(way: W, { body }: WireRequest, error: RequestError): W | null {
  const changes = way.changes ?? NO_CHANGES;
  const name = error.refused.find((each) => Object.hasOwn(body, each) && isFree(way, each));
  if (isRefusedOff(way, body, { error, name })) return asModelDoes(way);
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

/** The way with nothing said of thoughts, where they would be off unasked. */
export function asModelDoes<W extends Changeable>(way: W): W {
  return way.off === undefined ? way : { ...way, changes: { ...(way.changes ?? NO_CHANGES), asModel: true } };
}

/** Statuses of a value that a server does not take: some services name no parameter then. */
const VALUE_STATUSES = new Set([400, 422, 500, 501]);
/** Fields that messages speak of whatever was refused. */
const ALWAYS_NAMED = ["model", "messages"];

/** Tests if thoughts that were to be off may be what was refused: by name, or by a message that names no other field. */
function isRefusedOff(
  { off = [] }: Changeable,
  body: Fields,
  { error: { refused, status }, name }: { readonly error: RequestError; readonly name: string | undefined },
): boolean {
  if (!off.some((each) => Object.hasOwn(body, each))) return false;
  if (name !== undefined) return off.includes(name);
  const isOther = refused.some((each) => Object.hasOwn(body, each) && !ALWAYS_NAMED.includes(each));
  return VALUE_STATUSES.has(status) && !isOther;
}

function isFree({ keeps = [] }: Changeable, name: string): boolean {
  return !keeps.includes(name) && (OPTIONAL.has(name) || RENAMED.has(name));
}

/** Tests if a way may have learnt these changes. */
export function mayLearn(way: Changeable, { leftOut, renamed }: BodyChanges): boolean {
  return leftOut.every((name) => isFree(way, name)) && renamed.every(([from, to]) => RENAMED.get(from) === to);
}

/** A request of a way, as its server takes it. */
export function changed({ changes, off = [] }: Changeable, request: WireRequest): WireRequest {
  if (changes === undefined) return request;
  const names = new Map(changes.renamed);
  const without = [...changes.leftOut, ...(changes.asModel ? off : [])];
  const entries = Object.entries(request.body)
    .filter(([name]) => !without.includes(name))
    .map(([name, value]) => [names.get(name) ?? name, value] as const);
  return { ...request, body: Object.fromEntries(entries) };
}

/** Changes in words, for the table of a check. */
export function changeNotes(way: Changeable): string[] {
  const { leftOut, renamed } = way.changes ?? NO_CHANGES;
  const thoughts = thoughtsOf([way]);
  return [
    ...(thoughts === "off" ? ["thoughts off"] : []),
    ...(thoughts === "as the model does"
      ? ["thoughts as the model does: the server does not take that they be off"]
      : []),
    ...(leftOut.length === 0 ? [] : [`without ${leftOut.join(", ")}, which the server refuses by name`]),
    ...renamed.map(([from, to]) => `${to} in place of ${from}, which the server refuses by name`),
    ...(leftOut.includes("temperature") ? ["replies are drawn at the server's own temperature"] : []),
  ];
}

/** What is asked of thoughts though no option speaks of them, in any of these ways; absent: nothing ever was. */
export function thoughtsOf(ways: readonly Changeable[]): "off" | "as the model does" | undefined {
  const speaking = ways.filter(({ off }) => off !== undefined);
  if (speaking.length === 0) return undefined;
  return speaking.every(({ changes }) => changes?.asModel) ? "as the model does" : "off";
}

/**
 * Changes of several ways as facts of a model's identity; none where nothing was changed. Where a server does not take that
 * thoughts be off, it is asked as runs were before they were off unasked, which resume so.
 */
export function changeFacts(ways: readonly Changeable[]): Readonly<Record<string, string>> {
  const all = ways.flatMap(({ changes }) => changes ?? []);
  const leftOut = new Set(all.flatMap((each) => each.leftOut));
  const renamed = new Set(all.flatMap((each) => each.renamed.map((pair) => pair.join(" as "))));
  return {
    ...(leftOut.size > 0 && { left_out: [...leftOut].sort().join(", ") }),
    ...(renamed.size > 0 && { renamed: [...renamed].sort().join(", ") }),
    ...(thoughtsOf(ways) === "off" && { thoughts: "off" }),
  };
}
