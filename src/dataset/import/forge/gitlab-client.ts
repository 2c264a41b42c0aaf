import { shorten } from "../../../base/text.js";
import { fetchFor, isUnreachable, patientFetch } from "../host-requests.js";
import type { ForgeAccess, ForgeWords } from "./forge.js";
import { ShapeError, UnreachableError } from "./forge-error.js";
import { apiUrlOf, waitAnnouncer } from "./forge-reply.js";

export const GITLAB: ForgeWords = {
  name: "GitLab",
  repository: "project",
  requests: "merge requests",
  mark: "!",
  apiVariable: "GITLAB_API_URL",
  tokenVariable: "GITLAB_TOKEN",
  mayRead: "the API (scope read_api) of this project",
};

type Query = Readonly<Record<string, string>>;

/** GitLab answered with an error. */
class ReplyError extends Error {
  override readonly name = "ReplyError";
  readonly response: { readonly headers: Readonly<Record<string, string>> };

  constructor(
    readonly status: number,
    message: string,
    headers: Headers,
  ) {
    super(message);
    this.response = { headers: Object.fromEntries(headers) };
  }
}

/** Asks GitLab's REST API, waits out its limits, tries passing faults again, and tells when it waits. */
export class GitLabClient {
  readonly #apiUrl: string;
  readonly #fetch: typeof fetch;

  constructor({ apiUrl, token, signal, onMessage }: ForgeAccess) {
    const advice = token === null ? " With a token in GITLAB_TOKEN GitLab may allow more requests." : "";
    const announce = waitAnnouncer(GITLAB.name, advice, onMessage);
    const onWait = (seconds: number, found: string) => announce(found, seconds);
    this.#apiUrl = apiUrl;
    this.#fetch = patientFetch(
      { signal, tries: 6, longestWaitSeconds: 3600, secondsAsked, onWait },
      fetchFor(apiUrl, token, (secret) => ({ "private-token": secret })),
    );
  }

  /** The JSON of one reply. */
  async get(path: string, query: Query = {}): Promise<unknown> {
    return jsonOf(await this.#ask(path, new URLSearchParams(query)));
  }

  /** The JSON of every page of a list, by the `Link` header or, without one, by `X-Next-Page`. */
  async *pages(path: string, query: Query = {}): AsyncGenerator<unknown> {
    const asked = new Set<string>();
    let next: URLSearchParams | null = new URLSearchParams({ ...query, per_page: "100" });
    while (next !== null && !asked.has(next.toString())) {
      asked.add(next.toString());
      const reply: Response = await this.#ask(path, next);
      yield await jsonOf(reply);
      next = nextPage(reply.headers, next);
    }
  }

  async #ask(path: string, query: URLSearchParams): Promise<Response> {
    const reply = await this.#fetch(`${this.#apiUrl}/${path}?${query}`, { headers: HEADERS }).catch(
      (error: unknown) => {
        throw isUnreachable(error) ? new UnreachableError(error) : error;
      },
    );
    if (reply.ok) return reply;
    throw new ReplyError(reply.status, messageIn(await reply.text()), reply.headers);
  }
}

const HEADERS = { accept: "application/json", "user-agent": "code-review-probe" };

/** Where a limit lifts at the end of a minute, as GitLab tells it in `RateLimit-Reset` (Unix time) or not at all. */
function secondsAsked({ status, headers }: Response): number | null {
  if (status !== 429) return null;
  const reset = Number(headers.get("ratelimit-reset") ?? Number.NaN);
  return Number.isFinite(reset) ? Math.max(1, Math.ceil(reset - Date.now() / 1000)) : 60;
}

/** Only the query of the link is taken: behind a proxy GitLab may not know its own address. */
function nextPage(headers: Headers, query: URLSearchParams): URLSearchParams | null {
  const link = /<([^<>]+)>\s*;[^,<]*\brel="?next"?/.exec(headers.get("link") ?? "")?.[1];
  if (link !== undefined && URL.canParse(link)) return new URL(link).searchParams;
  const page = headers.get("x-next-page")?.trim() ?? "";
  return /^\d+$/.test(page) ? new URLSearchParams({ ...Object.fromEntries(query), page }) : null;
}

async function jsonOf(reply: Response): Promise<unknown> {
  const text = await reply.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new ShapeError(
      `no JSON (${shorten(text.trim(), 60)}). ${GITLAB.apiVariable} is the address of the API, such as ${EXAMPLE}`,
    );
  }
}

/** GitLab has it in `message` or `error`; a proxy answers with a page of its own. */
function messageIn(body: string): string {
  try {
    const { message, error }: Record<string, unknown> = JSON.parse(body) ?? {};
    return shorten(typeof message === "string" ? message : JSON.stringify(message ?? error ?? ""), 200);
  } catch {
    return shorten(body.trim(), 60);
  }
}

const EXAMPLE = "https://gitlab.example.com/api/v4";

/**
 * The address of GitLab's API: `$GITLAB_API_URL`, in a job of GitLab's CI `$CI_API_V4_URL`, or the public one.
 * @throws ProbeError `bad_input` when it is no address
 */
export function gitLabApiUrl(environment: NodeJS.ProcessEnv = process.env): string {
  return apiUrlOf([GITLAB.apiVariable, "CI_API_V4_URL"], "https://gitlab.com/api/v4", EXAMPLE, environment);
}
