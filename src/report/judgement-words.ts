import { counted } from "../base/text.js";
import { JUDGEMENT_STATES, type Judgement, type JudgementSentence, type JudgementState } from "../verdict/judgement.js";
import type { Rung } from "../verdict/rung.js";
import type { FormKind } from "../verdict/verdict.js";
import type { Inline, NumberCell, Tone } from "./block.js";
import { numberText } from "./number-text.js";

/**
 * Wording of judgements: a word and a sign for each state, the sentences with their numbers, and what reports say of them.
 * Every output takes its words from here; those of written answers stand with their judgement.
 */
interface StateWords {
  readonly text: string;
  readonly tone: Tone;
  /** Behind a number. */
  readonly sign: string;
  /** The sign in LaTeX, where letters of all alphabets cannot be taken for granted. */
  readonly latex: string;
  /** Meaning for who has never seen such a score. */
  readonly plain: string;
  /** The same of forms of a kind of which that would not be true. */
  readonly plainOf?: Partial<Readonly<Record<FormKind, string>>>;
  /** All forms of a run in this state, in a sentence. */
  readonly together: (forms: string) => string;
}

/** Said of a model whose letters follow places. */
export const NOT_BOUND = "the model does not bind letters to options";

export const STATE_WORDS: Readonly<Record<JudgementState, StateWords>> = {
  unreadable: {
    text: "unreadable",
    tone: "bad",
    sign: "✗",
    latex: "\\times",
    plain:
      "its letters follow their places, not what stands there, so the number tells nothing of what it understands.",
    together: (forms) => `Unreadable on ${forms}: there ${NOT_BOUND}.`,
  },
  at_floor: {
    text: "at floor",
    tone: "warning",
    sign: "=",
    latex: "=",
    plain:
      "it is not shown to be better than a rule that never reads the review: nothing shows that it understood one.",
    plainOf: { trial: "it is not shown to be better than an agent that does nothing." },
    together: (forms) => `At the floor on ${forms}: not shown to be above every rule that does not read the review.`,
  },
  matches_words: {
    text: "matches words",
    tone: "warning",
    sign: "≈",
    latex: "\\approx",
    plain: "better than rules that ignore the review; more than matching words is not shown.",
    together: (forms) =>
      `Matches words on ${forms}: above every rule that does not read the review; more than matching words is not shown.`,
  },
  unsteady: {
    text: "unsteady",
    tone: "warning",
    sign: "~",
    latex: "\\sim",
    plain: "it understands the review, but not reliably: with the same options in another order it is wrong.",
    together: (forms) => `Unsteady on ${forms}: it understands; being right under every order is not shown.`,
  },
  above_floor: {
    text: "above floor",
    tone: "good",
    sign: "✓",
    latex: "\\ast",
    plain: "it is right however the options are shuffled, more often than any rule that understands nothing.",
    plainOf: {
      generation: "it is right more often than any rule that understands nothing.",
      trial: "it does better than an agent that does nothing.",
    },
    together: (forms) => `Above the floor on ${forms}.`,
  },
  unknown: {
    text: "unknown",
    tone: "plain",
    sign: "?",
    latex: "?",
    plain: "too few questions to tell its number from luck: ask more.",
    together: (forms) => `Unknown on ${forms}.`,
  },
};

/** Meaning of a judgement for who has never seen one. */
export function plainWords(kind: FormKind, { state, clusters, floor, hasLostOrders }: Judgement): string {
  if (state === "unknown" && clusters === null) return "nothing can be told from its number; its verdict says why.";
  if (state === "unknown" && floor === 1) return NO_ROOM;
  if (state === "unsteady" && hasLostOrders === true) return MAYBE_STEADY;
  const { plain, plainOf } = STATE_WORDS[state];
  return plainOf?.[kind] ?? plain;
}

const NO_ROOM =
  "a rule without understanding is right in all of these questions, so that no score could be above it: only others, " +
  "which it gets wrong, can show more.";
const MAYBE_STEADY =
  "it understands the review; being right under every order is not shown: under another one it is wrong, or gave no " +
  "answer (failed, undecided, not asked), which counts as wrong.";

/** Word in place of a verdict, for a form with something withheld. */
export const CONTROL = "control";

/** Legend of the signs behind numbers. */
export const SIGNS_TEXT: string = JUDGEMENT_STATES.map((state) => {
  const { sign, text } = STATE_WORDS[state];
  return `${sign} ${text}`;
}).join(" · ");

