import { z } from "zod";
import { type ReportedEntry, type SequenceReading, sequenceFault, sequenceScores } from "../wire/sequence-scores.js";
import type { SequenceWay } from "../wire/ways.js";
import type { ServerFacts } from "./openai-server.js";

interface SequenceWayOptions {
  readonly model: string;
  readonly server: ServerFacts;
}

/**
 * The ways to have a raw text scored by legacy completions, best first: vLLM's `prompt_logprobs`, which tells each
 * token's rank, or `echo`. Both also generate one token, since not every server takes `max_tokens: 0`.
 */
export function sequenceWays({ model, server }: SequenceWayOptions): SequenceWay[] {
  return [...(server.kind === "vllm" ? [promptLogprobsWay(model)] : []), echoWay(model)];
}

function promptLogprobsWay(model: string): SequenceWay {
  return {
    name: "prompt_logprobs",
    request: (prompt) => ({
      path: "/completions",
      body: { model, prompt, max_tokens: 1, temperature: 0, prompt_logprobs: 0, return_token_ids: true },
    }),
    read: readPromptLogprobs,
  };
}

function echoWay(model: string): SequenceWay {
  return {
    name: "echo",
    request: (prompt) => ({
      path: "/completions",
      body: { model, prompt, max_tokens: 1, temperature: 0, logprobs: 1, echo: true },
    }),
    read: readEcho,
  };
}

const listed = z.looseObject({
  logprob: z.number().nullable(),
  rank: z.number().int().nullish(),
  decoded_token: z.string().nullish(),
});
const promptLogprobs = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        prompt_logprobs: z.array(z.record(z.string(), listed).nullable()).nullish(),
        prompt_token_ids: z.array(z.number().int()).nullish(),
      }),
    )
    .min(1),
});

/** A map for each prompt token, of that token alone; `null` for the first, be it BOS or the text's own. */
export function readPromptLogprobs(reply: unknown, text: string): SequenceReading {
  const parsed = promptLogprobs.safeParse(reply);
  if (!parsed.success) return sequenceFault("reported prompt_logprobs in another shape than vLLM's");
  const [choice] = parsed.data.choices;
  const places = choice?.prompt_logprobs;
  if (places == null)
    return sequenceFault("reported no log probabilities for the prompt's tokens: it ignores prompt_logprobs");
  const ids = choice?.prompt_token_ids;
  const idAt = (i: number) => (ids?.length === places.length ? (ids[i] ?? null) : null);
  const entries: ReportedEntry[] = [];
  for (const [i, place] of places.entries()) {
    const [only, ...more] = Object.entries(place ?? {});
    if (place !== null && (only === undefined || more.length > 0))
      return sequenceFault(
        `reported ${more.length + (only ? 1 : 0)} tokens for place ${i + 1}, where the prompt has one`,
      );
    entries.push(only === undefined ? { ...UNNAMED, id: idAt(i) } : entryOf(only, idAt(i)));
  }
  return sequenceScores(entries, text);
}

const UNNAMED: ReportedEntry = { text: null, id: null, logprob: null, isGreedy: null };

function entryOf([key, { logprob, rank, decoded_token }]: [string, z.infer<typeof listed>], id: number | null) {
  const named = /^\d+$/.test(key) ? Number(key) : null;
  return { text: decoded_token ?? null, id: id ?? named, logprob, isGreedy: rank == null ? null : rank === 1 };
}

const echoed = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        logprobs: z
          .looseObject({
            tokens: z.array(z.string()),
            token_logprobs: z.array(z.number().nullable()),
            top_logprobs: z.array(z.record(z.string(), z.number().nullable()).nullable()).nullish(),
          })
          .nullish(),
      }),
    )
    .min(1),
  usage: z.looseObject({ completion_tokens: z.number().int().nonnegative().nullish() }).nullish(),
});

/** The prompt's tokens and, after them, those that were generated. */
export function readEcho(reply: unknown, text: string): SequenceReading {
  const { data } = echoed.safeParse(reply);
  const logprobs = data?.choices[0]?.logprobs;
  if (data === undefined || logprobs == null)
    return sequenceFault("reported no log probabilities for the prompt's tokens: it ignores echo");
  const { tokens, token_logprobs: numbers, top_logprobs: tops } = logprobs;
  if (tokens.length !== numbers.length)
    return sequenceFault(`reported ${tokens.length} tokens and ${numbers.length} log probabilities`);
  const entries = tokens.map((token, i): ReportedEntry => {
    const logprob = numbers[i] ?? null;
    return { text: token, id: null, logprob, isGreedy: isBest(logprob, tops?.[i]) };
  });
  const generated = data.usage?.completion_tokens ?? 1;
  if (tokens.length <= generated) return sequenceFault("reported no token of the prompt: it ignores echo");
  // Generated tokens are listed as a rule; a server may leave the end of the text out of the list.
  const reading = sequenceScores(entries.slice(0, entries.length - generated), text);
  const whole = reading.status === "fault" ? sequenceScores(entries, text) : reading;
  return whole.status === "read" ? whole : reading;
}

/** `true` where no listed token is more probable; `null` where none is listed. */
function isBest(
  logprob: number | null,
  top: Readonly<Record<string, number | null>> | null | undefined,
): boolean | null {
  const others = Object.values(top ?? {}).filter((other) => other !== null);
  return logprob === null || others.length === 0 ? null : logprob >= Math.max(...others);
}
