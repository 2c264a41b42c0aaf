import { z } from "zod";
import { type SequenceReading, sequenceFault, sequenceScores } from "../extraction/sequence-scores.js";
import type { SequenceWay } from "../extraction/way.js";

/** The way to have a raw text scored by TGI: `/generate` with the details of the prompt's tokens. */
export const prefillWay: SequenceWay = {
  name: "TGI /generate, decoder_input_details",
  request: (inputs) => ({
    path: "/generate",
    body: { inputs, parameters: { max_new_tokens: 1, do_sample: false, details: true, decoder_input_details: true } },
  }),
  read: readPrefill,
};

const prefilled = z.looseObject({
  details: z.looseObject({
    prefill: z.array(
      z.looseObject({ id: z.number().int().nullish(), text: z.string(), logprob: z.number().nullish() }),
    ),
  }),
});

/** The prompt's tokens, BOS included; TGI does not tell which token would have been the most probable. */
export function readPrefill(reply: unknown, text: string): SequenceReading {
  const { data } = prefilled.safeParse(reply);
  if (data === undefined || data.details.prefill.length === 0)
    return sequenceFault(
      "reported no log probabilities for the prompt's tokens: it ignores decoder_input_details (TGI 3: start it without prefix caching)",
    );
  const entries = data.details.prefill.map(({ id, text: token, logprob }) => ({
    text: token,
    id: id ?? null,
    logprob: logprob ?? null,
    isGreedy: null,
  }));
  return sequenceScores(entries, text);
}
