import { counted } from "../base/text.js";
import { JUDGEMENT_STATES, type Judgement, type JudgementSentence, type JudgementState } from "../verdict/judgement.js";
import type { Inline, NumberCell, Tone } from "./block.js";
import { numberText } from "./number-text.js";

/**
 * Wording of judgements: a word and a sign for each state, the sentences with their numbers, and what reports say of them.
 * Every output takes its words from here.
 */
interface StateWords {
  readonly text: string;
  readonly tone: Tone;
  /** Behind a number. */
  readonly sign: string;
  /** The sign in LaTeX, where letters of all alphabets cannot be taken for granted. */
  readonly latex: string;
  /** All forms of a run in this state, in a sentence. */
  readonly together: (forms: string) => string;
}

const NOT_BOUND = "the model does not bind letters to options";

export const STATE_WORDS: Readonly<Record<JudgementState, StateWords>> = {
  unreadable: {
    text: "unreadable",
    tone: "bad",
    sign: "✗",
    latex: "\\times",
    together: (forms) => `Unreadable on ${forms}: there ${NOT_BOUND}.`,
  },
  barely: {
    text: "barely",
    tone: "warning",
    sign: "~",
    latex: "\\sim",
    together: (forms) => `Barely readable on ${forms}.`,
  },
  at_floor: {
    text: "at floor",
    tone: "warning",
    sign: "=",
    latex: "=",
    together: (forms) => `At the floor on ${forms}: a rule that understands nothing gets as much.`,
  },
  above_floor: {
    text: "above floor",
    tone: "good",
    sign: "✓",
    latex: "\\ast",
    together: (forms) => `Above the floor on ${forms}.`,
  },
  unknown: {
    text: "unknown",
    tone: "plain",
    sign: "?",
    latex: "?",
    together: (forms) => `Unknown on ${forms}.`,
  },
};

/** Legend of the signs behind numbers. */
export const SIGNS_TEXT: string = JUDGEMENT_STATES.map((state) => {
  const { sign, text } = STATE_WORDS[state];
  return `${sign} ${text}`;
}).join(" · ");

/** Above the sentences of a run's forms. */
export const WORTH_QUESTION = "Does the score show comprehension?";

/** Below a table of scores. */
export const WORTH_LEAD =
  "A score shows comprehension only above its floor: it must beat the best rule that answers the same questions " +
  "without any (p < 0.01), from a model whose choices agree over all orders more than guessing explains.";

/** Above the sentences of forms that two runs differ on. */
export const WORTHLESS_DIFFERENCE = "Not above their floor: a difference there says nothing about comprehension.";

/** Beside a form whose answers are unreadable. */
export const NOTHING_SHOWN = "The score says nothing about comprehension.";

/** Beside failures on forms whose answers are unreadable. */
export function unboundText(forms: string): string {
  return `Not to be read as comprehension: on ${forms} ${NOT_BOUND} (agreement no better than guessing).`;
}

/** Beside failures on forms whose agreement was not measured. */
export function maybeUnboundText(forms: string): string {
  return `Whether the model binds letters to options is not known on ${forms} (no agreement measured).`;
}

/** Said of what an ablation took away where answers are unreadable. */
export const NO_TELLING = `no telling, as ${NOT_BOUND}`;

/** The sign behind a score, and the mark before it. */
export function worthOf({ state, mark }: Pick<Judgement, "state" | "mark">): Pick<NumberCell, "judgement" | "badge"> {
  return { judgement: state, ...(mark && { badge: mark }) };
}

/** The sentence of a judgement, its opening in the tone of the state. */
export function judgementParts({ state, sentence }: Pick<Judgement, "state" | "sentence">): Inline[] {
  return [{ kind: "toned", text: sentence.opening, tone: STATE_WORDS[state].tone }, sentence.rest];
}

/** A rule and the share that it gets, 0–1. */
export interface RuleShare {
  readonly rule: string;
  readonly share: number;
}

/** Mean agreement over all orders of the options, of the model and of one that guesses; 0–1. */
interface Agreement {
  readonly agreement: number;
  readonly guessing: number;
}

/** Sentences on forms whose options are chosen from. */
export const CHOICE_SENTENCES = {
  /** @param letter the commonest answer, and its share */
  unreadable: (found: Agreement, letter: { readonly symbol: string; readonly share: number } | null) => {
    const commonest = letter === null ? "" : `; ${letter.symbol} is ${percent(letter.share)} of its answers`;
    return say("unreadable", `${NOT_BOUND} (${agreementText(found)}${commonest})`);
  },
  barely: (found: Agreement) =>
    say("barely readable", `the model hardly binds letters to options (${agreementText(found)})`),
  notAbove: (score: number, floor: RuleShare) =>
    say("at its floor", `${percent(score)} is not above what needs no comprehension: ${ruleText(floor)}`),
  notClearlyAbove: (score: number, floor: RuleShare, test: FloorTest) =>
    say(
      "at its floor",
      `${percent(score)} is not clearly above what needs no comprehension: ${ruleText(floor)} (${testText(test)})`,
    ),
  above: (score: number, floor: RuleShare, test: FloorTest) =>
    say("above its floor", `${percent(score)}, where ${ruleText(floor)} (${testText(test)})`),
  noAgreement: say("unknown", "agreement over all orders was not measured"),
  noFloor: say("unknown", "what is reached without reading was not measured"),
  tooFew: (questions: number, floor: RuleShare) => {
    const of = `${questions} question${questions === 1 ? "" : "s"}`;
    return say("unknown", `on ${of}, of which ${ruleText(floor)}, no score could be told from chance`);
  },
} as const;

/** The test of a score against the best fixed rule. */
interface FloorTest {
  readonly pValue: number;
  /** The rule tested against, where that is not the highest floor. */
  readonly against: RuleShare | null;
}

function testText({ pValue, against }: FloorTest): string {
  return `${pText(pValue)}${against === null ? "" : `; against ${against.rule}, ${percent(against.share)}`}`;
}

function agreementText({ agreement, guessing }: Agreement): string {
  return `agreement ${percent(agreement)}, guessing ${percent(guessing)}`;
}

function ruleText({ rule, share }: RuleShare): string {
  return `the rule ${rule} gets ${percent(share)}`;
}

/** Numbers of a form whose answers are written. */
interface WrittenScore {
  readonly score: number;
  readonly floor: number;
  /** The floor's rule in words, such as `repeating the code unchanged`. */
  readonly rule: string;
}

/** Sentences on forms whose answers are written. */
export const WRITTEN_SENTENCES = {
  noFloor: say("unknown", "no floor was measured"),
  tooFew: (found: WrittenScore) => say("unknown", `too few generations to tell (${writtenText(found)})`),
  notAbove: (found: WrittenScore) => say("at its floor", writtenText(found)),
  above: (found: WrittenScore) => say("above its floor", writtenText(found)),
} as const;

function writtenText({ score, floor, rule }: WrittenScore): string {
  return `exact match ${percent(score)}, ${rule} ${percent(floor)}`;
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

function say(opening: string, rest: string): JudgementSentence {
  return { opening, rest: `: ${rest}` };
}

/** A share 0–1. */
function percent(share: number | null): string {
  return numberText(share, "fraction");
}

/** A p-value in a sentence, such as `p = 0.0312`. */
function pText(pValue: number): string {
  return pValue < 0.0001 ? "p < 0.0001" : `p = ${pValue.toFixed(4)}`;
}
