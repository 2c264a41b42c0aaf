import { z } from "zod";
import type { ChoiceSymbol } from "../../base/symbol.js";
import type { Endpoint } from "../http/endpoint.js";
import { errorOfContent, RequestError } from "../http/request-error.js";
import type { IndexedReply, SymbolReply, SymbolRequest } from "../requests.js";
import { symbolQuestion } from "../wire/questions.js";
import { faultOfNumbers, readPosition } from "../wire/reported-tokens.js";
import { scoreSymbols } from "../wire/symbol-scores.js";
import type { ExtractionWay, WireReply } from "../wire/ways.js";
import type { ServerChannel } from "./server-channel.js";

/** Scores a group of requests. The first request warms the server's prefix cache; the rest follow together. */
export async function* scoreGroup(
  channel: ServerChannel,
  way: ExtractionWay,
  group: readonly SymbolRequest[],
  signal: AbortSignal,
): AsyncGenerator<IndexedReply> {
  signal.throwIfAborted();
  const endpoint = channel.pick();
  const ask = async (index: number): Promise<IndexedReply | null> => {
    const request = group[index];
    return request === undefined ? null : { index, reply: await scoreOne(channel, way, request, { endpoint, signal }) };
  };
  const first = await ask(0);
  if (first !== null) yield first;
  signal.throwIfAborted();
  // A request that an abort keeps from starting has no reply; one that is under way still has.
  const unlessAborted = (error: unknown): null => {
    if (!signal.aborted) throw error;
    return null;
  };
  const rest = group.slice(1).map((_, i) => ask(i + 1).catch(unlessAborted));
  for await (const reply of asCompleted(rest)) if (reply !== null) yield reply;
  signal.throwIfAborted();
}

async function scoreOne(
  channel: ServerChannel,
  way: ExtractionWay,
  { prompt, symbols }: SymbolRequest,
  { endpoint, signal }: { readonly endpoint: Endpoint; readonly signal: AbortSignal },
): Promise<SymbolReply> {
  const read = (reply: WireReply) => interpret(reply, way, symbols);
  const asked = await channel.ask({ ...symbolQuestion(way, prompt, symbols), read }, endpoint, signal);
  if (asked.status === "failed") return { ...asked, promptTokens: null, cachedTokens: null };
  return { ...asked.value, durationMs: asked.durationMs };
}

type UntimedReply =
  | Omit<SymbolReply & { status: "scored" }, "durationMs">
  | Omit<SymbolReply & { status: "named" }, "durationMs">;

function interpret({ json, text }: WireReply, way: ExtractionWay, symbols: readonly ChoiceSymbol[]): UntimedReply {
  const meter = readMeter(json);
  if (way.extraction === "generated")
    return { status: "named", symbol: writtenSymbol(json, text, symbols), extraction: "generated", ...meter };
  const position = readPosition(json, way.tokenTexts);
  if (position === null || position.top.length === 0) throw errorOfContent("without log probabilities", text);
  const fault = faultOfNumbers(position);
  if (fault !== null) throw errorOfContent(`the server ${fault}`, text);
  return {
    status: "scored",
    scores: scoreSymbols(position, symbols, way.listLength),
    extraction: way.extraction,
    ...meter,
  };
}

const written = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        text: z.string().nullish(),
        message: z.looseObject({ content: z.string().nullish() }).nullish(),
      }),
    )
    .min(1),
});

/** The symbol that a server wrote, when it wrote nothing else. */
function writtenSymbol(json: unknown, text: string, symbols: readonly ChoiceSymbol[]): ChoiceSymbol {
  const choice = written.safeParse(json).data?.choices[0];
  const answer = choice?.text ?? choice?.message?.content;
  if (answer == null) throw errorOfContent("without an answer", text);
  const symbol = symbols.find((candidate) => candidate === answer.trim());
  if (symbol !== undefined) return symbol;
  const message = `HTTP 200, but the answer is not one of ${symbols.join(", ")}: ${JSON.stringify(answer).slice(0, 100)}`;
  throw new RequestError({ trouble: "permanent", failure: "bad_response", status: 200, message });
}

/** Yields the results of promises in the order in which they settle; a rejection is thrown at its turn. */
export async function* asCompleted<T>(promises: readonly Promise<T>[]): AsyncGenerator<T> {
  const settle: ((result: Promise<T>) => void)[] = [];
  const turns = promises.map(() => new Promise<T>((resolve) => settle.push(resolve)));
  let settled = 0;
  for (const promise of promises) {
    const next = () => {
      settle[settled++]?.(promise);
    };
    promise.then(next, next);
  }
  // A turn that is never awaited (the reader stopped) must not count as unhandled.
  for (const turn of turns) turn.catch(() => {});
  for (const turn of turns) yield await turn;
}

const count = z.number().int().nonnegative().nullish();
const replySchema = z.looseObject({
  usage: z
    .looseObject({ prompt_tokens: count, prompt_tokens_details: z.looseObject({ cached_tokens: count }).nullish() })
    .nullish(),
  tokens_evaluated: count,
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
