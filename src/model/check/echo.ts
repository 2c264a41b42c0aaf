import { z } from "zod";
import type { WireRequest } from "../extraction/way.js";
import { RequestError } from "../http/request-error.js";
import { canaryPrompts } from "./canary.js";
import type { CheckedWay } from "./report.js";

/** The `extraction` of ways that give the log probabilities of a whole text, not of an answer. */
export const SEQUENCE = "sequence";

/** How a server is asked for the log probabilities of a text's own tokens. */
export interface SequenceWay {
  readonly name: string;
  request(text: string): WireRequest;
}

const echoed = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        logprobs: z
          .looseObject({ tokens: z.array(z.string()), token_logprobs: z.array(z.number().nullable()) })
          .nullish(),
      }),
    )
    .min(1),
});

/**
 * Whether a server gives the log probabilities of a text's own tokens when it is asked to (`echo`), or answers all the same
 * with something else, which must never be taken for them.
 */
export async function checkSequence(
  way: SequenceWay,
  ask: (request: WireRequest) => Promise<unknown>,
): Promise<CheckedWay> {
  const row = { way: way.name, extraction: SEQUENCE, measures: null };
  const texts = canaryPrompts().map(({ text }) => text);
  try {
    const [first = "", second = ""] = texts;
    const replies = [readEcho(await ask(way.request(first)), first), readEcho(await ask(way.request(second)), second)];
    const fault = replies.find((reply) => typeof reply === "string") ?? sameNumbersFault(replies);
    if (typeof fault === "string") return { ...row, status: "refused", notes: [fault] };
    return { ...row, status: "works", notes: ["log probabilities of a whole text, for audits"] };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return { ...row, status: "not_offered", notes: [error.message] };
  }
}

/** The log probabilities of the text's tokens, or what came instead. */
function readEcho(reply: unknown, text: string): readonly (number | null)[] | string {
  const logprobs = echoed.safeParse(reply).data?.choices[0]?.logprobs;
  if (logprobs == null) return "reported no log probabilities for the prompt's tokens: it ignores echo";
  // BOS and folded spaces aside, the tokens spell the text.
  const spelled = logprobs.tokens.join("").replace(/\s+/g, "");
  if (!spelled.includes(text.replace(/\s+/g, "").slice(0, 40))) {
    return `reported ${logprobs.tokens.length} tokens that are not the prompt's: it ignores echo`;
  }
  if (logprobs.token_logprobs.slice(1).some((logprob) => logprob === null))
    return "left out the log probabilities of some prompt tokens";
  return logprobs.token_logprobs;
}

function sameNumbersFault(replies: readonly unknown[]): string | null {
  const [first, second] = replies.map((reply) => JSON.stringify(reply));
  return first === second ? "reported the same numbers for different prompts" : null;
}
