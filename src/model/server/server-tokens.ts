import { errorOfContent } from "../http/request-error.js";
import type { TokenReply, TokenScores } from "../requests.js";
import type { SequenceReading } from "../wire/sequence-scores.js";
import type { SequenceWay } from "../wire/ways.js";
import type { Question, ServerChannel } from "./server-channel.js";

const EMPTY: TokenReply = { status: "scored", tokens: [], ends: [], logprobs: [], isGreedy: [] };

/** Has a raw text scored; an empty one has no tokens, and servers refuse it. */
export async function scoreText(
  channel: ServerChannel,
  way: SequenceWay,
  text: string,
  signal: AbortSignal,
): Promise<TokenReply> {
  signal.throwIfAborted();
  if (text === "") return EMPTY;
  const asked = await channel.ask(scoresQuestion(way, text.toWellFormed()), channel.pick(), signal);
  if (asked.status === "read") return { status: "scored", ...asked.value };
  const { status, failure, detail } = asked;
  return { status, failure, detail };
}

function scoresQuestion(way: SequenceWay, text: string): Question<TokenScores> {
  return {
    ...sequenceQuestion(way, text),
    read: (reply) => {
      const reading = way.read(reply.json, text);
      if (reading.status === "fault") throw errorOfContent(`the server ${reading.fault}`, reply.text);
      return reading.scores;
    },
  };
}

/** Asks for a text's scores, or what comes in their place. */
export function sequenceQuestion(way: SequenceWay, text: string): Question<SequenceReading> {
  return {
    prompt: text,
    kind: "raw",
    request: () => way.request(text),
    read: ({ json }) => way.read(json, text),
  };
}
