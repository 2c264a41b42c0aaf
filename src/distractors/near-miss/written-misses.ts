import { z } from "zod";
import { normaliseText } from "../../base/text.js";
import type { Triple } from "../../dataset/triple.js";
import { commonStem, fillTemplate } from "../../question/prompt.js";
import { answered, NotBuilt, type Writer } from "../surrogate.js";
import type { Edit, NearMiss } from "./near-miss.js";
import type { Revision } from "./revision.js";
import { RevisionLines } from "./revision-lines.js";
import { isIntroduced, isOnNew } from "./slips.js";

/** Faults that are asked for: of two that exclude each other only one can be in a square. */
const FAULTS = 8;
/** Room for them and for thoughts before them, in tokens. */
const MAX_TOKENS = 4096;
/** Cost, besides, of a near miss that no model wrote where one has written some. */
const UNWRITTEN = 2;

const code = z.string().transform(normaliseText);
const fault = z.object({ line: z.int().positive(), from: code, to: code });
type Fault = z.infer<typeof fault>;

/**
 * Near misses that a model writes, before those that code and review tell. What it writes is taken as it takes the
 * revision: a fault that does not stand there to the letter, or changes nothing, is left out.
 * @returns the misses as they are where the prompt is too long for the model, or nothing that it wrote can be used
 * @throws ProbeError `model_unavailable` when the model fails
 */
export async function withWrittenMisses(
  misses: readonly NearMiss[],
  revision: Revision,
  { triple, writer, seed, signal }: { triple: Triple; writer: Writer; seed: number; signal: AbortSignal },
): Promise<readonly NearMiss[]> {
  try {
    const prompt = fillTemplate(writer.template, {
      ...commonStem(triple),
      revision: numbered(revision),
      count: String(FAULTS),
    });
    const request = { prompt, maxTokens: MAX_TOKENS, stop: [], temperature: 0, topK: null, seed };
    const { text } = answered(await writer.model.complete(request, signal), "writer");
    const written = faultsIn(text).flatMap((each) => missOf(each, revision) ?? []);
    if (written.length === 0) return misses;
    return [...written, ...misses.map((miss) => ({ ...miss, cost: miss.cost + UNWRITTEN }))];
  } catch (error) {
    if (error instanceof NotBuilt) return misses;
    throw error;
  }
}

function numbered({ text, isNew }: Revision): string {
  const lines = text.split("\n");
  return lines.map((line, i) => `${i + 1} ${isNew[i] === true ? "+" : " "} ${line}`).join("\n");
}

/** Faults in a reply: JSON objects, one a line or in a list, within other text or without. */
export function faultsIn(reply: string): Fault[] {
  const whole = reply.slice(reply.indexOf("["), reply.lastIndexOf("]") + 1);
  const texts = [whole, ...reply.split("\n").map((line) => line.trim().replace(/^\[|[\],]+$/g, ""))];
  const found = texts.flatMap((text) => {
    const values: unknown = parsed(text);
    return (Array.isArray(values) ? values : [values]).flatMap((value: unknown) => fault.safeParse(value).data ?? []);
  });
  return [...new Map(found.map((each) => [JSON.stringify(each), each])).values()];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** @returns `null` where the fault does not stand in the revision, or stands on its line more than once */
function missOf({ line, from, to }: Fault, revision: Revision): NearMiss | null {
  const edit = editOf(line - 1, from, to, revision);
  if (edit === null) return null;
  const isAsked =
    isIntroduced(revision, edit) || isOnNew(revision, edit) || isOnNew(revision, { start: edit.start - 1 });
  return { kind: "written", edits: [edit], isAsked, cost: 0 };
}

function editOf(line: number, from: string, to: string, revision: Revision): Edit | null {
  const lines = new RevisionLines(revision);
  const own = lines.texts[line];
  if (own === undefined || from === to) return null;
  if (from === "") return lines.before(line, to.replace(/\n$/, ""));
  if (to === "" && from.trim() === own.trim()) return lines.without(line);
  const start = lines.start(line);
  const behind = revision.text.slice(start);
  const at = behind.indexOf(from);
  if (at < 0 || at > own.length || own.indexOf(from, at + 1) >= 0) return null;
  return { start: start + at, end: start + at + from.length, to };
}
