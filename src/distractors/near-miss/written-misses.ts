import { z } from "zod";
import type { PromptTemplate } from "../../base/prompt-template.js";
import { normaliseText } from "../../base/text.js";
import type { Triple } from "../../dataset/triple.js";
import { commonStem, fillTemplate } from "../../question/prompt.js";
import { answered, NotBuilt, type Writer } from "../surrogate.js";
import { harmful } from "./harmless.js";
import type { Edit, NearMiss } from "./near-miss.js";
import type { Revision } from "./revision.js";
import { RevisionLines } from "./revision-lines.js";
import { isIntroduced, isOnNew } from "./slips.js";

/** Faults that are asked for: of two that exclude each other only one can be in a square. */
const FAULTS = 8;
/** Room for them and for thoughts before them, in tokens. */
const MAX_TOKENS = 4096;
/** Cost, besides, of a near miss that no model wrote where one has written some. */
const UNWRITTEN = 2.5;
/** Times that faults are asked for, and near misses from which on there are enough. */
const ROUNDS = 2;
const ENOUGH = 3;

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
 * @returns the misses as they are where a prompt is too long for the model, or nothing that it wrote can be used
 * @throws ProbeError `model_unavailable` when the model fails
 */
export async function withWrittenMisses(
  misses: readonly NearMiss[],
  revision: Revision,
  task: WritingTask,
): Promise<readonly NearMiss[]> {
  const held: NearMiss[] = [];
  try {
    for await (const miss of heldMisses(revision, task)) held.push(miss);
  } catch (error) {
    if (!(error instanceof NotBuilt)) throw error;
  }
  return [...held, ...misses.map((miss) => (held.length === 0 ? miss : { ...miss, cost: miss.cost + UNWRITTEN }))];
}

/** Faults as a check holds them: they are asked for again, beside those that are known, where there are too few. */
async function* heldMisses(revision: Revision, task: WritingTask): AsyncGenerator<NearMiss> {
  const shown = { ...commonStem(task.triple), revision: numbered(revision), count: String(FAULTS) };
  const known = new Set<string>();
  let good = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    const rejected = known.size === 0 ? "" : `${REJECTED}\n${[...known].join("\n")}\n`;
    const found = faultsIn(await asked(task.writer.write, { ...shown, rejected }, task));
    const written = harmful(
      found.flatMap((each) => missOf(each, revision) ?? []),
      revision,
    );
    const fresh = new Map(written.map((miss) => [toldEdit(miss, revision), miss]));
    for (const text of known) fresh.delete(text);
    if (fresh.size === 0) break;
    const faults = [...fresh.keys()].map((text, i) => `${i + 1}. ${text}`).join("\n");
    const words = wordsIn(await asked(task.writer.check, { ...shown, faults }, task));
    const held = [...fresh.values()].flatMap((miss, i) => heldAs(miss, words.get(i + 1)) ?? []);
    yield* held;
    good += held.filter(({ cost }) => cost < COST_OF.odd).length;
    if (good >= ENOUGH) break;
    for (const text of fresh.keys()) known.add(text);
  }
}

const REJECTED = "These were written before, and too few of them serve. Write others:";

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

/** Costs of what the check said of a fault: an odd one is taken where there is nothing else. */
const COST_OF = { fault: 0, beside: 0.6, odd: 2.5 } as const;

/** @returns `null` for a fault that could be taken for right, or of which nothing was said */
function heldAs(miss: NearMiss, word = ""): NearMiss | null {
  if (word !== "fault" && word !== "beside" && word !== "odd") return null;
  return { ...miss, cost: COST_OF[word], isAsked: miss.isAsked && word !== "beside" };
}

/** An edit as the check shows it: the lines that it is on, before and after. */
function toldEdit({ edits: [edit] }: NearMiss, { text }: Revision): string {
  const { start, end, to } = edit as Edit;
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const next = text.indexOf("\n", Math.max(start, end - 1));
  const behind = next < 0 ? text.length : next;
  const line = text.slice(0, start).split("\n").length;
  const lines = text.slice(from, start) + to + text.slice(end, Math.max(end, behind));
  return `line ${line}: ${JSON.stringify(text.slice(from, behind))} becomes ${JSON.stringify(lines)}`;
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