/** Words of the tables of scores, for who meets them first. */
export const SCORE_LEGEND =
  "invariant: right under every order of the options · words fail: the same, of the questions that matching words of the " +
  "review gets wrong (any other option is right 1 time in 3 where there are 4, 1 in 2 where there are 3) · floor: the most that a rule gets on these very questions without reading the review · agreement: how steady the choice is over the orders, whatever it is";

/** Above the sentences of a run's forms. */
export const WORTH_QUESTION = "Does the score show comprehension?";

/** Below a table of scores. */
export const WORTH_LEAD =
  "Comprehension is shown where mean accuracy over the orders of the options is above every rule that answers the same " +
  "questions without any: rules that do not read the review (else: at floor), then rules that match its words (else: " +
  "matches words). Each test is one-sided, p < 0.01, by example. Above floor: being right under every order beats them " +
  "all, too; unsteady: that is not shown.";

/** Below it, where a run was asked until its verdicts were decided. */
export const UNTIL_LEAD =
  "Runs until decided are tested by bets on one example after the other instead (e-processes, which hold whenever one " +
  "looks): each claim is false with a probability of at most 1/300, a verdict, of at most three claims, of 1/100.";

/** Above the sentences of forms that two runs differ on. */
export const WORTHLESS_DIFFERENCE =
  "Not shown to be above every rule without comprehension: a difference there need not be one of comprehension.";

/** Beside a form whose answers are unreadable. */
export const NOTHING_SHOWN = "The score says nothing about comprehension.";

/** Said of what an ablation took away where answers are unreadable. */
export const NO_TELLING = `no telling, as ${NOT_BOUND}`;

/** The sign behind a score, and the mark before it; none for a control. */
export function worthOf(judgement: Judgement | null): Pick<NumberCell, "judgement" | "badge"> {
  if (judgement === null) return {};
  const { state, mark } = judgement;
  return { judgement: state, ...(mark && { badge: mark }) };
}

/** The sentence of a judgement, its opening in the tone of the state. */
export function judgementParts({ state, sentence }: Pick<Judgement, "state" | "sentence">): Inline[] {
  return [{ kind: "toned", text: sentence.opening, tone: STATE_WORDS[state].tone }, sentence.rest];
}

/** Mean agreement over all orders of the options, of the model and of one that guesses; 0–1. */
type Agreement = Readonly<Record<"agreement" | "guessing", number>>;

/** `isOneOrder`: mean accuracy is that of the order that was asked first of each question, drawn at random. */
type Measured = Readonly<Record<"isOneOrder", boolean>>;

/** A control without the review, and the same questions with it; `most`: that it may be without, where orders failed. */
type Needless = Readonly<Record<"with" | "pValue", number>> & { readonly without: Rung; readonly most?: number };

function notHigher({ with: score, pValue, most }: Needless): string {
  const than = most === undefined ? "" : ` than the ${percent(most)} that it may be without, where orders failed`;
  return `with it ${percent(score)} on the same questions, not shown to be higher${than} (${pText(pValue)})`;
}

const UNKNOWN_BINDING = "; whether the model binds letters to options is not known (no agreement measured)";
const NO_READ_RULES = "every rule that does not read the review";

