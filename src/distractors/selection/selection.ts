import { setImmediate } from "node:timers/promises";
import { type ChosenQuestion, FittedRules, type SeenOptions } from "./fitted-ranks.js";
import {
  RankBalance,
  type RuleScores,
  type RuleWeights,
  type Standings,
  standardised,
  standingsOf,
} from "./rank-balance.js";

/** Options that a question could have. */
export interface OptionSet {
  /** The right option first; computed when asked for, as there are many sets. */
  readonly scores: () => RuleScores;
  /** Cost of its quality, in the unit of the balance: squared questions. 0 is the best. */
  readonly cost: number;
}

/** A question whose options are to be chosen. */
export interface SelectableQuestion {
  /** Names of the parts of the benchmark that are to be even by themselves; the first is its form. */
  readonly parts: readonly string[];
  /** Number of the fold in which it counts. */
  readonly fold: number;
  readonly sets: readonly OptionSet[];
}

/** Rounds over all questions; there are mostly fewer until no choice changes. */
const MOST_ROUNDS = 8;
/** Times that rules are fitted on what was chosen, and chosen against. */
const MOST_FITS = 6;
const ROUNDS_A_FIT = 3;
/** Fewer questions of a form tell nothing about rules that are fitted. */
const MIN_FITTED = 50;
/** Weight of the ranks under a fitted rule. */
const FITTED_WEIGHT = 6;
const FIRST_RANK_WEIGHT = 8;
const FOLDS = 5;

/** A question under way. */
interface Choice {
  readonly question: SelectableQuestion;
  readonly standings: readonly Standings[];
  readonly seen: readonly SeenOptions[];
  /** By set that was ever entered. */
  readonly scores: Map<number, RuleScores>;
  index: number;
}

/**
 * Adversarial selection (spec §3): one set of options of each question, such that the truth has every rank equally often
 * under each rule, and rules fitted on the other folds find nothing. Each choice is made again, with all others as they
 * are, until none changes; then rules are fitted, their ranks are evened out too, and so on until what they find no
 * longer falls. Deterministic.
 */
export class Selection {
  readonly #rules: RuleWeights;
  #parts = new Map<string, RankBalance>();

  constructor(rules: RuleWeights) {
    this.#rules = rules;
  }

  /**
   * Chooses, beside the questions chosen before, and enters what is chosen. The event loop runs between two questions.
   * @param signal rejects with its reason where it is aborted; nothing is entered then
   * @returns index of the set of each question
   */
  async choose(questions: readonly SelectableQuestion[], signal?: AbortSignal): Promise<number[]> {
    const choices: Choice[] = [];
    for (const question of questions) {
      await nextTurn(signal);
      const scores = question.sets.map((set) => set.scores());
      choices.push({
        question,
        standings: scores.map(standingsOf),
        seen: scores.map(seenOf),
        scores: new Map(),
        index: -1,
      });
    }
    const before = this.#parts;
    this.#parts = new Map([...before].map(([name, part]) => [name, part.copy()]));
    this.#settle(choices, MOST_ROUNDS);
    for (const form of new Set(questions.map(({ parts }) => parts[0]))) {
      this.#againstFits(choices.filter(({ question }) => question.parts[0] === form));
    }
    // Entered anew: what was put in and taken out leaves rounding behind, and a resumed build would choose otherwise.
    this.#parts = before;
    for (const choice of choices) this.enter(choice.question, scoresOf(choice, choice.index));
    return choices.map(({ index }) => index);
  }

  /** Counts a question that was chosen before, as on resuming. */
  enter({ parts }: Pick<SelectableQuestion, "parts">, scores: RuleScores, sign: 1 | -1 = 1): void {
    for (const part of this.#partsOf(parts)) part.add(scores, sign);
  }

  /** Chooses again and again, until no choice changes. */
  #settle(choices: readonly Choice[], rounds: number): void {
    for (let round = 0; round < rounds; round++) {
      let changed = 0;
      for (const choice of choices) {
        const before = choice.index;
        this.#put(choice, -1);
        this.#put(choice, this.#best(choice));
        if (choice.index !== before) changed++;
      }
      if (changed === 0) return;
    }
  }

