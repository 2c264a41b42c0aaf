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
import { readGenerated, readMeter, readScores } from "../wire/reported-tokens.js";
import type { ExtractionWay, ThinkWay, WireReply, WireRequest } from "../wire/ways.js";
import type { ServerChannel } from "./server-channel.js";

export interface Asking {
  readonly channel: ServerChannel;
  readonly endpoint: Endpoint;
  readonly signal: AbortSignal;
  /** Leave to send a request once more whose last try may be paid for. */
  readonly again: () => boolean;
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
    // Other requests of it may have been answered before.
    this.reply = { status: "failed", failure, detail, ...(failure !== "context_overflow" && { mayBePaid: true }) };
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

/** Asks a server and reads its reply by a schema. */
type Ask = <T>(request: WireRequest, schema: z.ZodType<T>) => Promise<T>;

/** Schema of token ids. */
export const tokenIds = z.array(z.number().int());
const idsReply = z.looseObject({ tokens: tokenIds });
const shown = z.string().optional();
/** A text; its name is another at each server. */
const textReply = z.looseObject({ prompt: shown, content: shown, text: shown });
const renderedReply = z.union([idsReply, textReply]);

type IdsReply = z.infer<typeof idsReply>;

/** Prompts and thoughts of a model behind a server as token ids, in its own template; nothing is generated for them. */
export class ThoughtText {
  readonly #thinks: ThinkWay;
  readonly #ask: Ask;

  constructor(thinks: ThinkWay, ask: Ask) {
    this.#thinks = thinks;
    this.#ask = ask;
  }

