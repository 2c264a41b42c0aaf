import { cosine } from "../../stats/linear-algebra.js";
import { RequestError } from "../http/request-error.js";
import type { Embedding, TokenScores } from "../requests.js";
import type { WrittenCompletion } from "../wire/completion-reply.js";
import type { WrittenLetter } from "../wire/letter-reply.js";
import {
  completionQuestion,
  embeddingQuestion,
  infillQuestion,
  letterQuestion,
  type Question,
  sequenceQuestion,
  symbolQuestion,
} from "../wire/questions.js";
import type { ReportedPosition } from "../wire/reported-tokens.js";
import type { SequenceReading } from "../wire/sequence-scores.js";
import type { CompletionWay, EmbeddingWay, ExtractionWay, InfillWay, LetterForm, SequenceWay } from "../wire/ways.js";
import { CANARY_SYMBOLS, type CanaryReply, canaryPrompts, examineCanaries } from "./canaries.js";
import type { Ability, Ask, Finding, TriedWay } from "./try-ways.js";

/** Nats by which two servers of one model may differ, a token on average: their batches and processors do. */
const TOLERANCE = 0.25;

type Evidence = readonly CanaryReply[];

/** Note on ways that give a letter alone. */
export const NO_NUMBERS = "no log probabilities: no margin, no symbol mass";

/** Reports the log probabilities of a prompt's next token: all canaries are asked, in order. */
export const SYMBOLS: Ability<ExtractionWay, Evidence> = {
  rowOf: ({ extraction }) => extraction,
  probe: probeSymbols,
  agree: sameNumbers,
  spared: (way, tried) =>
    tried.some((earlier) => showsMore(earlier, way)) ? "a longer list of the same numbers was refused" : null,
  example: (way) => way.request("{prompt}", CANARY_SYMBOLS),
};

/** Questions that a way to written letters is tried with: thoughts are dear. */
const LETTER_QUESTIONS = 2;

/** Writes a letter, and the one that is given away. */
async function probeLetters(
  way: ExtractionWay & { readonly form: LetterForm },
  ask: Ask,
): Promise<Finding<ExtractionWay, Evidence>> {
  const forced = canaryPrompts().filter(({ right }) => right !== null);
  // The second of them, whose letter is another, and one more.
  const asked = forced.slice(1, 1 + LETTER_QUESTIONS);
  let right = 0;
  let tokens = 0;
  for (const canary of asked) {
    const reply = await ask(orOther(letterQuestion(way, canary.text, CANARY_SYMBOLS)));
    // With evidence: it wrote something, though no letter.
    if (reply.status === "other") return { status: "refused", reason: reply.detail, evidence: [] };
    if (reply.status === "failed") return { status: "refused", reason: reply.detail };
    if (reply.symbol === canary.right) right++;
    tokens += reply.completionTokens ?? 0;
  }
  const spent = tokens === 0 ? [] : [`${Math.round(tokens / asked.length)} tokens a letter, thoughts included`];
  const weak = right < asked.length ? [`${right} of ${asked.length} letters that were given away`] : [];
  return { status: "works", notes: [NO_NUMBERS, ...weak, ...spent], evidence: [] };
}

/** A written letter, or the words on what was written in its place. */
function orOther(
  question: Question<WrittenLetter>,
): Question<WrittenLetter | { readonly status: "other"; readonly detail: string }> {
  return {
    ...question,
    read: (reply) => {
      try {
        return question.read(reply);
      } catch (error) {
        if (!(error instanceof RequestError && error.failure === "bad_response" && error.trouble === "permanent"))
          throw error;
        return { status: "other", detail: error.message };
      }
    },
  };
}

async function probeSymbols(way: ExtractionWay, ask: Ask): Promise<Finding<ExtractionWay, Evidence>> {
  const { form } = way;
  if (form !== undefined) return probeLetters({ ...way, form }, ask);
  const evidence: CanaryReply[] = [];
  for (const canary of canaryPrompts())
    evidence.push({ canary, position: await ask(symbolQuestion(way, canary.text, CANARY_SYMBOLS)) });
  const found = examineCanaries(evidence, way);
  return found.status === "works"
    ? { status: "works", notes: found.warnings, measures: found.measures, evidence }
    : { ...found, evidence };
}