/** Sentences on forms whose options are chosen from. */
export const CHOICE_SENTENCES = {
  /** @param letter the commonest answer, and its share */
  unreadable: (
    { agreement, guessing }: Agreement,
    letter: { readonly symbol: string; readonly share: number } | null,
    rung: Rung | null,
  ) => {
    const commonest = letter === null ? "" : `; ${letter.symbol} is ${percent(letter.share)} of its answers`;
    const mean = rung === null ? "" : `, and mean accuracy ${notAbove(rung, NO_READ_RULES)}`;
    const agreements = `agreement ${percent(agreement)}, guessing ${percent(guessing)}`;
    return say("unreadable", `${NOT_BOUND} (${agreements}${commonest})${mean}`);
  },
  atFloor: (rung: Rung, how: Measured & { readonly isBindingKnown: boolean }) =>
    say(
      "at its floor",
      `${meanText(how)} ${notAbove(rung, NO_READ_RULES)}${how.isBindingKnown ? "" : UNKNOWN_BINDING}`,
    ),
  matchesWords: (noRead: Rung, all: Rung, how: Measured) =>
    say(
      "matches words",
      `${meanText(how)} ${isAbove(noRead, NO_READ_RULES)}, and not shown to be above every rule that matches its words: ` +
        hardestText(all),
    ),
  unneeded: (noRead: Rung, needless: Needless, how: Measured) =>
    say(
      "the review was not needed",
      `${meanText(how)} ${isAbove(noRead, NO_READ_RULES)}, and so is that without the review, ` +
        `${percent(needless.without.score)} (${pText(needless.without.hardest.pValue)}); ${notHigher(needless)}`,
    ),
  /** Behind the sentence of a form that is not above the rules itself, though a control is. */
  besides: ({ opening, rest }: JudgementSentence, needless: Needless): JudgementSentence => ({
    opening,
    rest: `${rest}; without the review ${isAbove(needless.without, NO_READ_RULES)}: ${notHigher(needless)}`,
  }),
  unsteady: (all: Rung, steady: Rung, how: Measured) =>
    say(
      "unsteady",
      `${meanText(how)} ${isAbove(all, "every rule")}, but ${percent(steady.score)} are right under every order, ` +
        `not shown to be above every rule: ${hardestText(steady)}`,
    ),
  above: (steady: Rung) =>
    say(
      "above its floor",
      `${percent(steady.score)} are right under every order, above every rule ${bestText(steady)}`,
    ),
  noAnswer: say("unknown", "nothing was answered"),
  noMean: say("unknown", "mean accuracy was not measured: the first order of each question was not drawn at random"),
  noFloor: say("unknown", "what is reached without reading was not measured"),
  /** @param rule `null`: of so few questions not even guessing could be */
  tooFew: (questions: number, rule: string | null) => {
    const from = rule === null ? "chance" : `the rule ${rule}`;
    return say("too few", `on ${counted(questions, "questions")} no score could be told from ${from}`);
  },
} as const;

function meanText({ isOneOrder }: Measured): string {
  return isOneOrder ? "mean accuracy (one order a question, drawn at random)" : "mean accuracy";
}

/** Such as `55.0 % is above every rule (longest 40.0 %; p = 0.0031 against medoid, 38.0 %)`. */
function isAbove(rung: Rung, kind: string): string {
  return `${percent(rung.score)} is above ${kind} ${bestText(rung)}`;
}

function bestText({ best, hardest }: Rung): string {
  const against = hardest.rule === best.rule ? "" : ` against ${hardest.rule}, ${percent(hardest.share)}`;
  return `(${best.rule} ${percent(best.share)}; ${pText(hardest.pValue)}${against})`;
}

/** Such as `55.0 % is not shown to be above every rule: medoid gets 52.0 % (p = 0.2100)`. */
function notAbove(rung: Rung, kind: string): string {
  return `${percent(rung.score)} is not shown to be above ${kind}: ${hardestText(rung)}`;
}

function hardestText({ hardest: { rule, share, pValue } }: Rung): string {
  return `${rule} gets ${percent(share)} (${pText(pValue)})`;
}

/** Headline of an agent's trials, beside those of the agents that do nothing and that are given the solution. */
interface TrialScore {
  readonly headline: string;
  readonly score: number | null;
  readonly noop: number | null;
  readonly gold: number | null;
}

/** Sentences on trials of agents. */
export const TRIAL_SENTENCES = {
  noScore: (found: TrialScore) => trialSentence(found, "no trial has this score"),
  noFloor: (found: TrialScore) => trialSentence(found, "the floor was not measured: add --controls"),
  isFloor: (found: TrialScore) => trialSentence(found, "this is the floor"),
  tooFew: (found: TrialScore, tasks: number) => trialSentence(found, `too few to tell: ${counted(tasks, "tasks")}`),
  tested: (found: TrialScore, pValue: number): JudgementSentence => ({
    opening: `${trialText(found)}; one-sided p ${numberText(pValue, "pvalue")}`,
    rest: "",
  }),
} as const;

function trialSentence(found: TrialScore, why: string): JudgementSentence {
  return say(trialText(found), why);
}

function trialText({ headline, score, noop, gold }: TrialScore): string {
  return `${headline} ${percent(score)}; floor ${percent(noop)} (noop), ceiling ${percent(gold)} (gold)`;
}

/** On a form without any number. */
export const NOTHING_MEASURED: JudgementSentence = say("unknown", "nothing was measured");

/** A sentence: its opening, a colon, and the rest. */
export function say(opening: string, rest: string): JudgementSentence {
  return { opening, rest: `: ${rest}` };
}

/** A share 0–1. */
export function percent(share: number | null): string {
  return numberText(share, "fraction");
}

/** A p-value in a sentence, such as `p = 0.0312`. */
export function pText(pValue: number): string {
  return pValue < 0.0001 ? "p < 0.0001" : `p = ${pValue.toFixed(4)}`;
}
