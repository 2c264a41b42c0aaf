import { cosine } from "../../stats/linear-algebra.js";
import type { Embedding, TokenScores } from "../requests.js";
import { completionQuestion, infillQuestion } from "../server/server-completions.js";
import { embeddingQuestion } from "../server/server-embeddings.js";
import { sequenceQuestion } from "../server/server-tokens.js";
import type { WrittenCompletion } from "../wire/completion-reply.js";
import type { SequenceReading } from "../wire/sequence-scores.js";
import type { CompletionWay, EmbeddingWay, InfillWay, SequenceWay } from "../wire/ways.js";
import { canaryPrompts } from "./canaries.js";
import type { Ability, Ask, Finding } from "./trial.js";

export interface SequenceEvidence {
  readonly scores: readonly TokenScores[];
  /** Whether `isGreedy` means something. */
  readonly tellsGreedy: boolean;
}

/** Mean difference, nats a token, between two servers of one model. */
const TOLERANCE = 0.25;

/**
 * Whether a server gives the log probabilities of a text's own tokens when it is asked to, or answers all the same with
 * something else, which must never be taken for them.
 */
export const SEQUENCE: Ability<SequenceWay, SequenceEvidence> = {
  extraction: "sequence",
  probe: probeSequence,
  agree: (mine, theirs) => mine.scores.every((scores, i) => isNear(scores, theirs.scores[i])),
};

async function probeSequence(way: SequenceWay, ask: Ask): Promise<Finding<SequenceEvidence>> {
  const [first, second] = canaryPrompts();
  if (first === undefined || second === undefined) throw new Error("Expected two canaries.");
  const readings: SequenceReading[] = [];
  for (const { text } of [first, second]) readings.push(await ask(sequenceQuestion(way, text)));
  const scores: TokenScores[] = [];
  for (const reading of readings) {
    if (reading.status === "fault") return { status: "refused", reason: reading.fault };
    scores.push(reading.scores);
  }
  const [mine, theirs] = scores.map(({ logprobs }) => JSON.stringify(logprobs));
  if (mine === theirs) return { status: "refused", reason: "reported the same numbers for different prompts" };
  const tellsGreedy = isTellingGreedy(scores);
  const notes = [
    "log probabilities of a whole text, for audits",
    ...(tellsGreedy ? [] : ["does not tell which token is the most probable: no n-gram accuracy"]),
  ];
  return { status: "works", notes, evidence: { scores, tellsGreedy } };
}

/** No model finds every word of two prompts the most probable: a server that says so lists the text's tokens alone. */
function isTellingGreedy(scores: readonly TokenScores[]): boolean {
  const told = scores.flatMap(({ isGreedy }) => isGreedy.slice(1));
  return told.every((isGreedy) => isGreedy !== null) && told.includes(false);
}

/** The same way, where what it says of the most probable token means nothing. */
export function withoutGreedy(way: SequenceWay): SequenceWay {
  return {
    name: way.name,
    request: (text) => way.request(text),
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
const SENTENCE = "The capital of France is the city of";
const GAP = "def add(a, b):\n    return ";
const SUFFIXES = ["\n", "\n\n\ndef subtract(a, b):\n    return a - b\n\n\nassert add(1, 2) == 3\n"] as const;

/** Whether a server continues a prompt. What it writes says nothing of two servers: a near tie may go either way. */
export const COMPLETION: Ability<CompletionWay, null> = {
  extraction: "completion",
  probe: async (way, ask) => {
    const { text, end } = await ask(completionQuestion(way, { ...TINY, prompt: SENTENCE }));
    // A model that thinks first is not done in a few tokens.
    const isCut = (text ?? "") === "" && end === "length";
    return works([
      ...(isCut ? [`wrote no text in ${TINY.maxTokens} tokens: it may reason first, and needs room`] : []),
    ]);
  },
  agree: () => true,
};

/** Whether a server fills a gap, or ignores what comes after it and continues the text. */
export const INFILL: Ability<InfillWay, null> = {
  extraction: "infill",
  probe: async (way, ask) => {
    const written: WrittenCompletion[] = [];
    for (const suffix of SUFFIXES) written.push(await ask(infillQuestion(way, { ...TINY, prompt: GAP, suffix })));
    const fault = faultOfSuffix(written);
    return fault === null ? works([]) : { status: "refused", reason: fault };
  },
  agree: () => true,
};

function works(notes: readonly string[]): Finding<null> {
  return { status: "works", notes, evidence: null };
}

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
/** Of the vectors that two servers of one model make of one text. */
const LEAST_COSINE = 0.99;

/** Whether a server makes vectors that depend on the text. */
export const EMBEDDING: Ability<EmbeddingWay, readonly Embedding[]> = {
  extraction: "embedding",
  probe: async (way, ask) => {
    const made: Embedding[] = [];
    for (const text of TEXTS) {
      const embedding = await ask({ ...embeddingQuestion(way, text), read: ({ json }) => way.read(json) });
      if (embedding === null) return { status: "refused", reason: "answered without one vector for the text" };
      made.push(embedding);
    }
    const [first, second] = made.map(({ vector }) => vector);
    if (first?.length !== second?.length)
      return { status: "refused", reason: `made vectors of ${first?.length} and of ${second?.length} numbers` };
    if (JSON.stringify(first) === JSON.stringify(second))
      return { status: "refused", reason: "made the same vector of different texts" };
    return { status: "works", notes: [`${first?.length} numbers`], evidence: made };
  },
  agree: (mine, theirs) => mine.every(({ vector }, i) => isAlike(vector, theirs[i]?.vector ?? [])),
};

function isAlike(mine: readonly number[], theirs: readonly number[]): boolean {
  return (
    mine.length === theirs.length && hasDirection(mine) && hasDirection(theirs) && cosine(mine, theirs) >= LEAST_COSINE
  );
}

function hasDirection(vector: readonly number[]): boolean {
  return vector.reduce((sum, value) => sum + value * value, 0) > 0;
}
