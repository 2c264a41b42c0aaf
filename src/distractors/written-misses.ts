import { z } from "zod";
import type { PromptTemplate } from "../base/prompt-template.js";
import { hash32 } from "../base/random.js";
import { jsonValue, normaliseText } from "../base/text.js";
import type { Triple } from "../dataset/triple.js";
import type { Completion } from "../model/requests.js";
import { commonStem, fillTemplate } from "../question/prompt.js";
import { harmful } from "./near-miss/harmless.js";
import { lineAround } from "./near-miss/left-out.js";
import { type Edit, type NearMiss, nameOf, withMisses } from "./near-miss/near-miss.js";
import type { Revision } from "./near-miss/revision.js";
import { RevisionLines } from "./near-miss/revision-lines.js";
import { isIntroduced, isOnNew } from "./near-miss/slips.js";
import { solutionChoices } from "./near-miss/solution-choices.js";
import { shownIn } from "./near-miss/squares.js";
import { lineNumberAt } from "./solution/masked-leaf.js";
import { answered, NotBuilt } from "./surrogate.js";
import type { Writer } from "./writer.js";

/** Reason of a question that is not built: its key is in doubt. */
export const IN_DOUBT = "the writer, asked anew, does not take the revision that was made for right";

/** Faults that are asked for: of two that exclude each other only one can be in a square. */
const FAULTS = 8;
/** Near misses that code and review tell that are checked beside them, the best. */
const TOLD = 8;
/** Times that the model is asked to write at most: again where what it holds makes no square. */
const ROUNDS = 3;
/** Room for faults and for thoughts before them, in tokens. */
const MAX_TOKENS = 8192;

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
 * Near misses that a model writes, and those that code and review tell, as far as the model, asked anew and not told which
 * revision was made, neither takes them for right nor holds that hardly anybody would hand them in; each with those that
 * nobody would make beside it. Where they make no square, it writes again.
 * @returns the told ones where the model answers nothing, or says nothing of the revision; `null` where it does not take
 * the revision that was made for right
 * @throws ProbeError `model_unavailable` when the model cannot be reached
 */
export async function checkedMisses(
  told: readonly NearMiss[],
  revision: Revision,
  task: WritingTask,
): Promise<readonly NearMiss[] | null> {
  const sorted = told.toSorted((a, b) => a.cost - b.cost);
  const best = newOnes(sorted, [], revision, task.triple).slice(0, TOLD);
  const shown: ShownMiss[] = [];
  let held: readonly ShownMiss[] | null = null;
  for (let round = 1; round <= ROUNDS; round++) {
    const written = await writtenMisses(shown, revision, task);
    if (written === null) break;
    const more = round === 1 ? [...written, ...missesOf(best)] : written;
    const fresh = newOnes(more, shown, revision, task.triple);
    // Asked the same again, it would answer the same.
    if (fresh.length === 0) break;
    shown.push(...fresh);
    const checked: Checked = await heldOf(held ?? [], fresh, revision, task);
    if (checked === "in doubt") return null;
    if (checked === "unanswered") break;
    held = checked;
    if (solutionChoices(missesOf(held), revision, task.triple, task.seed) !== null) break;
  }
  return held === null ? told : missesOf(held);
}

/** A near miss as a check shows it. */
interface ShownMiss {
  readonly miss: NearMiss;
  /** Diff of the code before and the revision with it. */
  readonly solution: string;
}

function missesOf(shown: readonly ShownMiss[]): NearMiss[] {
  return shown.map(({ miss }) => miss);
}

/** Those that a model writes beside those before; `null` where it does not answer. */
async function writtenMisses(
  before: readonly ShownMiss[],
  revision: Revision,
  task: WritingTask,
): Promise<NearMiss[] | null> {
  const reply = await asked(task.writer.write, task, {
    revision: numbered(revision),
    count: String(FAULTS),
    before: before.map(({ miss }) => toldEdit(miss, revision)).join("\n") || "none",
  });
  if (reply === null) return null;
  return harmful(
    faultsIn(reply.text).flatMap((each) => missOf(each, revision) ?? []),
    revision,
  );
}

/** Near misses with which the revision parses and changes something, none that is known, each text once, whatever its space. */
function newOnes(
  misses: readonly NearMiss[],
  others: readonly ShownMiss[],
  revision: Revision,
  triple: Triple,
): ShownMiss[] {
  const { text, language } = revision;
  const shown = shownIn(revision, triple);
  // Where depth says something, space alone at the beginning of a line tells two revisions apart.
  const bare = (code: string) => code.replace(language === "python" ? /(?<=\S)[^\S\n]+/g : /\s+/g, "");
  const known = new Set([text, ...others.map(({ miss }) => withMisses(text, [miss]))].map(bare));
  return misses.flatMap((miss) => {
    const faulty = withMisses(text, [miss]);
    const solution = known.has(bare(faulty)) ? null : shown(faulty);
    if (solution === null) return [];
    known.add(bare(faulty));
    return [{ miss, solution }];
  });
}