  /** Chooses against rules that are fitted on what was chosen; the choice under which they find least stays. */
  #againstFits(choices: readonly Choice[]): void {
    if (choices.length < MIN_FITTED) return;
    let best = { found: Number.POSITIVE_INFINITY, indices: choices.map(({ index }) => index) };
    for (let fit = 0; fit < MOST_FITS; fit++) {
      const chosen = choices.map(chosenOf);
      const rules = new FittedRules(chosen, this.#rules.groups, FOLDS);
      const found = rules.found(chosen);
      if (found >= best.found) break;
      best = { found, indices: choices.map(({ index }) => index) };
      // What is found less often than by chance tells as much.
      if (found <= 1 / (chosen[0]?.seen.options ?? 1)) break;
      this.#evenOut(choices, rules);
    }
    for (const [i, choice] of choices.entries()) {
      this.#put(choice, -1);
      this.#put(choice, best.indices[i] ?? 0);
    }
  }

  #evenOut(choices: readonly Choice[], rules: FittedRules): void {
    const ranks = new Map(
      choices.map((choice) => [choice, choice.seen.map((seen) => rules.ranks(seen, choice.question.fold))]),
    );
    const counts = new Float64Array(ranks.get(choices[0] as Choice)?.[0]?.length ?? 0);
    const add = (choice: Choice, sign: number) => {
      const own = ranks.get(choice)?.[choice.index];
      for (let at = 0; at < counts.length; at++) counts[at] = (counts[at] ?? 0) + sign * (own?.[at] ?? 0);
    };
    for (const choice of choices) add(choice, 1);
    const options = choices[0]?.seen[0]?.options ?? 1;
    const fair = choices.length / options;
    for (let round = 0; round < ROUNDS_A_FIT; round++) {
      for (const choice of choices) {
        add(choice, -1);
        this.#put(choice, -1);
        const extra = (index: number) => {
          const own = ranks.get(choice)?.[index];
          let cost = 0;
          for (let at = 0; at < counts.length; at++) {
            const excess = (counts[at] ?? 0) + (own?.[at] ?? 0) - fair;
            cost += (at % options === 0 ? FIRST_RANK_WEIGHT : 1) * excess ** 2;
          }
          return FITTED_WEIGHT * cost;
        };
        this.#put(choice, this.#best(choice, extra));
        add(choice, 1);
      }
    }
  }

  /** Takes the present set of a choice out, and enters another. */
  #put(choice: Choice, index: number): void {
    if (choice.index >= 0) this.enter(choice.question, scoresOf(choice, choice.index), -1);
    if (index >= 0) this.enter(choice.question, scoresOf(choice, index), 1);
    choice.index = index;
  }

  #best(choice: Choice, extra: (index: number) => number = () => 0): number {
    const { question, standings } = choice;
    const balances = this.#partsOf(question.parts);
    let best = { index: 0, cost: Number.POSITIVE_INFINITY };
    for (const [index, own] of standings.entries()) {
      const quality = (question.sets[index]?.cost ?? 0) + extra(index);
      const cost = balances.reduce((sum, part) => sum + part.cost(own), quality);
      if (cost < best.cost) best = { index, cost };
    }
    return best.index;
  }

  #partsOf(names: readonly string[]): RankBalance[] {
    return names.map((name) => {
      const part = this.#parts.get(name) ?? new RankBalance(this.#rules);
      this.#parts.set(name, part);
      return part;
    });
  }
}

function scoresOf({ question, scores }: Choice, index: number): RuleScores {
  const known = scores.get(index) ?? question.sets[index]?.scores() ?? [];
  scores.set(index, known);
  return known;
}

function seenOf(scores: RuleScores): SeenOptions {
  const options = scores[0]?.length ?? 0;
  const values = new Float32Array(options * scores.length);
  for (const [rule, own] of scores.entries()) {
    for (const [option, deviation] of standardised(own).entries()) values[option * scores.length + rule] = deviation;
  }
  return { values, options };
}

function chosenOf({ question: { fold }, seen, index }: Choice): ChosenQuestion {
  return { fold, seen: seen[index] ?? { values: new Float32Array(0), options: 0 } };
}

/** Lets the event loop run; rejects with the signal's reason where it is aborted. */
export async function nextTurn(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}
