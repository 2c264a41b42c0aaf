import type { z } from "zod";
import { badInput } from "../../../base/errors.js";
import { normaliseText, shorten } from "../../../base/text.js";
import { RefusedBody } from "../../../model/http/reply-body.js";
import { fetchFor, type Limit, patientFetch } from "../host-requests.js";
import type { FileAtCommit, ForgeAccess, ForgeWords } from "./forge.js";
import { ReplyError, ShapeError } from "./forge-error.js";

/** Peculiarities of one forge's API. */
export interface ForgeDialect {
  readonly words: ForgeWords;
  readonly accept: string;
  /** Header that a token is sent in. */
  readonly authorisation: (secret: string) => Readonly<Record<string, string>>;
  /** End of a message about waiting where no token is sent: what one would change. */
  readonly tokenAdvice: string;
  /** Limit that a reply tells of, whose text can be read; `null`: none. */
  readonly limitOf: (reply: Response) => Promise<Limit | null>;
}

/** Parameters of a request. */
type Query = Readonly<Record<string, string>>;

/** A list that is told page by page. */
interface PagedList<T> {
  readonly path: string;
  readonly query?: Query;
  /** Shape of an item. */
  readonly shape: z.ZodType<T>;
  /** Such as `a list of commits`. */
  readonly what: string;
}

const TRIES = 6;
const LONGEST_WAIT_SECONDS = 3600;

/** All pages of a list together, in characters of JSON: ten thousand comments have fewer. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/**
 * Asks a forge's REST API: waits out its limits, tries passing faults again, and tells when it waits. Replies that are not
 * of the documented shape are refused.
 */
export class ForgeClient {
  readonly #apiUrl: string;
  readonly #dialect: ForgeDialect;
  readonly #fetch: typeof fetch;

  constructor({ apiUrl, token, signal, onMessage }: ForgeAccess, dialect: ForgeDialect) {
    const { words, tokenAdvice, authorisation, limitOf } = dialect;
    const onWait = waitAnnouncer(words.name, token === null ? tokenAdvice : "", onMessage);
    this.#apiUrl = apiUrl;
    this.#dialect = dialect;
    this.#fetch = patientFetch(
      { signal, tries: TRIES, longestWaitSeconds: LONGEST_WAIT_SECONDS, limitOf, onWait },
      fetchFor(apiUrl, token, authorisation),
    );
  }

  /**
   * One reply.
   * @throws ReplyError; ShapeError where it is not `what` as the shape has it
   */
  async get<T>(path: string, shape: z.ZodType<T>, what: string, query: Query = {}): Promise<T> {
    const reply = await this.#get(path, new URLSearchParams(query));
    return this.#parse(shape, this.#json(await reply.text()), what);
  }

  /** Items of a list, page by page. */
  async *pages<T>(list: PagedList<T>): AsyncGenerator<T[]> {
    for await (const text of this.#pageTexts(list)) yield this.#parse(list.shape.array(), this.#json(text), list.what);
  }

  /**
   * All items of a list. One that never ends does not fill the memory.
   * @throws ReplyError; ShapeError also for more than any list has
   */
  async all<T>(list: PagedList<T>): Promise<T[]> {
    const items: T[] = [];
    let characters = 0;
    for await (const text of this.#pageTexts(list)) {
      characters += text.length;
      if (characters > MOST_CHARACTERS) throw new ShapeError(`a list of more than ${MOST_CHARACTERS} characters`);
      items.push(...this.#parse(list.shape.array(), this.#json(text), list.what));
    }
    return items;
  }

  /** Pages follow each other by the `Link` header or, without one, by `X-Next-Page`. */
  async *#pageTexts({ path, query }: Pick<PagedList<unknown>, "path" | "query">): AsyncGenerator<string> {
    const asked = new Set<string>();
    let next: URLSearchParams | null = new URLSearchParams({ ...query, per_page: "100" });
    while (next !== null && !asked.has(next.toString())) {
      asked.add(next.toString());
      const reply: Response = await this.#get(path, next);
      yield await reply.text();
      next = nextPage(reply.headers, next);
    }
  }

  /** The reply to a JSON body, as it comes. */
  async post(url: string, body: object): Promise<unknown> {
    const reply = await this.#ask(url, JSON.stringify(body));
    return this.#json(await reply.text());
  }

  /**
   * A file that is told in base64.
   * @param missing statuses for no such file, or no such commit any more
   */
  async file(
    path: string,
    commit: string,
    shape: z.ZodType<FileReply>,
    missing: readonly number[],
  ): Promise<FileAtCommit> {
    try {
      return fileOf(await this.get(path, shape, "a file", { ref: commit }));
    } catch (error) {
      if (error instanceof RefusedBody) return UNREADABLE;
      if (!(error instanceof ReplyError)) throw error;
      if (missing.includes(error.status)) return { status: "missing" };
      // GitHub's answer for a file that is too large to be shown this way.
      if (error.status === 403 && /too.large/i.test(error.message)) return UNREADABLE;
      throw error;
    }
  }

  #get(path: string, query: URLSearchParams): Promise<Response> {
    return this.#ask(`${this.#apiUrl}/${path}${query.size === 0 ? "" : `?${query}`}`);
  }

  async #ask(url: string, body: string | null = null): Promise<Response> {
    const headers = { accept: this.#dialect.accept, "user-agent": "code-review-probe" };
    const posted = { headers: { ...headers, "content-type": "application/json" }, method: "POST", body };
    const reply = await this.#fetch(url, body === null ? { headers } : posted);
    if (reply.ok) return reply;
    throw new ReplyError(reply.status, messageIn(await reply.text()));
  }

  #json(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      const { apiVariables, exampleUrl } = this.#dialect.words;
      const advice = `${apiVariables[0]} is the address of the API, such as ${exampleUrl}`;
      throw new ShapeError(`no JSON (${shorten(text.trim(), 60)}). ${advice}`);
    }
  }

  #parse<T>(shape: z.ZodType<T>, data: unknown, what: string): T {
    const parsed = shape.safeParse(data);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const where = issue === undefined ? "" : ` at ${issue.path.join(".") || "its top"}: ${issue.message}`;
    throw new ShapeError(`not ${what} as ${this.#dialect.words.name} documents it${shorten(where, 120)}`);
  }
}

