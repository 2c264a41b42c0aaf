import { isDeepStrictEqual } from "node:util";
import type { PromptTemplate } from "../base/prompt-template.js";
import { hash32, seededIntegers, shuffled } from "../base/random.js";
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
import {
  type Answer,
  answerIn,
  checkIn,
  FAULTS,
  heldAs,
  LETTERS,
  missesIn,
  numbered,
  toldEdit,
} from "./written-faults.js";

/** Reason of a question that is not built: its key is in doubt. */
export const IN_DOUBT =
  "the writer, asked anew, does not see by review and code that the revision that was made is right";

/** Near misses that code and review tell that are checked beside what is written at a time, the best first. */
const TOLD = 8;
/** Times that the model is asked to write at most: again where what it holds makes no square. */
const ROUNDS = 3;
/** Questions of squares that the model is asked at a time, the best. */
const QUESTIONS = 3;
/** Times that it is asked so at most, until it holds enough. */
const TIMES = 3;
/** Squares that are enough: one of each difficulty. */
const ENOUGH = 2;
/** Cost from which a square is only tried where no other is held: a fault is unlikely, or beside what the review asks for. */
const LAST_RESORT = 2;
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
 * revision was made, neither takes them for right nor holds that nobody would hand them in. Of the best squares of them it
 * is asked the question, one by one, as who is tested would be: those stay that it answers as keyed, and in which it holds
 * no other option for defensible, and none for odd. Where it holds no square, it writes again; in the end it is asked of
 * those with a fault that hardly anybody would make, or beside what the review asks for.
 * @returns the told ones, unchecked, where the model says nothing of the revision; `null` where it does not take the one that
 * was made for right, answers no question, or has to guess
 * @throws ProbeError `model_unavailable` when the model cannot be reached
 */
export async function checkedMisses(
  told: readonly NearMiss[],
  revision: Revision,
  task: WritingTask,
): Promise<readonly NearMiss[] | null> {
  const sorted = told.toSorted((a, b) => a.cost - b.cost);
  const best = newOnes(sorted, [], revision, task.triple).map(({ miss }) => miss);
  const shown: ShownMiss[] = [];
  const questions = new SquareQuestions(revision, task);
  let misses: readonly NearMiss[] | null = null;
  for (let round = 1; round <= ROUNDS; round++) {
    const fresh = await freshMisses(best.splice(0, TOLD), shown, revision, task);
    // Asked the same again, it would answer the same.
    if (fresh.length === 0) break;
    shown.push(...fresh);
    const checked = await checkedOf(fresh, revision, task);
    if (checked === "in doubt") return null;
    if (checked === "unanswered") break;
    misses = [...(misses ?? []), ...checked];
    const held = await questions.heldOf(misses, LAST_RESORT);
    if (held === null || held.length > 0) return held;
  }
  return misses === null ? told : await questions.heldOf(misses);
}

/** A near miss as a check shows it. */
interface ShownMiss {
  readonly miss: NearMiss;
  /** Diff of the code before and the revision with it. */
  readonly solution: string;
}

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

/**
 * Near misses that are not turned down, at the cost that the model's word gives them, of revisions with one of them each
 * and the one that was made, at a drawn place.
 */
async function checkedOf(
  fresh: readonly ShownMiss[],
  revision: Revision,
  task: WritingTask,
): Promise<NearMiss[] | "unanswered" | "in doubt"> {
  const place = hash32(`check ${task.triple.id} ${fresh.length}`, task.seed) % (fresh.length + 1);
  const candidates = fresh.map(({ solution }) => solution).toSpliced(place, 0, revision.diff.solution);
  const revisions = candidates.map((solution, i) => `${i + 1}.\n${solution}`).join("\n");
  const reply = await asked(task.writer.check, task, { revisions });
  if (reply === null || reply.end === "length") return "unanswered";
  const verdicts = checkIn(reply.text);
  const ofKey = verdicts.get(place + 1);
  if (ofKey === undefined || verdicts.size < candidates.length / 2) return "unanswered";
  if (ofKey !== null) return "in doubt";
  return fresh.flatMap(({ miss, solution }) => heldAs(miss, verdicts.get(candidates.indexOf(solution) + 1)) ?? []);
}

/** The answer to a square that is held: of the right revision, the one with a, with b, and with both. */
const HELD: Answer = { words: ["made", "wrong", "wrong", "wrong"], question: "clear" };

