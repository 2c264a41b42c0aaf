import type { Dispatcher } from "undici";
import { messageOf } from "../../base/errors.js";
import { RequestError } from "./request-error.js";

type Body = Dispatcher.ResponseData["body"];

/**
 * The longest body that is taken from a network, bytes. The largest that a server means well is the log probabilities of
 * a whole prompt, at up to 250 bytes a token: of 50,000 tokens. Text, and what is parsed of it, take some times its bytes
 * until they are collected.
 */
export const MAX_BODY_BYTES = 12 * 1024 * 1024;

/** Bodies up to this size, bytes, are read beside each other; larger ones one at a time. */
const SMALL_BYTES = 256 * 1024;

/** The memory is the process's, and so are the turn and the room that large bodies are read into, made for the first. */
let turn: Promise<unknown> = Promise.resolve();
let room: Buffer | null = null;

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const result = turn.then(work);
  turn = result.catch(() => undefined);
  return result;
}

/**
 * Reads a body whole. However many large ones come at once, they take the memory of one.
 * @param isSmall `true` for one that is announced as small
 * @param use makes a result of its bytes, at once: they are overwritten by the next
 * @throws errors of undici where it is cut short, over `MAX_BODY_BYTES`, or aborted; errors of `use`
 */
export async function readBody<T>(body: Body, isSmall: boolean, use: (bytes: Buffer) => T): Promise<T> {
  if (isSmall) return use(Buffer.from(await body.arrayBuffer()));
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const iterator: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  while (bytes <= SMALL_BYTES) {
    const next = await iterator.next();
    if (next.done === true) return use(Buffer.concat(chunks));
    chunks.push(next.value);
    bytes += next.value.length;
  }
  return inTurn(async () => {
    room ??= Buffer.allocUnsafe(MAX_BODY_BYTES);
    let end = 0;
    for (const chunk of chunks) end = put(room, chunk, end);
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      end = put(room, next.value, end);
    }
    return use(room.subarray(0, end));
  });
}

function put(into: Buffer, chunk: Uint8Array, at: number): number {
  into.set(chunk, at);
  return at + chunk.length;
}

/** `true` for headers that announce a small body. */
export function announcesSmall(headers: readonly (readonly [name: string, value: string])[]): boolean {
  const length = headers.find(([name]) => name === "content-length")?.[1];
  return length !== undefined && Number(length) <= SMALL_BYTES;
}

/** Depth of JSON in a body, at most: replies nest up to about ten deep, and recursive readers end at thousands. */
export const MAX_JSON_DEPTH = 100;

/**
 * Values of JSON in a body, at most: a prompt of 50,000 tokens has up to thirty a token. A value takes up to a hundred
 * bytes of memory, in three of the body.
 */
export const MAX_JSON_VALUES = 1_500_000;

export interface ReplyHead {
  readonly status: number;
  readonly headers: [string, string][];
  /** Address that it came from, after redirections. */
  readonly url: string;
}

/** A reply that came whole. Its text is given as it is: the stream that `Response` makes of one costs more than the rest. */
export class WholeReply extends Response {
  readonly #text: string;
  readonly #url: string;

  /**
   * @param bytes of the body; not kept
   * @param redact takes secrets out of the text
   * @throws RequestError `bad_response` for JSON that nests deeper than `MAX_JSON_DEPTH`, or of more than `MAX_JSON_VALUES`
   */
  constructor(
    bytes: Uint8Array,
    { status, headers, url }: ReplyHead,
    redact: (text: string) => string = (same) => same,
  ) {
    super(null, { status, headers });
    const fault = jsonFault(bytes);
    if (fault !== null) throw new RefusedBody(wrongBody(status, fault));
    this.#text = redact(new TextDecoder().decode(bytes));
    this.#url = url;
  }

  override get url(): string {
    return this.#url;
  }

  override text(): Promise<string> {
    return Promise.resolve(this.#text);
  }

  override json(): Promise<unknown> {
    return new Promise((resolve) => resolve(JSON.parse(this.#text)));
  }
}

/** The failure of a body that goes beyond a limit: asking again is no use. */
export class RefusedBody extends RequestError {}

/** The failure of a reply that was cut off at `MAX_BODY_BYTES`. */
export function tooLong(status: number, cause: unknown): RequestError {
  const found = `expected a body of at most ${MAX_BODY_BYTES} bytes, found a longer one`;
  return new RefusedBody(wrongBody(status, found, cause));
}

/** The failure of a reply whose connection ended before its body did. */
export function cutShort(status: number, cause: unknown): RequestError {
  return new RequestError(wrongBody(status, `found its body cut short (${messageOf(cause)})`, cause));
}

function wrongBody(status: number, found: string, cause?: unknown): ConstructorParameters<typeof RequestError>[0] {
  return { trouble: "fault", failure: "bad_response", status, message: `HTTP ${status}, but ${found}`, cause };
}

/** Fault of a JSON text that is too much, before anything is made of it; `null`: none, or it is another text. */
function jsonFault(bytes: Uint8Array): string | null {
  const first = bytes[bytes.findIndex((byte) => !BLANKS.has(byte))];
  if (first !== OPENS_LIST && first !== OPENS_OBJECT) return null;
  let depth = 0;
  let values = 1;
  for (let i = 0; i < bytes.length; i++) {
    switch (bytes[i]) {
      case QUOTE:
        i = endOfString(bytes, i);
        break;
      case COMMA:
        values++;
        break;
      case OPENS_LIST:
      case OPENS_OBJECT:
        values++;
        depth++;
        break;
      case ENDS_LIST:
      case ENDS_OBJECT:
        depth--;
    }
    if (depth > MAX_JSON_DEPTH) return `expected JSON at most ${MAX_JSON_DEPTH} deep, found it nested deeper`;
    if (values > MAX_JSON_VALUES) return `expected JSON of at most ${MAX_JSON_VALUES} values, found more`;
  }
  return null;
}

// None of these is part of another character in UTF-8.
const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPENS_LIST, ENDS_LIST, OPENS_OBJECT, ENDS_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
/** Bytes that may stand before JSON: its white space, and those of a byte order mark. */
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

/** The place of the quotation mark that ends the string: one with an even number of backslashes before it. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end !== -1; end = bytes.indexOf(QUOTE, end + 1)) {
    let before = end - 1;
    while (bytes[before] === BACKSLASH) before--;
    if ((end - before) % 2 === 1) return end;
  }
  return bytes.length;
}