/** The next page. Only the query of a link is taken: behind a proxy a forge may not know its own address. */
function nextPage(headers: Headers, query: URLSearchParams): URLSearchParams | null {
  const link = /<([^<>]+)>\s*;[^,<]*\brel="?next"?/.exec(headers.get("link") ?? "")?.[1];
  if (link !== undefined && URL.canParse(link)) return new URL(link).searchParams;
  const page = headers.get("x-next-page")?.trim() ?? "";
  return /^\d+$/.test(page) ? new URLSearchParams({ ...Object.fromEntries(query), page }) : null;
}

/** The message of an error, in `message` or `error`, with the address that explains it; a proxy answers with a page. */
function messageIn(body: string): string {
  try {
    const { message, error, documentation_url: address }: Record<string, unknown> = JSON.parse(body) ?? {};
    const text = typeof message === "string" ? message : JSON.stringify(message ?? error ?? "");
    return shorten(typeof address === "string" ? `${text} - ${address}` : text, 200);
  } catch {
    return shorten(body.trim(), 60);
  }
}

/** A larger file is no code that somebody wrote, and its diff would take too long. */
const MAX_FILE_BYTES = 1024 * 1024;

const UNREADABLE = { status: "unreadable" } as const;

/** A file of a reply; `null`: no file, or none that is shown. */
type FileReply = { readonly encoding?: string | null | undefined; readonly content?: string | null | undefined } | null;

function fileOf(reply: FileReply): FileAtCommit {
  if (reply?.encoding !== "base64") return UNREADABLE;
  const bytes = Buffer.from(reply.content ?? "", "base64");
  if (bytes.length > MAX_FILE_BYTES) return UNREADABLE;
  try {
    const text = normaliseText(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (text.includes("\0")) return UNREADABLE;
    return { status: "text", lines: text === "" ? [] : text.replace(/\n$/, "").split("\n") };
  } catch {
    return UNREADABLE;
  }
}

/** Tells once why, how long and until when requests wait, though several wait together. */
function waitAnnouncer(name: string, advice: string, onMessage: (message: string) => void) {
  let announcedUntil = 0;
  return (seconds: number, reason: string) => {
    const until = Date.now() + seconds * 1000;
    if (until < announcedUntil + 2000) return;
    announcedUntil = until;
    const duration = seconds < 120 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
    const time = new Date(until).toISOString().slice(11, 19);
    onMessage(`${name}: ${reason}; waiting ${duration}, until ${time} UTC.${advice}`);
  };
}

/**
 * The address of a forge's API: the content of its first variable that is set, or the public one.
 * @throws ProbeError `bad_input` when it is no address, or holds a secret: it is written down beside the data
 */
export function forgeApiUrl({ apiVariables, publicUrl, exampleUrl }: ForgeWords, environment = process.env): string {
  const variable = apiVariables.find((name) => (environment[name]?.trim() ?? "") !== "");
  if (variable === undefined) return publicUrl;
  const text = environment[variable]?.trim() ?? "";
  const url = URL.canParse(text) && /^https?:/.test(text) ? new URL(text) : null;
  if (url === null) {
    throw badInput(`Expected an address such as ${exampleUrl} in $${variable}, found another text.`);
  }
  if (url.username + url.password + url.search + url.hash !== "") {
    throw badInput(
      `Expected a plain address such as ${exampleUrl} in $${variable}, found one with a user, a password, a query or a ` +
        "fragment. A token has a variable of its own.",
    );
  }
  return text.replace(/\/+$/, "");
}
