import { setMaxListeners } from "node:events";
import { z } from "zod";
import { messageOf } from "../../base/errors.js";
import { sha256 } from "../../base/sha256.js";
import type { Endpoint } from "../http/endpoint.js";
import type { EndpointPool } from "../http/pool.js";
import { errorOfContent, RequestError } from "../http/request-error.js";
import type { FailedReply } from "../requests.js";
import type { Question } from "../wire/questions.js";
import type { WirePrompt, WireReply, WireRequest } from "../wire/ways.js";

/** Sends one request to one server. Throws RequestError. */
export type Transport = (baseUrl: string, request: WireRequest, signal: AbortSignal) => Promise<WireReply>;

/** Writes a prompt as it is sent: as token ids where a server would otherwise read special tokens in its text. */
export type EncodePrompt = (baseUrl: string, prompt: string, signal: AbortSignal) => Promise<WirePrompt>;

/** Means to send requests to a server, and to write prompts in them. */
export interface Connection {
  readonly transport: Transport;
  readonly encode: EncodePrompt;
}

type Asked<T> = ({ readonly status: "read"; readonly value: T } | FailedReply) & { readonly durationMs: number };

interface ChannelParts {
  readonly pool: EndpointPool;
  /** Over connections that are kept open. */
  readonly connection: Connection;
  /** Over a connection of its own for every request: slower, and nothing can be left on it. */
  readonly freshConnection: Connection;
  /** Called when a reply was not what it should be: another one may be waiting on the connection. */
  readonly refreshConnections: () => void;
}

/** Asks a model's servers: with their patience, and never taking one question's reply for another's. */
export class ServerChannel {
  readonly #parts: ChannelParts;
  readonly #guard = new ReplyGuard();

  constructor(parts: ChannelParts) {
    this.#parts = parts;
  }

  /** The server for the next question, or for a group of them. */
  pick(): Endpoint {
    return this.#parts.pool.pick();
  }

  /**
   * Asks one question, of another server when `endpoint` is given up.
   * @param again leave to send it once more where the last try may be paid for
   * @throws the signal's reason when it is aborted before the question is sent
   */
  async ask<T>(question: Question<T>, endpoint: Endpoint, signal: AbortSignal, again = () => true): Promise<Asked<T>> {
    const { pool, freshConnection, refreshConnections } = this.#parts;
    let { connection } = this.#parts;
    // Every waiting request listens for the abort.
    setMaxListeners(0, signal);
    const started = performance.now();
    let wire = question.request(question.prompt);
    let paid: RequestError | null = null;
    let isAnyPaid = false;
    const send = async (baseUrl: string, inner: AbortSignal) => {
      if (paid !== null && !again()) throw noMoney(paid);
      paid = null;
      try {
        wire = await wireOf(question, connection, baseUrl, inner);
        const reply = await connection.transport(baseUrl, wire, inner);
        this.#guard.check(reply, question.kind === "prompt" ? question.prompt.toWellFormed() : null);
        return question.read(reply);
      } catch (error) {
        paid = error instanceof RequestError && error.mayBePaid ? error : null;
        isAnyPaid ||= paid !== null;
        if (isWrongContent(error)) {
          refreshConnections();
          connection = freshConnection;
        }
        throw error;
      }
    };
    try {
      const value = await pool.send(endpoint, send, signal);
      return { status: "read", value, durationMs: performance.now() - started };
    } catch (error) {
      if (!(error instanceof RequestError)) {
        signal.throwIfAborted();
        throw error;
      }
      const { failure } = error;
      const detail = `POST ${wire.path}: ${messageOf(error)}; request sha256 ${sha256(JSON.stringify(wire.body))}`;
      const failed = { status: "failed", failure, detail, durationMs: performance.now() - started } as const;
      return isAnyPaid ? { ...failed, mayBePaid: true } : failed;
    }
  }
}

/**
 * Asks one question of one server, for its check. Throws RequestError, or the signal's reason: when it is aborted, what is
 * under way ends too.
 */
export async function askOnce<T>(
  question: Question<T>,
  connection: Connection,
  endpoint: Endpoint,
  signal: AbortSignal,
): Promise<T> {
  const send = async () => {
    const wire = await wireOf(question, connection, endpoint.baseUrl, signal);
    return question.read(await connection.transport(endpoint.baseUrl, wire, signal));
  };
  return endpoint.send(send, signal);
}

async function wireOf(
  { kind, prompt, request }: Question<unknown>,
  { encode }: Connection,
  baseUrl: string,
  signal: AbortSignal,
): Promise<WireRequest> {
  return request(kind === "prompt" ? await encode(baseUrl, prompt.toWellFormed(), signal) : prompt);
}

function noMoney(last: RequestError): RequestError {
  const message = `no money is left for another try after: ${last.message}`;
  return new RequestError({ trouble: "permanent", failure: "unavailable", status: 0, message, cause: last });
}

/** `true` for a reply that came whole, but is not a reply to this request. */
function isWrongContent(error: unknown): boolean {
  return error instanceof RequestError && error.trouble === "fault" && error.status === 200;
}

const identified = z.looseObject({ id: z.string().min(8) });
const echoed = z.looseObject({ prompt: z.string() });

/** Replies remembered: more than can be under way on one connection. */
const REMEMBERED = 256;

/**
 * Catches replies that belong to another request: a proxy that sends one twice leaves the second on the connection,
 * where the next request would take it for its own. undici drops a connection on which something lies while it is idle;
 * a reply that comes a few milliseconds later, when the next request is on its way, it cannot tell.
 */
export class ReplyGuard {
  readonly #seen = new Set<string>();

  /**
   * Throws RequestError when the reply repeats an earlier one, or (where the server says) is to another prompt; `null`:
   * what the server says is not the prompt as it was sent.
   */
  check({ json, text }: { readonly json: unknown; readonly text: string }, prompt: string | null): void {
    const repeated = echoed.safeParse(json).data?.prompt;
    // Servers show the prompt with BOS before it, and may fold what their tokenizer does.
    if (repeated !== undefined && prompt !== null && !fold(repeated).endsWith(fold(prompt)))
      throw errorOfContent("a reply to another prompt", text);
    if (!identified.safeParse(json).success) return;
    if (this.#seen.has(text)) throw errorOfContent("the same reply a second time", text);
    this.#seen.add(text);
    const [oldest] = this.#seen;
    if (this.#seen.size > REMEMBERED && oldest !== undefined) this.#seen.delete(oldest);
  }
}

function fold(text: string): string {
  return text.normalize("NFKC").replace(/\s+/g, " ");
}