  /** Ids of a prompt up to the beginning of the thoughts. */
  async before(prompt: string, think: Think): Promise<readonly number[]> {
    const reply = await this.#ask(this.#thinks.render(prompt.toWellFormed(), think), renderedReply);
    if (!isIds(reply)) {
      const rendered = textOf(reply);
      return this.#ids(`${rendered}${openingOf(rendered, this.#thinks)}`, true);
    }
    const opening = openingOf(await this.of(reply.tokens), this.#thinks);
    return opening === "" ? reply.tokens : [...reply.tokens, ...(await this.behind(opening))];
  }

  /** Ids of the end of thoughts, up to the answer. */
  closing(thought: string): Promise<readonly number[]> {
    return this.behind(thoughtEnd(thought, this.#thinks));
  }

  /** Ids of a text behind another: a tokenizer may put a space before a text that stands alone. */
  async behind(text: string): Promise<readonly number[]> {
    const [alone, both] = [await this.#ids("a", false), await this.#ids(`a${text}`, false)];
    return alone.every((id, i) => both[i] === id) ? both.slice(alone.length) : this.#ids(text, false);
  }

  /** Text of ids. */
  async of(tokens: readonly number[]): Promise<string> {
    return textOf(await this.#ask(this.#thinks.detokenize(tokens), textReply));
  }

  async #ids(text: string, isWhole: boolean): Promise<readonly number[]> {
    return (await this.#ask(this.#thinks.tokenize(text, isWhole), idsReply)).tokens;
  }
}

function isIds(reply: z.infer<typeof renderedReply>): reply is IdsReply {
  return idsReply.safeParse(reply).success;
}

function textOf({ prompt, content, text }: z.infer<typeof textReply>): string {
  return prompt ?? content ?? text ?? "";
}

/** Thoughts as they were written: llama.cpp's shape, and that of completions. */
const thoughtReply = z.union([
  z
    .looseObject({ content: z.string(), tokens: tokenIds, stop_type: z.string() })
    .transform(({ content, tokens, stop_type: stop }) => ({ content, tokens, isCut: stop === "limit" })),
  z
    .looseObject({
      choices: z.tuple([
        z.looseObject({ text: z.string(), finish_reason: z.enum(["stop", "length"]), token_ids: tokenIds.nullish() }),
      ]),
    })
    .transform(({ choices: [{ text, finish_reason: reason, token_ids: tokens }] }) => ({
      content: text,
      // Older servers do not tell them.
      tokens: tokens ?? null,
      isCut: reason === "length",
    })),
]);

function endOf(isCut: boolean): "forced" | "closed" {
  return isCut ? "forced" : "closed";
}

class Mind {
  readonly #asking: Asking;
  readonly #way: Thinker;
  readonly #request: Thinking;
  readonly #text: ThoughtText;
  readonly #paid = { promptTokens: 0, completionTokens: 0 };

  constructor(asking: Asking, way: Thinker, request: Thinking) {
    this.#asking = asking;
    this.#way = way;
    this.#request = request;
    this.#text = new ThoughtText(way.thinks, (asked, schema) => this.#read(asked, (reply) => parsed(reply, schema)));
  }

  async answer(): Promise<Omit<SymbolReply & { status: "scored" }, "durationMs" | "cachedTokens">> {
    const { extraction } = this.#way;
    const { prompt, think, trace: parts } = this.#request;
    const before = await this.#text.before(prompt, think);
    const { ids, text, end } = await this.#think(before);
    const scoreBehind = async (part: readonly number[], thought: string) =>
      this.#score([...before, ...part, ...(await this.#text.closing(thought))]);
    const trace: TracePoint[] = [];
    const points = parts === undefined || ids.length === 0 ? [] : pointsOf(ids.length, parts);
    for (const count of points.slice(0, -1)) {
      const part = ids.slice(0, count);
      trace.push({ tokens: count, scores: await scoreBehind(part, await this.#text.of(part)) });
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
      paid: { ...this.#paid },
      thoughts,
    };
  }

  async #think(before: readonly number[]) {
    const { thinks } = this.#way;
    const room = thinks.contextSize === null ? Number.POSITIVE_INFINITY : thinks.contextSize - before.length;
    const most = Math.min(thoughtLimit(this.#request.think), room - (await this.#text.closing("…")).length - SEAM);
    if (most <= 0)
      throw new Failed({
        status: "failed",
        failure: "context_overflow",
        detail: "the prompt leaves no room for thoughts",
      });
    const read = (reply: WireReply) => ({ ...parsed(reply, thoughtReply), json: reply.json });
    const { content, tokens, isCut, json } = await this.#read(thinks.generate(before, most), read, this.#asking.again);
    // A server that does not tell is taken to have written all that it might.
    this.#pay(json, before.length, most);
    if (tokens === null) return { ids: await this.#text.behind(content), text: content, end: endOf(isCut) };
    return { ids: isCut ? tokens : await this.#upTo(content, tokens), text: content, end: endOf(isCut) };
  }

  /** The tokens of thoughts, without those of the mark that closed them. */
  async #upTo(content: string, tokens: readonly number[]): Promise<readonly number[]> {
    if (content === "") return [];
    for (const marks of [(await this.#text.behind(this.#way.thinks.close)).length, 1, 0]) {
      const kept = tokens.slice(0, tokens.length - marks);
      if ((await this.#text.of(kept)) === content) return kept;
    }
    return this.#text.behind(content);
  }

  async #score(tokens: readonly number[]): Promise<ReadonlyMap<ChoiceSymbol, SymbolScore>> {
    const { symbols } = this.#request;
    const request = changed(this.#way, this.#way.request(tokens, symbols));
    const read = (reply: WireReply) => ({ scores: readScores(reply, this.#way, symbols), json: reply.json });
    const { scores, json } = await this.#read(request, read, this.#asking.again);
    this.#pay(json, tokens.length, 1);
    return scores;
  }

  /** Notes what a request was paid for: what its reply tells, else these. */
  #pay(reply: unknown, promptTokens: number, completionTokens: number): void {
    this.#paid.promptTokens += readMeter(reply).promptTokens ?? promptTokens;
    this.#paid.completionTokens += readGenerated(reply) ?? completionTokens;
  }

  async #read<T>(request: WireRequest, read: (reply: WireReply) => T, again?: () => boolean): Promise<T> {
    const { channel, endpoint, signal } = this.#asking;
    const question: Question<T> = { prompt: "", kind: "raw", request: () => request, read };
    const asked = await channel.ask(question, endpoint, signal, again);
    if (asked.status === "failed") throw new Failed(asked);
    return asked.value;
  }
}

function parsed<T>({ json, text }: WireReply, schema: z.ZodType<T>): T {
  const { data } = schema.safeParse(json);
  if (data === undefined) throw errorOfContent("not what was asked for", text);
  return data;
}
