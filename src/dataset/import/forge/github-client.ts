import { setTimeout as sleep } from "node:timers/promises";
import { Octokit } from "@octokit/core";
import { paginateRest } from "@octokit/plugin-paginate-rest";
import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import { messageOf } from "../../../base/errors.js";
import { RefusedBody } from "../../../model/http/reply-body.js";
import { fetchFor, isUnreachable, retryAfterSeconds } from "../host-requests.js";
import type { ForgeAccess, ForgeWords } from "./forge.js";
import { replyOf, UnreachableError } from "./forge-error.js";
import { apiUrlOf, waitAnnouncer } from "./forge-reply.js";

/** How often one request waits for a limit to lift. */
const MOST_WAITS = 5;

/** Tells why and for how many seconds it waits, and waits. */
type Wait = (reason: string, seconds: number) => Promise<void>;

interface PatienceOptions {
  readonly wait?: Wait;
  readonly [option: string]: unknown;
}

/**
 * A plugin of the client's that waits where a reply asks for it by a plain `Retry-After`, which the throttling plugin
 * passes over, and marks what cannot be reached at all or is refused: the retry plugin would ask again in vain.
 */
function patience(octokit: Octokit, { wait }: PatienceOptions): Record<never, never> {
  octokit.hook.wrap("request", (request, parameters) => patiently(async () => request(parameters), wait));
  return {};
}

async function patiently<T>(ask: () => Promise<T>, wait: Wait | undefined): Promise<T> {
  for (let waits = 0; ; waits++) {
    try {
      return await ask();
    } catch (error) {
      const final = finalError(error);
      if (final !== null) throw final;
      const seconds = waits < MOST_WAITS ? askedSeconds(error) : null;
      if (seconds === null) throw error;
      await wait?.("it asks to wait", seconds);
    }
  }
}

/** What no other try will change; `null`: one may. */
function finalError(error: unknown): Error | null {
  if (isUnreachable(error)) return new UnreachableError(error);
  return error instanceof Error && error.cause instanceof RefusedBody ? error.cause : null;
}

function askedSeconds(error: unknown): number | null {
  const reply = replyOf(error);
  if (reply === null || (reply.status !== 403 && reply.status !== 429)) return null;
  // These are the throttling plugin's.
  if (/\bsecondary rate\b/i.test(messageOf(error)) || reply.headers["x-ratelimit-remaining"] === "0") return null;
  return retryAfterSeconds(reply.headers["retry-after"], Date.now());
}

export const GITHUB: ForgeWords = {
  name: "GitHub",
  repository: "repository",
  requests: "pull requests",
  mark: "#",
  apiVariable: "GITHUB_API_URL",
  tokenVariable: "GITHUB_TOKEN",
  mayRead: "its contents and pull requests (and is authorised for its organisation's single sign-on)",
};

const Client = Octokit.plugin(patience, paginateRest, retry, throttling);

export type GitHubClient = InstanceType<typeof Client>;

/**
 * A client that waits out rate limits (primary, secondary, `Retry-After`), tries transient errors again three times, and
 * tells when it waits.
 */
export function githubClient({ apiUrl, token, signal, onMessage }: ForgeAccess): GitHubClient {
  const advice = " With a token in GITHUB_TOKEN GitHub allows 5,000 requests an hour, not 60.";
  const announce = waitAnnouncer(GITHUB.name, token === null ? advice : "", onMessage);
  const wait = async (reason: string, seconds: number) => {
    announce(reason, seconds);
    await sleep(seconds * 1000, undefined, { signal });
  };
  const limited = (reason: string) => async (seconds: number, _route: unknown, _client: unknown, waits: number) => {
    if (waits === MOST_WAITS) return false;
    await wait(reason, seconds);
    return true;
  };
  return new Client({
    baseUrl: apiUrl,
    userAgent: "code-review-probe",
    log: SILENT,
    request: {
      signal,
      log: SILENT,
      fetch: fetchFor(apiUrl, token, (secret) => ({ authorization: `token ${secret}` })),
    },
    wait,
    // 429 is the throttle's, not a passing fault.
    retry: { doNotRetry: [400, 401, 403, 404, 409, 410, 422, 429, 451] },
    throttle: {
      onRateLimit: limited("the hourly limit is used up"),
      onSecondaryRateLimit: limited("it asks for fewer requests"),
      // The waiting is done above, where an interrupt ends it.
      retryAfterBaseValue: 0,
    },
  });
}

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * The address of GitHub's API: `$GITHUB_API_URL`, or the public one.
 * @throws ProbeError `bad_input` when it is no address
 */
export function gitHubApiUrl(environment: NodeJS.ProcessEnv = process.env): string {
  const example = "https://github.example.com/api/v3";
  return apiUrlOf([GITHUB.apiVariable], "https://api.github.com", example, environment);
}
