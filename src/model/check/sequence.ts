import type { SequenceReading } from "../extraction/sequence-scores.js";
import type { SequenceWay } from "../extraction/way.js";
import type { TokenScores } from "../requests.js";
import { sequenceQuestion } from "../server/server-tokens.js";
import { canaryPrompts } from "./canary.js";
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
