import { z } from "zod";
import type { ChoiceSymbol } from "../../base/symbol.js";
import type { Endpoint } from "../http/endpoint.js";
import { errorOfContent } from "../http/request-error.js";
import { openingOf, thoughtEnd } from "../llama/think-tokenizer.js";
import {
  type FailedReply,
  pointsOf,
  type SymbolReply,
  type SymbolRequest,
  type SymbolScore,
  type Think,
  type TracePoint,
  thoughtLimit,
} from "../requests.js";
import { changed } from "../wire/body-changes.js";
import type { Question } from "../wire/questions.js";
import { readScores } from "../wire/symbol-scores.js";
import type { ExtractionWay, ThinkWay, WireReply, WireRequest } from "../wire/ways.js";
import type { ServerChannel } from "./server-channel.js";

interface Asking {
  readonly channel: ServerChannel;
  readonly endpoint: Endpoint;
  readonly signal: AbortSignal;
}

type Thinker = ExtractionWay & { readonly thinks: ThinkWay };
type Thinking = SymbolRequest & { readonly think: Exclude<Think, "off"> };

/** Tokens that the letter and a seam take. */
const SEAM = 2;

/** A request that failed ends all that was to follow it. */
class Failed extends Error {
  readonly reply: FailedReply;

  constructor({ failure, detail }: FailedReply) {
    super(detail);
    this.reply = { status: "failed", failure, detail };
  }
}

/**
 * Has the model behind a server think in its own template until it closes its thoughts, or the budget is spent and they are
 * closed for it (budget forcing, arXiv 2501.19393); then reads the letter behind them, behind parts of them too where a trace
 * is asked for. The same as of a model in this process, by the same tokens.
 */
export async function thinkThenScore(asking: Asking, way: Thinker, request: Thinking): Promise<SymbolReply> {
  const started = performance.now();
  const spent = () => ({ cachedTokens: null, durationMs: performance.now() - started });
  try {
    return { ...(await new Mind(asking, way, request).answer()), ...spent() };
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    return { ...error.reply, promptTokens: null, ...spent() };
  }
}

const ids = z.array(z.number().int());
const idsReply = z.looseObject({ tokens: ids });
const shown = z.string().optional();
/** A text; its name is another at each server. */
const textReply = z.looseObject({ prompt: shown, content: shown, text: shown });
const renderedReply = z.union([idsReply, textReply]);

/** Thoughts as they were written: llama.cpp's shape, and that of completions. */
const thoughtReply = z.union([
  z
    .looseObject({ content: z.string(), tokens: ids, stop_type: z.string() })
    .transform(({ content, tokens, stop_type: stop }) => ({ content, tokens, isCut: stop === "limit" })),
  z
    .looseObject({
      choices: z.tuple([
        z.looseObject({ text: z.string(), finish_reason: z.enum(["stop", "length"]), token_ids: ids.nullish() }),
      ]),
    })
    .transform(({ choices: [{ text, finish_reason: reason, token_ids: tokens }] }) => ({
      content: text,
      // Older servers do not tell them.
      tokens: tokens ?? null,
      isCut: reason === "length",
    })),
]);

type IdsReply = z.infer<typeof idsReply>;
type TextReply = z.infer<typeof textReply>;

function isIds(reply: z.infer<typeof renderedReply>): reply is IdsReply {
  return idsReply.safeParse(reply).success;
}

function textOf({ prompt, content, text }: TextReply): string {
  return prompt ?? content ?? text ?? "";
}

function endOf(isCut: boolean): "forced" | "closed" {
  return isCut ? "forced" : "closed";
}

class Mind {
  readonly #asking: Asking;
  readonly #way: Thinker;
  readonly #request: Thinking;

  constructor(asking: Asking, way: Thinker, request: Thinking) {
    this.#asking = asking;
    this.#way = way;
    this.#request = request;
  }