/** `true` where the numbers of a list were refused of which `way` would show the beginning: only less that is wrong. */
function showsMore({ way: earlier, finding }: TriedWay<ExtractionWay, Evidence>, way: ExtractionWay): boolean {
  const isSameList = earlier.extraction === way.extraction && !earlier.isGuided && !way.isGuided;
  if (!isSameList || finding?.status !== "refused") return false;
  return (finding.evidence ?? []).some(({ position }) => position !== null);
}

type Replies = readonly { readonly position: ReportedPosition | null }[];

/** `true` where two servers gave the same most probable tokens, about as probable, to the same prompts. */
export function sameNumbers(a: Replies, b: Replies): boolean {
  return a.every(({ position }, i) => {
    const [mine, theirs] = [position?.top[0], b[i]?.position?.top];
    if (mine === undefined || theirs === undefined) return false;
    const match = theirs.find(({ bytes }) => bytes.equals(mine.bytes));
    return match !== undefined && Math.abs(match.logprob - mine.logprob) <= TOLERANCE;
  });
}

type SequenceEvidence = readonly TokenScores[];

/**
 * Gives the log probabilities of a text's own tokens when it is asked to, and does not answer all the same with something
 * else, which must never be taken for them.
 */
export const SEQUENCE: Ability<SequenceWay, SequenceEvidence> = {
  rowOf: () => "sequence",
  probe: probeSequence,
  agree: (mine, theirs) => mine.every((scores, i) => isNear(scores, theirs[i])),
  example: (way) => way.request("{text}"),
};

async function probeSequence(way: SequenceWay, ask: Ask): Promise<Finding<SequenceWay, SequenceEvidence>> {
  const readings: SequenceReading[] = [];
  for (const { text } of canaryPrompts().slice(0, 2)) readings.push(await ask(sequenceQuestion(way, text)));
  const evidence: TokenScores[] = [];
  for (const reading of readings) {
    if (reading.status === "fault") return { status: "refused", reason: reading.fault };
    evidence.push(reading.scores);
  }
  const [mine, theirs] = evidence.map(({ logprobs }) => JSON.stringify(logprobs));
  if (mine === theirs) return { status: "refused", reason: "reported the same numbers for different prompts" };
  const note = "log probabilities of a whole text, for audits";
  if (isTellingGreedy(evidence)) return { status: "works", notes: [note], evidence };
  const notes = [note, "does not tell which token is the most probable: no n-gram accuracy"];
  return { status: "works", notes, evidence, used: withoutGreedy(way) };
}

/** No model finds every word of two prompts the most probable: a server that says so lists the text's tokens alone. */
function isTellingGreedy(scores: SequenceEvidence): boolean {
  const told = scores.flatMap(({ isGreedy }) => isGreedy.slice(1));
  return told.every((isGreedy) => isGreedy !== null) && told.includes(false);
}

/** The same way, where what it says of the most probable token means nothing. */
function withoutGreedy(way: SequenceWay): SequenceWay {
  return {
    ...way,
    read: (reply, text) => {
      const reading = way.read(reply, text);
      if (reading.status === "fault") return reading;
      return { ...reading, scores: { ...reading.scores, isGreedy: reading.scores.isGreedy.map(() => null) } };
    },
  };
}

function isNear({ logprobs: mine }: TokenScores, other: TokenScores | undefined): boolean {
  const theirs = other?.logprobs ?? [];
  if (theirs.length !== mine.length) return false;
  const difference = mine.reduce((sum, logprob, i) => sum + Math.abs((logprob ?? 0) - (theirs[i] ?? 0)), 0);
  return difference <= TOLERANCE * mine.length;
}

