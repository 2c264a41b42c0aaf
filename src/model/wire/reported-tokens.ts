import { z } from "zod";
import { faultOfLogprobs } from "../../base/symbol.js";

/** A token that a server reported, by the bytes it decodes to. */
export interface ReportedToken {
  readonly bytes: Buffer;
  /** Nats. */
  readonly logprob: number;
}

/** Report of a server on the first token after the prompt. */
export interface ReportedPosition {
  /** The token it chose; `null` when it did not say. */
  readonly sampled: ReportedToken | null;
  /** The most probable tokens, best first. */
  readonly top: readonly ReportedToken[];
}

const entry = z.looseObject({
  token: z.string().nullish(),
  tok_str: z.string().nullish(),
  text: z.string().nullish(),
  bytes: z.array(z.number()).nullish(),
  logprob: z.number().nullish(),
});
const chatPosition = entry.extend({ top_logprobs: z.array(entry).nullish() });
const legacyLogprobs = z.looseObject({
  tokens: z.array(z.string()).nullish(),
  token_logprobs: z.array(z.number().nullable()).nullish(),
  top_logprobs: z.array(z.record(z.string(), z.number().nullable()).nullable()).nullish(),
});

const replySchema = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        logprobs: z.union([z.looseObject({ content: z.array(chatPosition) }), legacyLogprobs]).nullish(),
      }),
    )
    .nullish(),
  completion_probabilities: z.array(chatPosition).nullish(),
  details: z.looseObject({ tokens: z.array(entry).nullish(), top_tokens: z.array(z.array(entry)).nullish() }).nullish(),
});

/** Servers write this for "too improbable to say" (OpenAI, vLLM): it is not a log probability. */
const SENTINEL = -9990;

/**
 * Reads the first position of a reply in any of the shapes that servers use: legacy maps and chat-shaped lists of
 * OpenAI's API (either endpoint may answer in either), llama.cpp's own `/completion`, TGI's `details`.
 * @param tokenTexts texts of the tokens that are named by their ids
 * @returns `null` when the reply holds no log probabilities, or a list with gaps
 */
export function readPosition(
  reply: unknown,
  tokenTexts: ReadonlyMap<string, string> = new Map(),
): ReportedPosition | null {
  const position = readNamed(reply);
  if (position === null || tokenTexts.size === 0) return position;
  const named = (token: ReportedToken): ReportedToken => {
    const text = tokenTexts.get(token.bytes.toString("utf8"));
    return text === undefined ? token : { ...token, bytes: Buffer.from(text) };
  };
  return { sampled: position.sampled && named(position.sampled), top: position.top.map(named) };
}

function readNamed(reply: unknown): ReportedPosition | null {
  const parsed = replySchema.safeParse(reply);
  if (!parsed.success) return null;
  const { choices, completion_probabilities: native, details } = parsed.data;
  const logprobs = choices?.[0]?.logprobs;
  if (logprobs != null && "content" in logprobs && Array.isArray(logprobs.content)) {
    return fromChat(logprobs.content[0] as z.infer<typeof chatPosition> | undefined);
  }
  if (logprobs != null) return fromLegacy(logprobs as z.infer<typeof legacyLogprobs>);
  if (native != null) return fromChat(native[0]);
  if (details != null) return fromTgi(details.tokens?.[0], details.top_tokens?.[0]);
  return null;
}

function fromChat(position: z.infer<typeof chatPosition> | undefined): ReportedPosition | null {
  if (position === undefined) return null;
  return positionOf(toToken(position), position.top_logprobs ?? []);
}

function fromLegacy(logprobs: z.infer<typeof legacyLogprobs>): ReportedPosition | null {
  const [text] = logprobs.tokens ?? [];
  const [logprob] = logprobs.token_logprobs ?? [];
  const top = Object.entries(logprobs.top_logprobs?.[0] ?? {}).map(([token, value]) => ({ token, logprob: value }));
  return positionOf(text === undefined ? null : toToken({ token: text, logprob: logprob ?? null }), top);
}

function fromTgi(
  sampled: z.infer<typeof entry> | undefined,
  top: z.infer<typeof entry>[] | undefined,
): ReportedPosition | null {
  return positionOf(sampled === undefined ? null : toToken(sampled), top ?? []);
}

/**
 * A position without a single number says nothing. A token listed without its number (a NaN that became null) leaves a
 * gap: it may be more probable than the last of the list, so nothing unreported is bounded by that.
 */
function positionOf(sampled: ReportedToken | null, top: readonly z.infer<typeof entry>[]): ReportedPosition | null {
  if (top.some(({ logprob }) => logprob == null)) return null;
  const reported = top
    .map(toToken)
    .filter((token) => token !== null)
    .sort((a, b) => b.logprob - a.logprob);
  return reported.length === 0 && sampled === null ? null : { sampled, top: reported };
}

function toToken(value: z.infer<typeof entry>): ReportedToken | null {
  const text = value.token ?? value.tok_str ?? value.text;
  if (value.logprob == null || value.logprob <= SENTINEL || (text == null && value.bytes == null)) return null;
  // `bytes` is what the token decodes to; the text may be cut or stripped.
  const bytes = value.bytes == null || value.bytes.length === 0 ? Buffer.from(text ?? "") : Buffer.from(value.bytes);
  return { bytes, logprob: value.logprob };
}

/**
 * Fault that keeps the numbers of a position from being log probabilities of one distribution, in words that follow "it";
 * `null`: nothing. The rule of the check before a run, and of every reply in it.
 */
export function faultOfNumbers({ sampled, top }: ReportedPosition): string | null {
  const logprobs = top.map(({ logprob }) => logprob);
  return (sampled === null ? null : faultOfLogprobs([sampled.logprob])) ?? faultOfLogprobs(logprobs);
}
