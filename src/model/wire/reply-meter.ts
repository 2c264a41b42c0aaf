import { z } from "zod";

const count = z.number().int().nonnegative().nullish();
const replySchema = z.looseObject({
  usage: z
    .looseObject({
      prompt_tokens: count,
      completion_tokens: count,
      prompt_tokens_details: z.looseObject({ cached_tokens: count }).nullish(),
    })
    .nullish(),
  tokens_evaluated: count,
  tokens_predicted: count,
  timings: z.looseObject({ cache_n: count }).nullish(),
});

/** Prompt tokens, and those of them that came from a cache, where the reply tells. */
export function readMeter(reply: unknown): { promptTokens: number | null; cachedTokens: number | null } {
  const parsed = replySchema.safeParse(reply);
  if (!parsed.success) return { promptTokens: null, cachedTokens: null };
  const { usage, tokens_evaluated: evaluated, timings } = parsed.data;
  return {
    promptTokens: usage?.prompt_tokens ?? evaluated ?? null,
    cachedTokens: usage?.prompt_tokens_details?.cached_tokens ?? timings?.cache_n ?? null,
  };
}

/** Tokens generated, where the reply tells. */
export function readGenerated(reply: unknown): number | null {
  const { data } = replySchema.safeParse(reply);
  return data?.usage?.completion_tokens ?? data?.tokens_predicted ?? null;
}
