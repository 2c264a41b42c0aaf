import { z } from "zod";
import type { PromptTemplate } from "../../base/prompt-template.js";
import { jsonValue, normaliseText } from "../../base/text.js";
import type { Triple } from "../../dataset/triple.js";
import { commonStem, fillTemplate } from "../../question/prompt.js";
import { lineNumberAt } from "../solution/masked-leaf.js";
import { answered, NotBuilt } from "../surrogate.js";
import type { Writer } from "../writer.js";
import { harmful } from "./harmless.js";
import { lineAround } from "./left-out.js";
import type { Edit, NearMiss } from "./near-miss.js";
import type { Revision } from "./revision.js";
import { RevisionLines } from "./revision-lines.js";
import { isIntroduced, isOnNew } from "./slips.js";

/** Faults that are asked for: of two that exclude each other only one can be in a square. */
const FAULTS = 8;
/** Room for them and for thoughts before them, in tokens. */
const MAX_TOKENS = 8192;
/** Cost, besides, of a near miss that no model wrote where one has written some. */
const UNWRITTEN = 2;

const code = z.string().transform(normaliseText);
const fault = z.object({ line: z.int().positive(), from: code, to: code });
type Fault = z.infer<typeof fault>;

/** What near misses of a revision are written by. */
interface WritingTask {
  readonly triple: Triple;
  readonly writer: Writer;
  readonly seed: number;
  readonly signal: AbortSignal;
}

/**
 * Near misses that a model writes, before those that code and review tell: the best are those that it holds for what
 * somebody could have written when it is asked anew. A fault that does not stand in the revision to the letter, changes
 * nothing, or could be taken for right, is left out.
 * @returns the misses as they are where the model does not answer a prompt, or nothing that it wrote can be used
 * @throws ProbeError `model_unavailable` when the model cannot be reached
 */
export async function withWrittenMisses(
  misses: readonly NearMiss[],
  revision: Revision,
  task: WritingTask,
): Promise<readonly NearMiss[]> {
  try {
    const shown = { ...commonStem(task.triple), revision: numbered(revision) };
    const reply = await asked(task.writer.write, { ...shown, count: String(FAULTS) }, task);
    const written = harmful(
      faultsIn(reply).flatMap((each) => missOf(each, revision) ?? []),
      revision,
    );
    if (written.length === 0) return misses;
    const faults = written.map((miss, i) => `${i + 1}. ${toldEdit(miss, revision)}`).join("\n");
    const words = wordsIn(await asked(task.writer.check, { ...shown, faults }, task));
    const held = written.flatMap((miss, i) => heldAs(miss, words.get(i + 1)) ?? []);
    if (held.length === 0) return misses;
    return [...held, ...misses.map((miss) => ({ ...miss, cost: miss.cost + UNWRITTEN }))];
  } catch (error) {
    if (error instanceof NotBuilt) return misses;
    throw error;
  }
}

async function asked(
  template: PromptTemplate,
  values: Readonly<Record<string, string>>,
  { writer, seed, signal }: WritingTask,
): Promise<string> {
  const prompt = fillTemplate(template, values);
  const request = { prompt, maxTokens: MAX_TOKENS, stop: [], temperature: 0, topK: null, seed };
  return answered(await writer.model.complete(request, signal), "writer").text;
}

/** Word of each fault by its number, in the reply to the check. */
export function wordsIn(reply: string): ReadonlyMap<number, string> {
  const lines = reply.matchAll(/^\W*(\d+)\W+(right|odd|beside|fault)\b/gim);
  return new Map(Array.from(lines, ([, number, word = ""]) => [Number(number), word.toLowerCase()]));
}

/** Costs of what the check said of a fault; none that could be taken for right is one. */
const COST_OF: Readonly<Record<string, number>> = { fault: 0, beside: 0.6, odd: 2 };

function heldAs(miss: NearMiss, word = ""): NearMiss | null {
  const cost = COST_OF[word];
  return cost === undefined ? null : { ...miss, cost, isAsked: miss.isAsked && word !== "beside" };
}

/** An edit as the check shows it: the lines that it is on, before and after. */
function toldEdit({ edits: [edit] }: NearMiss, { text }: Revision): string {
  const { start, end, to } = edit as Edit;
  const from = lineAround(text, start).start;
  const behind = lineAround(text, Math.max(start, end - 1)).end;
  const lines = text.slice(from, start) + to + text.slice(end, Math.max(end, behind));
  return `line ${lineNumberAt(text, start)}: ${JSON.stringify(text.slice(from, behind))} becomes ${JSON.stringify(lines)}`;
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
    const values = jsonValue(text);
    return (Array.isArray(values) ? values : [values]).flatMap((value: unknown) => fault.safeParse(value).data ?? []);
  });
  return [...new Map(found.map((each) => [JSON.stringify(each), each])).values()].slice(0, FAULTS);
}

/** @returns `null` where the fault does not stand in the revision, or stands on its line more than once */
function missOf({ line, from, to }: Fault, revision: Revision): NearMiss | null {
  const edit = editOf(line - 1, from, to, revision);
  if (edit === null) return null;
  const isAsked =
    isIntroduced(revision, edit) ||
    isOnNew(revision, edit) ||
    (edit.start > 0 && isOnNew(revision, { start: edit.start - 1 }));
  return { kind: "written", edits: [edit], isAsked, cost: 0 };
}

function editOf(line: number, from: string, to: string, revision: Revision): Edit | null {
  const lines = new RevisionLines(revision);
  const own = lines.texts[line];
  if (own === undefined || from.trim() === to.trim()) return null;
  if (from === "") return lines.before(line, to.replace(/\n$/, ""));
  if (to === "" && from.trim() === own.trim()) return lines.without(line);
  const start = lines.start(line);
  const behind = revision.text.slice(start);
  const at = behind.indexOf(from);
  if (at < 0 || at > own.length || own.indexOf(from, at + 1) >= 0) return null;
  return { start: start + at, end: start + at + from.length, to };
}