type Checked = readonly ShownMiss[] | "unanswered" | "in doubt";

/**
 * Those of before, and new ones as a model holds them that is shown revisions with each, and the right one among them at a
 * drawn place.
 */
async function heldOf(
  before: readonly ShownMiss[],
  fresh: readonly ShownMiss[],
  revision: Revision,
  task: WritingTask,
): Promise<Checked> {
  const all = [...fresh, ...before];
  const place = hash32(`check ${task.triple.id}`, task.seed) % (all.length + 1);
  const key = { miss: null, solution: revision.diff.solution };
  const candidates = [...all.slice(0, place), key, ...all.slice(place)];
  const revisions = candidates.map(({ solution }, i) => `${i + 1}.\n${solution}`).join("\n");
  const reply = await asked(task.writer.check, task, { revisions });
  if (reply === null || reply.end === "length") return "unanswered";
  const check = checkIn(reply.text);
  const ofKey = check.verdicts.get(place + 1);
  if (ofKey === undefined || check.verdicts.size < candidates.length / 2) return "unanswered";
  if (ofKey !== null) return "in doubt";
  const apartFrom = (number: number) =>
    check.apart
      .flatMap(([a, b]) => (a === number ? b : b === number ? a : []))
      .flatMap((other) => candidates[other - 1]?.miss ?? [])
      .map(nameOf);
  return all.flatMap(({ miss, solution }, i) => {
    const number = i < place ? i + 1 : i + 2;
    const own = i < fresh.length ? heldAs(miss, check.verdicts.get(number) ?? null) : miss;
    if (own === null) return [];
    return [{ miss: { ...own, apartFrom: [...(own.apartFrom ?? []), ...apartFrom(number)] }, solution }];
  });
}

/** The reply to a prompt; `null` where the model does not answer it. */
async function asked(
  template: PromptTemplate,
  { triple, writer, seed, signal }: WritingTask,
  values: Readonly<Record<string, string>>,
): Promise<Completion | null> {
  const prompt = fillTemplate(template, { ...commonStem(triple), ...values });
  const request = { prompt, maxTokens: MAX_TOKENS, stop: [], temperature: 0, topK: null, seed };
  const reply = await writer.model.complete(request, signal);
  try {
    return answered(reply, "writer");
  } catch (error) {
    if (error instanceof NotBuilt) return null;
    throw error;
  }
}

/** What a check says of a revision that it does not take for right. */
interface Verdict {
  /** Tells whether all that the review asks for is done. */
  readonly isBeside: boolean;
  /** How likely somebody is to hand it in: 5 (every day) to 1 (nobody would). */
  readonly likelihood: number;
}

/** The reply to a check, by the numbers of the revisions. */
interface Check {
  /** `null`: right. */
  readonly verdicts: ReadonlyMap<number, Verdict | null>;
  /** Two whose faults nobody would leave in one revision. */
  readonly apart: readonly (readonly [number, number])[];
}

/** The check in a reply; of lines that are something else it says nothing. */
export function checkIn(reply: string): Check {
  const verdicts = reply.matchAll(
    /^[^\w\n]*(?:revision )?(\d+)\b[^\w\n]*(?:is )?(?:(right)\b|(beside|fault)\b[^\d\n]*([1-5])\b)/gim,
  );
  const apart = reply.matchAll(/(\d+)[^\w\n]+(?:and )?(\d+)[^\w\n]+(?:are )?apart\b/gi);
  return {
    verdicts: new Map(
      Array.from(verdicts, ([, number, right, word, likelihood]) => [
        Number(number),
        right === undefined ? { isBeside: word?.toLowerCase() === "beside", likelihood: Number(likelihood) } : null,
      ]),
    ),
    apart: Array.from(apart, ([, a, b]) => [Number(a), Number(b)]),
  };
}

/** Costs of a likelihood; what hardly anybody would hand in has none. */
const COST_OF: Readonly<Record<number, number>> = { 5: 0, 4: 0.2, 3: 0.8 };
/** Cost of what is wrong beside what the review asks for: others defend it more often. */
const COST_BESIDE = 1.5;

function heldAs(miss: NearMiss, verdict: Verdict | null): NearMiss | null {
  const likely = verdict === null ? undefined : COST_OF[verdict.likelihood];
  if (verdict === null || likely === undefined) return null;
  const { isBeside } = verdict;
  return { ...miss, cost: likely + (isBeside ? COST_BESIDE : 0), isAsked: miss.isAsked && !isBeside };
}

/** A near miss as a prompt tells it: the lines that it is on, before and after. */
function toldEdit(miss: NearMiss, { text }: Revision): string {
  return miss.edits
    .map(({ start, end, to }) => {
      const from = lineAround(text, start).start;
      const behind = lineAround(text, Math.max(start, end - 1)).end;
      const lines = text.slice(from, start) + to + text.slice(end, Math.max(end, behind));
      return `line ${lineNumberAt(text, start)}: ${JSON.stringify(text.slice(from, behind))} becomes ${JSON.stringify(lines)}`;
    })
    .join("; ");
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
