import { parsePythonJson, pythonStrip, pythonText } from "../../base/python-json.js";
import type { Workflow } from "./atlas-task.js";

/** Verdict of a released evaluator on a reply. */
export type PublishedVerdict =
  | "YES"
  | "NO"
  /** It reads none. */
  | null
  /** It ends with an error, and with it all that it would say of the trial. */
  | "broken";

/** Beginnings of objects that each released evaluator looks for where a reply does not begin with one, in its order. */
const BEGINNINGS: Readonly<Record<Workflow, readonly string[]>> = {
  qa: ['{"ratings"', '{ "ratings"'],
  rf: ['{"ratings"', '{ "ratings"'],
  tw: ['{"ratings"', '{ "ratings"', '{"answer"', '{ "answer"'],
};

/** Reads a rating as the evaluator of a workflow does. */
export function publishedRating(workflow: Workflow, reply: string): PublishedVerdict {
  const member = memberOf(valueIn(workflow, reply), "ratings");
  // The evaluator of answers looks at the kind of everything, and takes an error for no reply.
  if (member.status !== "there") return workflow === "qa" || member.status === "none" ? null : "broken";
  const { value } = member;
  const [first] = Array.isArray(value) ? value : [];
  if (first === undefined) return null;
  if (!isRecord(first)) return workflow === "qa" ? null : "broken";
  const { status, score } = first;
  return READERS[workflow](status, score);
}

/** Reads whether a manifest is found true, as the evaluator does: nothing but `YES` is. */
export function publishedManifest(reply: string): Exclude<PublishedVerdict, null> {
  const member = memberOf(valueIn("tw", reply), "answer");
  if (member.status === "broken") return "broken";
  return member.status === "there" && member.value === "YES" ? "YES" : "NO";
}

type Member = { readonly status: "there"; readonly value: unknown } | { readonly status: "none" | "broken" };

/** A member of what should be an object: Python asks a list or a text whether the name is in it, and a number not at all. */
function memberOf(value: unknown, name: string): Member {
  if (isRecord(value)) return Object.hasOwn(value, name) ? { status: "there", value: value[name] } : { status: "none" };
  if (isFalsy(value)) return { status: "none" };
  if (typeof value === "string" || Array.isArray(value)) return { status: value.includes(name) ? "broken" : "none" };
  return { status: "broken" };
}

/** Values that Python takes for false; `undefined`: the reply is no JSON. */
function isFalsy(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === false ||
    value === "" ||
    /^-?0(?:\.0)?$/.test(pythonText(value)) ||
    (Array.isArray(value) && value.length === 0)
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function valueIn(workflow: Workflow, reply: string): unknown {
  try {
    return parsePythonJson(objectText(reply, BEGINNINGS[workflow]));
  } catch {
    return undefined;
  }
}

/** Text between code fences, else the reply; of it what begins with an object, counted by braces, those in texts too. */
function objectText(reply: string, beginnings: readonly string[]): string {
  const text = fencedText(pythonStrip(reply));
  if (text.startsWith("{")) return text;
  const start = beginnings.map((beginning) => text.indexOf(beginning)).find((place) => place !== -1);
  if (start === undefined) return text;
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === "{") depth++;
    else if (text[at] === "}") depth--;
    if (depth === 0) return text.slice(start, at + 1);
  }
  return text.slice(start);
}

const FENCE = "```json";

function fencedText(text: string): string {
  const start = text.indexOf(FENCE);
  const end = start === -1 ? -1 : text.indexOf("```", start + FENCE.length);
  return end === -1 ? text : pythonStrip(text.slice(start + FENCE.length, end));
}

type Reader = (status: unknown, score: unknown) => PublishedVerdict;

/** Verdict of each evaluator by a rating's status and score. */
const READERS: Readonly<Record<Workflow, Reader>> = {
  qa: (status, score) =>
    spelled(status, ["YES", "Y", "TRUE", "1"], ["NO", "N", "FALSE", "0"]) ??
    spelled(score, ["1", "1.0", "YES", "TRUE"], ["0", "0.0", "NO", "FALSE"]),
  tw: (status, score) => (spelled(status, ["YES"], ["NO"]) === null ? null : spelled(score, ["1"], ["0"])),
  rf: (status) => spelled(status, ["YES"], ["NO"]),
};

function spelled(value: unknown, yes: readonly string[], no: readonly string[]): "YES" | "NO" | null {
  if (value === undefined || value === null) return null;
  const text = pythonStrip(pythonText(value)).toUpperCase();
  return yes.includes(text) ? "YES" : no.includes(text) ? "NO" : null;
}
