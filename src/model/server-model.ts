import { setMaxListeners } from "node:events";
import { z } from "zod";
import { messageOf } from "../domain/errors.js";
import type { ChoiceSymbol } from "../domain/symbol.js";
import { sha256 } from "../file/sha256.js";
import type { CheckReport } from "./check/report.js";
import { readPosition } from "./extraction/reported-tokens.js";
import { scoreSymbols } from "./extraction/symbol-scores.js";
import type { ExtractionWay, WirePrompt, WireRequest } from "./extraction/way.js";
import { asCompleted } from "./http/as-completed.js";
import type { EndpointPool } from "./http/pool.js";
import { ReplyGuard } from "./http/reply-guard.js";
import { readMeter } from "./http/reply-meter.js";
import { errorOfContent, RequestError } from "./http/request-error.js";
import type { IndexedReply, Model, ModelIdentity, SymbolReply, SymbolRequest } from "./model.js";

/** A reply's JSON, and its text for error messages. */
export interface WireReply {
  readonly json: unknown;
  readonly text: string;
}

/** Sends one request to one server. Throws RequestError. */
export type Transport = (baseUrl: string, request: WireRequest, signal: AbortSignal) => Promise<WireReply>;

/** The prompt as it is sent: as token ids where a server would otherwise read special tokens in its text. */
export type EncodePrompt = (baseUrl: string, prompt: string, signal: AbortSignal) => Promise<WirePrompt>;

/** How a server's requests are sent, and prompts written in them. */
export interface Connection {
  readonly transport: Transport;
  readonly encode: EncodePrompt;
}

export interface ServerModelParts {
  readonly identity: ModelIdentity;
  readonly check: CheckReport;
  readonly way: ExtractionWay;
  readonly pool: EndpointPool;
  /** Over connections that are kept open. */
  readonly connection: Connection;
  /** Over a connection of its own for every request: slower, and nothing can be left on it. */
  readonly freshConnection: Connection;
  /** Called when a reply was not what it should be: another one may be waiting on the connection. */
  readonly refreshConnections: () => void;
  readonly maxConcurrency: number;
  readonly countTokens: ((prompt: string) => Promise<number>) | null;
  readonly embed: ((text: string, signal: AbortSignal) => Promise<readonly number[]>) | null;
  readonly close: () => void;
}

/** Groups of requests that share a prefix are about this large; so many open ones keep all places busy. */
const GROUP_SHARE = 8;

/** Whether a reply came whole, but is not a reply to this request. */
function isWrongContent(error: unknown): boolean {
  return error instanceof RequestError && error.trouble === "fault" && error.status === 200;
}

/** A model behind one or several servers. */
export class ServerModel implements Model {
  readonly identity: ModelIdentity;
  readonly check: CheckReport;
  readonly maxOpenGroups: number;
  readonly countTokens?: (prompt: string) => Promise<number>;
  readonly embed?: (text: string, signal: AbortSignal) => Promise<readonly number[]>;
  readonly #parts: ServerModelParts;
  readonly #guard = new ReplyGuard();

  constructor(parts: ServerModelParts) {
    this.#parts = parts;
    this.identity = parts.identity;
    this.check = parts.check;
    this.maxOpenGroups = Math.ceil(parts.maxConcurrency / GROUP_SHARE) + 1;
    if (parts.countTokens !== null) this.countTokens = parts.countTokens;
    if (parts.embed !== null) this.embed = parts.embed;
  }

  /** The first request warms the server's prefix cache; the rest of the group follow together. */
  async *scoreSymbols(group: readonly SymbolRequest[], signal: AbortSignal): AsyncGenerator<IndexedReply> {
    signal.throwIfAborted();
    // Every waiting request listens for the abort.
    setMaxListeners(0, signal);
    const endpoint = this.#parts.pool.pick();
    const ask = async (index: number): Promise<IndexedReply | null> => {
      const request = group[index];
      return request === undefined ? null : { index, reply: await this.#ask(request, endpoint, signal) };
    };
    const first = await ask(0);
    if (first !== null) yield first;
    signal.throwIfAborted();
    // What an abort keeps from starting is no reply; what is under way still is.
    const unlessAborted = (error: unknown): null => {
      if (!signal.aborted) throw error;
      return null;
    };
    const rest = group.slice(1).map((_, i) => ask(i + 1).catch(unlessAborted));
    for await (const reply of asCompleted(rest)) if (reply !== null) yield reply;
    signal.throwIfAborted();
  }

  async #ask(
    request: SymbolRequest,
    endpoint: ReturnType<EndpointPool["pick"]>,
    signal: AbortSignal,
  ): Promise<SymbolReply> {
    const { way, pool, freshConnection, refreshConnections } = this.#parts;
    let { connection } = this.#parts;
    const started = performance.now();
    let wire = way.request(request.prompt, request.symbols);
    const send = async (baseUrl: string, inner: AbortSignal) => {
      const prompt = await connection.encode(baseUrl, request.prompt, inner);
      wire = way.request(prompt, request.symbols);
      const reply = await connection.transport(baseUrl, wire, inner);
      this.#guard.check(reply, request.prompt);
      return interpret(reply, way, request.symbols);
    };
    const sendOrRefresh = async (baseUrl: string, inner: AbortSignal) => {
      try {
        return await send(baseUrl, inner);
      } catch (error) {
        if (isWrongContent(error)) {
          refreshConnections();
          connection = freshConnection;
        }
        throw error;
      }
    };
    try {
      return { ...(await pool.send(endpoint, sendOrRefresh, signal)), durationMs: performance.now() - started };
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const { failure } = error;
      const detail = `POST ${wire.path}: ${messageOf(error)}; request sha256 ${sha256(JSON.stringify(wire.body))}`;
      return {
        status: "failed",
        failure,
        detail,
        promptTokens: null,
        cachedTokens: null,
        durationMs: performance.now() - started,
      };
    }
  }

  close(): Promise<void> {
    this.#parts.close();
    return Promise.resolve();
  }
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

/** The symbol a server wrote, when it wrote just that. */
function writtenSymbol(json: unknown, text: string, symbols: readonly ChoiceSymbol[]): ChoiceSymbol {
  const choice = written.safeParse(json).data?.choices[0];
  const answer = choice?.text ?? choice?.message?.content;
  if (answer == null) throw errorOfContent("without an answer", text);
  const symbol = symbols.find((candidate) => candidate === answer.trim());
  if (symbol !== undefined) return symbol;
  const message = `HTTP 200, but the answer is not one of ${symbols.join(", ")}: ${JSON.stringify(answer).slice(0, 100)}`;
  throw new RequestError({ trouble: "permanent", failure: "bad_response", status: 200, message });
}