  async answer(): Promise<Omit<SymbolReply & { status: "scored" }, "durationMs" | "cachedTokens">> {
    const { thinks, extraction } = this.#way;
    const { prompt, think, trace: parts } = this.#request;
    const before = await this.#before(thinks.render(prompt.toWellFormed(), think));
    const { ids, text, end } = await this.#think(before);
    const scoreBehind = async (part: readonly number[], thought: string) =>
      this.#score([...before, ...part, ...(await this.#closing(thought))]);
    const trace: TracePoint[] = [];
    const points = parts === undefined || ids.length === 0 ? [] : pointsOf(ids.length, parts);
    for (const count of points.slice(0, -1)) {
      const part = ids.slice(0, count);
      trace.push({ tokens: count, scores: await scoreBehind(part, await this.#text(thinks.detokenize(part))) });
    }
    const scores = await scoreBehind(ids, text);
    if (points.length > 0) trace.push({ tokens: ids.length, scores });
    const thoughts = { text, tokens: ids.length, end, ...(parts !== undefined && { trace }) };
    return {
      status: "scored",
      scores,
      extraction,
      promptTokens: before.length,
      completionTokens: ids.length + 1,
      thoughts,
    };
  }

  /** Ids of the prompt up to the beginning of the thoughts. */
  async #before(request: WireRequest): Promise<readonly number[]> {
    const { thinks } = this.#way;
    const reply = await this.#ask(request, renderedReply);
    if (!isIds(reply)) {
      const rendered = textOf(reply);
      return this.#ids(`${rendered}${openingOf(rendered, thinks)}`, true);
    }
    const opening = openingOf(await this.#text(thinks.detokenize(reply.tokens)), thinks);
    return opening === "" ? reply.tokens : [...reply.tokens, ...(await this.#behind(opening))];
  }

  async #think(before: readonly number[]) {
    const { thinks } = this.#way;
    const room = thinks.contextSize === null ? Number.POSITIVE_INFINITY : thinks.contextSize - before.length;
    const most = Math.min(thoughtLimit(this.#request.think), room - (await this.#closing("…")).length - SEAM);
    if (most <= 0)
      throw new Failed({
        status: "failed",
        failure: "context_overflow",
        detail: "the prompt leaves no room for thoughts",
      });
    const { content, tokens, isCut } = await this.#ask(thinks.generate(before, most), thoughtReply);
    if (tokens === null) return { ids: await this.#behind(content), text: content, end: endOf(isCut) };
    return { ids: isCut ? tokens : await this.#upTo(content, tokens), text: content, end: endOf(isCut) };
  }

  /** The tokens of thoughts, without those of the mark that closed them. */
  async #upTo(content: string, tokens: readonly number[]): Promise<readonly number[]> {
    const { thinks } = this.#way;
    if (content === "") return [];
    for (const marks of [(await this.#behind(thinks.close)).length, 1, 0]) {
      const kept = tokens.slice(0, tokens.length - marks);
      if ((await this.#text(thinks.detokenize(kept))) === content) return kept;
    }
    return this.#behind(content);
  }

  /** End of thoughts, up to the answer. */
  #closing(thought: string): Promise<readonly number[]> {
    return this.#behind(thoughtEnd(thought, this.#way.thinks));
  }

  /** Ids of a text behind another: a tokenizer may put a space before a text that stands alone. */
  async #behind(text: string): Promise<readonly number[]> {
    const [alone, both] = [await this.#ids("a", false), await this.#ids(`a${text}`, false)];
    return alone.every((id, i) => both[i] === id) ? both.slice(alone.length) : this.#ids(text, false);
  }

  async #ids(text: string, isWhole: boolean): Promise<readonly number[]> {
    return (await this.#ask(this.#way.thinks.tokenize(text, isWhole), idsReply)).tokens;
  }

  async #text(request: WireRequest): Promise<string> {
    return textOf(await this.#ask(request, textReply));
  }

  async #score(tokens: readonly number[]): Promise<ReadonlyMap<ChoiceSymbol, SymbolScore>> {
    const { symbols } = this.#request;
    const request = changed(this.#way, this.#way.request(tokens, symbols));
    return this.#read(request, (reply) => readScores(reply, this.#way, symbols));
  }

  #ask<T>(request: WireRequest, schema: z.ZodType<T>): Promise<T> {
    return this.#read(request, ({ json, text }) => {
      const { data } = schema.safeParse(json);
      if (data === undefined) throw errorOfContent("not what was asked for", text);
      return data;
    });
  }

  async #read<T>(request: WireRequest, read: (reply: WireReply) => T): Promise<T> {
    const { channel, endpoint, signal } = this.#asking;
    const question: Question<T> = { prompt: "", kind: "raw", request: () => request, read };
    const asked = await channel.ask(question, endpoint, signal);
    if (asked.status === "failed") throw new Failed(asked);
    return asked.value;
  }
}
