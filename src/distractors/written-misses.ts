import type { PromptTemplate } from "../base/prompt-template.js";
import { hash32 } from "../base/random.js";
import type { Triple } from "../dataset/triple.js";
import type { Completion } from "../model/requests.js";
import { commonStem, fillTemplate } from "../question/prompt.js";
import { harmful } from "./near-miss/harmless.js";
import { type NearMiss, nameOf, withMisses } from "./near-miss/near-miss.js";
import type { Revision } from "./near-miss/revision.js";
import { solutionChoices } from "./near-miss/solution-choices.js";
import { type Square, shownIn } from "./near-miss/squares.js";
import { answered, NotBuilt } from "./surrogate.js";
import type { Writer } from "./writer.js";
import { FAULTS, missesIn, numbered, toldEdit } from "./written-faults.js";

/** Reason of a question that is not built: its key is in doubt. */
export const IN_DOUBT = "the writer, asked anew, does not take the revision that was made for right";

/** Near misses that code and review tell that are checked beside them, the best. */
const TOLD = 8;
/** Times that the model is asked to write at most: again where what it holds makes no square. */
const ROUNDS = 3;
/** Squares whose revisions with both faults are checked at a time, the best. */
const SQUARES = 10;
/** Room for faults and for thoughts before them, in tokens. */
const MAX_TOKENS = 8192;

/** What near misses of a revision are written by. */
interface WritingTask {
  readonly triple: Triple;
  readonly writer: Writer;
  readonly seed: number;
  readonly signal: AbortSignal;
}

/**
 * Near misses that a model writes, and those that code and review tell, as far as the model, asked anew and not told which
 * revision was made, neither takes them for right nor holds that hardly anybody would hand them in. It is asked so twice: of
 * revisions with one of them each, then of those with one and with both of the best squares. Where it holds no square, it
 * writes again.
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
  const best = newOnes(sorted, [], revision, task.triple)
    .slice(0, TOLD)
    .map(({ miss }) => miss);
  const shown: ShownMiss[] = [];
  let held: readonly NearMiss[] | null = null;
  let possible: readonly NearMiss[] | null = null;
  for (let round = 1; round <= ROUNDS; round++) {
    const fresh = await freshMisses(round === 1 ? best : [], shown, revision, task);
    // Asked the same again, it would answer the same.
    if (fresh.length === 0) break;
    shown.push(...fresh);
    const next = await heldOf(held, fresh, revision, task);
    if (next === "in doubt") return null;
    if (next.squares === "likely") return next.misses;
    if (next.squares === "possible") possible ??= next.misses;
    held = next.misses;
    if (next.squares === "unanswered") break;
  }
  return possible ?? held ?? told;
}

/** A near miss as a check shows it. */
interface ShownMiss {
  readonly miss: NearMiss;
  /** Diff of the code before and the revision with it. */
  readonly solution: string;
}

/** What a model holds, and the squares in it. */
type Held<T> = { readonly misses: T; readonly squares: "likely" | "possible" | "none" | "unanswered" } | "in doubt";

