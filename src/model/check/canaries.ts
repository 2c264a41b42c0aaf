import { type ChoiceSymbol, symbolsFor } from "../../base/symbol.js";
import { faultOfNumbers, type ReportedPosition, scoreSymbols, symbolOfToken } from "../wire/reported-tokens.js";
import type { CanaryMeasures } from "./check-report.js";

/** A question whose answer is known, by which a server shows whether it reports what it should. */
export interface CanaryPrompt {
  readonly text: string;
  /** The symbol a model that reads the prompt gives; `null` where no symbol answers it. */
  readonly right: ChoiceSymbol | null;
  /** Prompts with the same name are the same text. */
  readonly name: string;
}

const OPTIONS = ["the first", "the second", "the third", "the fourth"];

/** The symbols of a canary: as many as there are options in most probes. */
export const CANARY_SYMBOLS = symbolsFor(OPTIONS.length);

/** A question in the form of the paper's prompts, with the answer given away. */
function forced(right: ChoiceSymbol): CanaryPrompt {
  const lines = [
    "",
    "### The following is a multiple choice question (with answers). ",
    `Question: The right answer to this question is the letter ${right}. Which answer is right?`,
    "### Possible answers:",
    ...CANARY_SYMBOLS.map((symbol, i) => `${symbol}. ${OPTIONS[i] ?? ""}`),
    "### Answer with the letter symbol only. Answer:",
    "",
  ];
  return { text: lines.join("\n"), right, name: `forced ${right}` };
}

/**
 * Four forced questions whose right letter moves, the first of them again, and a sentence that no letter continues: the
 * first show that the numbers follow the prompt, the second that they repeat, the third what masking does to them.
 */
export function canaryPrompts(): readonly CanaryPrompt[] {
  const first = CANARY_SYMBOLS.slice(0, 1).map(forced);
  const free: CanaryPrompt = { text: "The capital of France is the city of", right: null, name: "free" };
  return [...CANARY_SYMBOLS.map(forced), ...first, free];
}

/** A canary, and the report of a server for it; `null`: no log probabilities. */
export interface CanaryReply {
  readonly canary: CanaryPrompt;
  readonly position: ReportedPosition | null;
}

export type CanaryFinding =
  | { readonly status: "works"; readonly measures: CanaryMeasures; readonly warnings: readonly string[] }
  | { readonly status: "refused"; readonly reason: string };

interface ExaminedList {
  /** Tokens asked for; `Infinity`: the symbols' own, by name. */
  readonly listLength: number;
  /** `true` where the answer was restricted to the symbols. */
  readonly isGuided: boolean;
}

const REPEAT_WARNING = 0.01;
const REPEAT_LIMIT = 0.5;
/** Nats by which a server's caches and batches move the numbers of one prompt (measured: 4e-6). */
const NOISE = 1e-4;
const LOW_MASS = 0.05;

/**
 * Examines the numbers that a server reports: they work where they are the log probabilities of the prompt's next token
 * (spec §4.2). They are there, they are logarithms of probabilities, they name the symbols, they follow the prompt, they
 * repeat with it, and where the answer is restricted, the restriction works and has not been applied to the numbers.
 */
export function examineCanaries(replies: readonly CanaryReply[], options: ExaminedList): CanaryFinding {
  const missing = replies.filter(({ position }) => position === null || position.top.length === 0).length;
  if (missing > 0)
    return refused(
      `reported no log probabilities, or null among them, in ${missing} of ${replies.length} replies: it ignores the request for them`,
    );
  const known = replies.flatMap(({ canary, position }) => (position === null ? [] : [{ canary, position }]));
  const fault =
    faultOfAll(known) ??
    (options.isGuided ? faultOfGuidance(known) : null) ??
    (options.listLength === Number.POSITIVE_INFINITY ? faultOfNaming(known) : null) ??
    faultOfSymbols(known);
  return fault === null ? measure(known, options) : refused(fault);
}

interface KnownReply {
  readonly canary: CanaryPrompt;
  readonly position: ReportedPosition;
}

function refused(reason: string): CanaryFinding {
  return { status: "refused", reason };
}

function faultOfAll(replies: readonly KnownReply[]): string | null {
  for (const { position } of replies) {
    const fault = faultOfNumbers(position);
    if (fault !== null) return fault;
  }
  // The rest of a distribution after a token was chosen from it.
  const isCertain = replies.every(({ position: { top } }) => top.length === 1 && top[0]?.logprob === 0);
  return isCertain ? "reported the chosen token alone, as certain: numbers from after sampling" : null;
}

function faultOfGuidance(replies: readonly KnownReply[]): string | null {
  for (const { canary, position } of replies) {
    if (position.sampled !== null && symbolOfToken(position.sampled, CANARY_SYMBOLS) === null) {
      return `answered ${show(position.sampled.bytes)} where only ${CANARY_SYMBOLS.join(", ")} were allowed: it ignores the restriction`;
    }
    if (canary.right !== null) continue;
    const letters = position.top.filter((token) => symbolOfToken(token, CANARY_SYMBOLS) !== null);
    const mass = letters.reduce((sum, { logprob }) => sum + Math.exp(logprob), 0);
    // On a sentence that no letter continues, letters that share all the probability are what a mask left.
    if (mass > 0.999)
      return "reports probabilities after the mask (the letters share all of it where none fits): their true mass is lost";
  }
  return null;
}