/** A few tokens, greedy. */
const TINY = { maxTokens: 8, stop: [], temperature: 0, topK: null, seed: 0 } as const;
/** Limits of an example request. */
const EXAMPLE = { ...TINY, maxTokens: 512 };
const SENTENCE = "The capital of France is the city of";
const GAP = "def add(a, b):\n    return ";
const SUFFIXES = ["\n", "\n\n\ndef subtract(a, b):\n    return a - b\n\n\nassert add(1, 2) == 3\n"] as const;

/** Continues a prompt. The text says nothing of two servers: a near tie may go either way. */
export const COMPLETION: Ability<CompletionWay, null> = {
  rowOf: () => "completion",
  probe: async (way, ask) => {
    // With a text to stop at, as runs ask: some models refuse it by name, and it is cut off here.
    const { text, end } = await ask(completionQuestion(way, { ...TINY, prompt: SENTENCE, stop: ["[/END]"] }));
    // A model that thinks first is not done in a few tokens.
    const isCut = (text ?? "") === "" && end === "length";
    const note = `wrote no text in ${TINY.maxTokens} tokens: it may reason first, and needs room`;
    return { status: "works", notes: isCut ? [note] : [], evidence: null };
  },
  agree: () => true,
  example: (way) => way.request("{prompt}", { ...EXAMPLE, prompt: "{prompt}" }),
};

/** Fills a gap, and does not ignore what comes after it. */
export const INFILL: Ability<InfillWay, null> = {
  rowOf: () => "infill",
  probe: async (way, ask) => {
    const written: WrittenCompletion[] = [];
    for (const suffix of SUFFIXES) written.push(await ask(infillQuestion(way, { ...TINY, prompt: GAP, suffix })));
    const reason = faultOfSuffix(written);
    return reason === null ? { status: "works", notes: [], evidence: null } : { status: "refused", reason };
  },
  agree: () => true,
  example: (way) => way.request({ ...EXAMPLE, prompt: "{prompt}", suffix: "{suffix}" }),
};

/** A longer suffix makes a longer prompt; where the prompt's tokens are not counted, the text must follow the suffix. */
function faultOfSuffix([short, long]: readonly WrittenCompletion[]): string | null {
  const [less, more] = [short?.promptTokens ?? null, long?.promptTokens ?? null];
  if (less !== null && more !== null)
    return more > less
      ? null
      : `counted ${more} prompt tokens with a long suffix and ${less} with a short: it ignores suffix`;
  return short?.text === long?.text ? "wrote the same text whatever comes after the gap: it ignores suffix" : null;
}

const TEXTS = ["return a + b", "The capital of France is Paris."] as const;
/** Cosine, at least, between the vectors that two servers of one model make of one text. */
const LEAST_COSINE = 0.99;

/** Makes vectors that depend on the text. */
export const EMBEDDING: Ability<EmbeddingWay, readonly Embedding[]> = {
  rowOf: () => "embedding",
  probe: async (way, ask) => {
    const evidence: Embedding[] = [];
    for (const text of TEXTS) {
      const embedding = await ask({ ...embeddingQuestion(way, text), read: ({ json }) => way.read(json) });
      if (embedding === null) return { status: "refused", reason: "answered without one vector for the text" };
      evidence.push(embedding);
    }
    const [first = [], second = []] = evidence.map(({ vector }) => vector);
    if (first.length !== second.length)
      return { status: "refused", reason: `made vectors of ${first.length} and of ${second.length} numbers` };
    if (JSON.stringify(first) === JSON.stringify(second))
      return { status: "refused", reason: "made the same vector of different texts" };
    return { status: "works", notes: [`${first.length} numbers`], evidence };
  },
  agree: (mine, theirs) => mine.every(({ vector }, i) => isAlike(vector, theirs[i]?.vector ?? [])),
  example: (way) => way.request("{text}"),
};

function isAlike(mine: readonly number[], theirs: readonly number[]): boolean {
  const areVectors = [mine, theirs].every((vector) => vector.some((value) => value !== 0));
  return areVectors && mine.length === theirs.length && cosine(mine, theirs) >= LEAST_COSINE;
}