/** Those that a model writes beside those before, and others that are as new; none where it does not answer. */
async function freshMisses(
  others: readonly NearMiss[],
  before: readonly ShownMiss[],
  revision: Revision,
  task: WritingTask,
): Promise<ShownMiss[]> {
  const reply = await asked(task.writer.write, task, {
    revision: numbered(revision),
    count: String(FAULTS),
    before: before.map(({ miss }) => toldEdit(miss, revision)).join("\n") || "none",
  });
  if (reply === null) return [];
  return newOnes([...harmful(missesIn(reply.text, revision), revision), ...others], before, revision, task.triple);
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

/** Near misses that are held, of those before and new ones. */
async function heldOf(
  before: readonly NearMiss[] | null,
  fresh: readonly ShownMiss[],
  revision: Revision,
  task: WritingTask,
): Promise<Held<readonly NearMiss[] | null>> {
  const said = await verdictsOf(
    fresh.map(({ solution }) => solution),
    revision,
    task,
  );
  if (said === "unanswered") return { misses: before, squares: "unanswered" };
  if (said === "in doubt") return said;
  const held = fresh.flatMap(({ miss, solution }) => heldAs(miss, said(solution), LIKELY) ?? []);
  return heldTogether([...(before ?? []), ...held], revision, task);
}

/**
 * Near misses that are held in the best squares, of revisions with one and with both.
 * @returns without what was turned down, each apart from all with which it makes no square that is held
 */
async function heldTogether(
  misses: readonly NearMiss[],
  revision: Revision,
  task: WritingTask,
): Promise<Held<readonly NearMiss[]>> {
  const choicesOf = (some: readonly NearMiss[]) => solutionChoices(some, revision, task.triple, task.seed);
  const choices = choicesOf(misses);
  if (choices === null) return { misses, squares: "none" };
  const squares = [...new Set([...choices.hard.squares, ...choices.easy.squares])]
    .toSorted((a, b) => a.cost - b.cost)
    .slice(0, SQUARES);
  const wrong = squares.flatMap(({ solutions: [, ...others] }) => others);
  const said = await verdictsOf([...new Set(wrong)], revision, task);
  if (said === "unanswered") return { misses, squares: "unanswered" };
  if (said === "in doubt") return said;
  const possible = squares.filter(({ solutions: [, ...others] }) =>
    others.every((each) => isHeld(said(each), POSSIBLE)),
  );
  const likely = possible.filter(({ solutions: [, a, b] }) => isHeld(said(a), LIKELY) && isHeld(said(b), LIKELY));
  const solutionOf = new Map(
    squares.flatMap(({ misses: [a, b], solutions: [, onlyA, onlyB] }): [NearMiss, string][] => [
      [a, onlyA],
      [b, onlyB],
    ]),
  );
  const heldIn = (held: readonly Square[]) =>
    misses.flatMap((miss) => {
      const solution = solutionOf.get(miss);
      const own = solution === undefined ? miss : heldAs(miss, said(solution), POSSIBLE);
      const partners = held.flatMap(({ misses: pair }) => (pair.includes(miss) ? pair : []));
      return own === null
        ? []
        : [{ ...own, apartFrom: misses.filter((other) => !partners.includes(other)).map(nameOf) }];
    });
  const best = heldIn(likely);
  if (choicesOf(best) !== null) return { misses: best, squares: "likely" };
  const others = heldIn(possible);
  return { misses: others, squares: choicesOf(others) === null ? "none" : "possible" };
}

/**
 * What a model says of revisions, among them the one that was made at a drawn place.
 * @returns the verdict of each; `undefined` where it says nothing of it
 */
async function verdictsOf(
  solutions: readonly string[],
  revision: Revision,
  task: WritingTask,
): Promise<((solution: string) => Verdict | null | undefined) | "unanswered" | "in doubt"> {
  const place = hash32(`check ${task.triple.id} ${solutions.length}`, task.seed) % (solutions.length + 1);
  const candidates = solutions.toSpliced(place, 0, revision.diff.solution);
  const revisions = candidates.map((solution, i) => `${i + 1}.\n${solution}`).join("\n");
  const reply = await asked(task.writer.check, task, { revisions });
  if (reply === null || reply.end === "length") return "unanswered";
  const verdicts = checkIn(reply.text);
  const ofKey = verdicts.get(place + 1);
  if (ofKey === undefined || verdicts.size < candidates.length / 2) return "unanswered";
  if (ofKey !== null) return "in doubt";
  return (solution) => verdicts.get(candidates.indexOf(solution) + 1);
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

/** What a reply to a check says of revisions, by their numbers; `null`: right. Lines that are something else say nothing. */
export function checkIn(reply: string): ReadonlyMap<number, Verdict | null> {
  const verdicts = reply.matchAll(
    /^[^\w\n]*(?:revision )?(\d+)\b[^\w\n]*(?:is )?(?:(right)\b|(beside|fault)\b[^\d\n]*([1-5])\b)/gim,
  );
  return new Map(
    Array.from(verdicts, ([, number, right, word, likelihood]) => [
      Number(number),
      right === undefined ? { isBeside: word?.toLowerCase() === "beside", likelihood: Number(likelihood) } : null,
    ]),
  );
}

/** Least likelihood of a near miss alone. */
const LIKELY = 3;
/** Least likelihood of one in a square, where none is better, and of both at once. */
const POSSIBLE = 2;
/** Costs of a likelihood. */
const COST_OF: Readonly<Record<number, number>> = { 5: 0, 4: 0.2, 3: 0.8, 2: 2 };
/** Cost of what is wrong beside what the review asks for: others defend it more often. */
const COST_BESIDE = 1.5;

/** Tells whether it is not right, and likely enough. */
function isHeld(verdict: Verdict | null | undefined, least: number): verdict is Verdict {
  return verdict != null && verdict.likelihood >= least;
}

function heldAs(miss: NearMiss, verdict: Verdict | null | undefined, least: number): NearMiss | null {
  if (!isHeld(verdict, least)) return null;
  const { isBeside, likelihood } = verdict;
  const cost = (COST_OF[likelihood] ?? 0) + (isBeside ? COST_BESIDE : 0);
  return { ...miss, cost, isAsked: miss.isAsked && !isBeside };
}
