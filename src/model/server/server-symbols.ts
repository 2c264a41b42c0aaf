import type { ChoiceSymbol } from "../../base/symbol.js";
import type { Again } from "../model.js";
import { type IndexedReply, isThinking, type SymbolReply, type SymbolRequest } from "../requests.js";
import type { WrittenLetter } from "../wire/letter-reply.js";
import { letterQuestion, type Question, symbolQuestion } from "../wire/questions.js";
import { readGenerated, readMeter, readScores } from "../wire/reported-tokens.js";
import type { ExtractionWay, WireReply } from "../wire/ways.js";
import type { ServerChannel } from "./server-channel.js";
import type { Asking } from "./server-thoughts.js";

/** Means by which requests are stopped, and sent again. */
export interface Sending {
  readonly signal: AbortSignal;
  readonly again?: Again | undefined;
}

/** Scores a group of requests. The first request warms the server's prefix cache; the rest follow together. */
export async function* scoreGroup(
  channel: ServerChannel,
  way: ExtractionWay,
  group: readonly SymbolRequest[],
  { signal, again = () => true }: Sending,
): AsyncGenerator<IndexedReply> {
  signal.throwIfAborted();
  const endpoint = channel.pick();
  const ask = async (index: number): Promise<IndexedReply | null> => {
    const request = group[index];
    if (request === undefined) return null;
    const asking = { channel, endpoint, signal, again: () => again(index) };
    return { index, reply: await scoreOne(asking, way, request) };
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

async function scoreOne(asking: Asking, way: ExtractionWay, request: SymbolRequest): Promise<SymbolReply> {
  const { think } = request;
  const { thinks } = way;
  if (thinks !== undefined && isThinking(think)) {
    const { thinkThenScore } = await import("./server-thoughts.js");
    return thinkThenScore(asking, { ...way, thinks }, { ...request, think });
  }
  const { channel, endpoint, signal, again } = asking;
  const asked = await channel.ask(replyQuestion(way, request), endpoint, signal, again);
  if (asked.status === "failed") return { ...asked, promptTokens: null, cachedTokens: null };
  return { ...asked.value, durationMs: asked.durationMs };
}

/** Asks for a letter in one request, with what is known of its probabilities. */
export function replyQuestion(way: ExtractionWay, { prompt, symbols, think }: SymbolRequest): Question<UntimedReply> {
  const { form } = way;
  return form === undefined
    ? { ...symbolQuestion(way, prompt, symbols), read: (reply) => interpret(reply, way, symbols) }
    : letterOf(letterQuestion({ ...way, form }, prompt, symbols, think));
}

/** A reply without its time. */
export type UntimedReply =
  | Omit<SymbolReply & { status: "scored" }, "durationMs">
  | Omit<SymbolReply & { status: "named" }, "durationMs">
  | Omit<SymbolReply & { status: "failed" }, "durationMs">;

/** A written letter with the tokens of its prompt. */
function letterOf(question: Question<WrittenLetter>): Question<UntimedReply> {
  return { ...question, read: (reply) => ({ ...question.read(reply), ...readMeter(reply.json) }) };
}

function interpret(reply: WireReply, way: ExtractionWay, symbols: readonly ChoiceSymbol[]): UntimedReply {
  const generated = readGenerated(reply.json) ?? 1;
  return {
    status: "scored",
    scores: readScores(reply, way, symbols),
    extraction: way.extraction,
    ...readMeter(reply.json),
    // More than the one token that was asked for is paid for all the same.
    ...(generated > 1 && { completionTokens: generated }),
  };
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