/** A server that was asked for the symbols' own tokens reports every symbol, however improbable. */
function faultOfNaming(replies: readonly KnownReply[]): string | null {
  const isWhole = replies.every(({ position }) => {
    const named = new Set(position.top.map((token) => symbolOfToken(token, CANARY_SYMBOLS)));
    return CANARY_SYMBOLS.every((symbol) => named.has(symbol));
  });
  return isWhole ? null : "did not report the tokens it was asked for by id: it ignores which were asked for";
}

function faultOfSymbols(replies: readonly KnownReply[]): string | null {
  const forced = replies.filter(({ canary }) => canary.right !== null);
  const named = forced.filter(({ position }) =>
    position.top.some((token) => symbolOfToken(token, CANARY_SYMBOLS) !== null),
  );
  if (named.length > 0) return null;
  const seen = forced[0]?.position.top.slice(0, 3).map(({ bytes }) => show(bytes)) ?? [];
  return (
    `named none of ${CANARY_SYMBOLS.join(", ")} among the first tokens (but ${seen.join(", ")}): the chat template or a reasoning ` +
    "prefix takes the answer's place"
  );
}

function show(bytes: Buffer): string {
  return JSON.stringify(bytes.toString("utf8"));
}

function measure(replies: readonly KnownReply[], options: ExaminedList): CanaryFinding {
  const tables = replies.map(({ canary, position }) => ({ canary, numbers: numbersOf(position, options), position }));
  const forced = tables.filter(({ canary }) => canary.right !== null);
  const first = forced[0];
  if (first === undefined) throw new RangeError(`Expected replies to ${canaryPrompts().length} canaries.`);
  const again = forced.filter(({ canary }) => canary.name === first.canary.name);
  const different = [...new Map(forced.map((table) => [table.canary.name, table])).values()];
  const others = different.filter(({ canary }) => canary.name !== first.canary.name);
  const movement = Math.max(...others.map((table) => largestDifference(first.position, table.position)));
  const repeatDifference = Math.max(...again.map((table) => largestDifference(first.position, table.position)));
  // Numbers that move no more with the prompt than without it do not follow it.
  if (movement <= Math.max(NOISE, Math.min(repeatDifference, REPEAT_LIMIT)))
    return refused("reported the same numbers for different prompts: they do not depend on the prompt");
  if (repeatDifference > REPEAT_LIMIT) {
    return refused(
      `reported numbers that differ by ${repeatDifference.toFixed(2)} nats when the same prompt is asked twice`,
    );
  }
  const right = different.filter(({ canary, numbers }) => best(numbers) === canary.right).length;
  const symbolMass = different.reduce((sum, { numbers }) => sum + massOfNumbers(numbers), 0) / different.length;
  const measures = { right, symbolMass, repeatDifference };
  return { status: "works", measures, warnings: warningsOf(measures, different.length) };
}

function warningsOf({ right, symbolMass, repeatDifference }: CanaryMeasures, asked: number): string[] {
  return [
    ...(right <= 1 ? [`weak: ${right} of ${asked} questions that give their answer away were answered rightly`] : []),
    ...(symbolMass < LOW_MASS ? [`wants to answer with a letter in ${(symbolMass * 100).toFixed(2)} % only`] : []),
    ...(repeatDifference > REPEAT_WARNING
      ? [`the same prompt differs by up to ${repeatDifference.toFixed(3)} nats`]
      : []),
  ];
}

type Numbers = ReadonlyMap<ChoiceSymbol, number>;

function numbersOf(position: ReportedPosition, { listLength }: ExaminedList): Numbers {
  const scores = scoreSymbols(position, CANARY_SYMBOLS, listLength);
  return new Map([...scores].flatMap(([symbol, score]) => (score.status === "known" ? [[symbol, score.logprob]] : [])));
}

function best(numbers: Numbers): ChoiceSymbol | null {
  return [...numbers].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}

function massOfNumbers(numbers: Numbers): number {
  return [...numbers.values()].reduce((mass, logprob) => mass + Math.exp(logprob), 0);
}

/** Largest difference between two reports over what both name; infinite when they name nothing in common. */
function largestDifference(a: ReportedPosition, b: ReportedPosition): number {
  const [mine, theirs] = [byBytes(a), byBytes(b)];
  let largest: number | null = null;
  for (const [bytes, logprob] of mine) {
    const match = theirs.get(bytes);
    if (match !== undefined) largest = Math.max(largest ?? 0, Math.abs(match - logprob));
  }
  return largest ?? Number.POSITIVE_INFINITY;
}

/** The best log probability of each text: a vocabulary may hold several tokens that decode to the same bytes. */
function byBytes({ top }: ReportedPosition): Map<string, number> {
  const best = new Map<string, number>();
  for (const { bytes, logprob } of top) {
    const key = bytes.toString("hex");
    best.set(key, Math.max(best.get(key) ?? Number.NEGATIVE_INFINITY, logprob));
  }
  return best;
}