/** Questions of squares that a model is asked, and what it said. */
class SquareQuestions {
  readonly #revision: Revision;
  readonly #task: WritingTask;
  /** Squares that it was asked about, by name; `open`: it had to guess. */
  readonly #asked = new Map<string, "held" | "open" | "turned down">();
  /** Near misses that it turned down in a square, by name: no other square is made of them. */
  readonly #turnedDown = new Set<string>();

  constructor(revision: Revision, task: WritingTask) {
    this.#revision = revision;
    this.#task = task;
  }

  /**
   * @param below cost that squares have less of
   * @returns near misses of squares that the model holds, some of the best, each apart from all with which it is in none;
   * `null` where it answers no question, or has to guess at most of them
   */
  async heldOf(misses: readonly NearMiss[], below = Infinity): Promise<readonly NearMiss[] | null> {
    for (let time = 1; ; time++) {
      const squares = this.#squaresOf(misses).filter(({ cost }) => cost < below);
      const held = squares.filter(({ misses: pair }) => this.#asked.get(pairName(pair)) === "held");
      const unasked = squares.filter((square) => !held.includes(square)).slice(0, QUESTIONS);
      if (held.length >= ENOUGH || unasked.length === 0 || time > TIMES) return inSquares(held, misses);
      const said = await Promise.all(unasked.map((square) => this.#answerOf(square)));
      if (this.#asked.size === 0 && said.every((each) => each === null)) return null;
      for (const [i, { misses: pair }] of unasked.entries()) this.#note(pair, said[i] ?? null);
      const guessed = [...this.#asked.values()].filter((each) => each === "open");
      if (guessed.length > this.#asked.size / 2) return null;
    }
  }

  #note(pair: Square["misses"], answer: Answer | null): void {
    const isHeld = isDeepStrictEqual(answer, HELD);
    this.#asked.set(pairName(pair), isHeld ? "held" : answer?.question === "open" ? "open" : "turned down");
    const turnedDown = answer === null ? [] : pair.filter((_, k) => answer.words[k + 1] !== "wrong");
    for (const miss of turnedDown) this.#turnedDown.add(nameOf(miss));
  }

  /** Those that it may hold, the best of both difficulties in turn. */
  #squaresOf(misses: readonly NearMiss[]): Square[] {
    const { triple, seed } = this.#task;
    const left = misses.filter((miss) => !this.#turnedDown.has(nameOf(miss)));
    const isTurnedDown = (one: NearMiss, other: NearMiss) =>
      (this.#asked.get(pairName([one, other])) ?? "held") !== "held";
    const apart = left.map((miss) => ({
      ...miss,
      apartFrom: left.filter((other) => isTurnedDown(miss, other)).map(nameOf),
    }));
    const choices = solutionChoices(apart, this.#revision, triple, seed);
    if (choices === null) return [];
    const { hard, easy } = choices;
    return [
      ...new Set([...hard.squares.flatMap((square, i) => [square, ...easy.squares.slice(i, i + 1)]), ...easy.squares]),
    ];
  }

  /** The model's answer, its words in the order of the square's solutions; `null` where it gives none. */
  async #answerOf({ misses, solutions }: Square): Promise<Answer | null> {
    const { triple, seed, writer } = this.#task;
    const order = shuffled(solutions, seededIntegers(hash32(`${triple.id} ${pairName(misses)}`, seed)));
    const revisions = order.map((solution, i) => `${LETTERS[i]}.\n${solution}`).join("\n");
    const reply = await asked(writer.question, this.#task, { revisions });
    const answer = reply === null || reply.end === "length" ? null : answerIn(reply.text);
    return answer && { ...answer, words: solutions.map((solution) => answer.words[order.indexOf(solution)] ?? "") };
  }
}

/** Name of a square, whichever of the two comes first. */
function pairName(pair: readonly [NearMiss, NearMiss]): string {
  return pair.map(nameOf).sort().join("\n\n");
}

/** Near misses that stand in squares, each apart from all with which it stands in none. */
function inSquares(squares: readonly Square[], misses: readonly NearMiss[]): NearMiss[] {
  return misses.flatMap((miss) => {
    const name = nameOf(miss);
    const partners = squares.flatMap(({ misses: pair }) => {
      const names = pair.map(nameOf);
      return names.includes(name) ? names : [];
    });
    const apartFrom = misses.map(nameOf).filter((other) => !partners.includes(other));
    return partners.length === 0 ? [] : [{ ...miss, apartFrom }];
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
