import { messageOf } from "../../base/errors.js";
import { RequestError } from "./request-error.js";

/**
 * The longest body that is taken from a network, bytes. The largest that a server means well is the log probabilities of
 * a prompt of 128,000 tokens, at up to 250 bytes each; one that never ends must not fill the memory.
 */
export const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** How deep a body's JSON may nest: replies nest up to about ten deep, and what is read recursively ends at thousands. */
export const MAX_JSON_DEPTH = 100;

export interface ReplyHead {
  readonly status: number;
  readonly headers: [string, string][];
  /** Where it came from, after redirections. */
  readonly url: string;
}

/** A reply that came whole. Its text is given as it is: the stream that `Response` makes of one costs more than the rest. */
export class WholeReply extends Response {
  readonly #text: string;
  readonly #url: string;

  /**
   * @param redact takes out of the text what nobody is to see
   * @throws RequestError `bad_response` when the text is JSON that nests deeper than `MAX_JSON_DEPTH`
   */
  constructor(text: string, { status, headers, url }: ReplyHead, redact: (text: string) => string = (same) => same) {
    super(null, { status, headers });
    if (nestsTooDeep(text))
      throw refusedBody(status, `expected JSON at most ${MAX_JSON_DEPTH} deep, found it nested deeper`);
    this.#text = redact(text);
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

/** The failure of a reply that was cut off at `MAX_BODY_BYTES`. */
export function tooLong(status: number, cause: unknown): RequestError {
  return refusedBody(status, `expected a body of at most ${MAX_BODY_BYTES} bytes, found a longer one`, cause);
}

/** The failure of a reply whose connection ended before its body did. */
export function cutShort(status: number, cause: unknown): RequestError {
  return wrongBody(status, `found its body cut short (${messageOf(cause)})`, cause);
}

/** The failure of a body that goes beyond a limit: asking again is no use. */
export class RefusedBody extends RequestError {}

function refusedBody(status: number, found: string, cause?: unknown): RequestError {
  return new RefusedBody(failureOf(status, found, cause));
}

function wrongBody(status: number, found: string, cause: unknown): RequestError {
  return new RequestError(failureOf(status, found, cause));
}

function failureOf(status: number, found: string, cause: unknown): ConstructorParameters<typeof RequestError>[0] {
  return { trouble: "fault", failure: "bad_response", status, message: `HTTP ${status}, but ${found}`, cause };
}

/** Whether a JSON text opens more arrays and objects within each other than it may. Other texts do not nest. */
function nestsTooDeep(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '"') i = endOfString(text, i);
    else if (character === "[" || character === "{") depth++;
    else if (character === "]" || character === "}") depth--;
    if (depth > MAX_JSON_DEPTH) return true;
  }
  return false;
}

/** The place of the quotation mark that ends the string: one with an even number of backslashes before it. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text[before] === "\\") before--;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}
