import { setTimeout as sleep } from "node:timers/promises";
import { Octokit } from "@octokit/core";
import { paginateRest } from "@octokit/plugin-paginate-rest";
import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import { ProbeError } from "../../../../base/errors.js";
import { fetchReply } from "../network.js";
import type { Token } from "../token.js";
import { MOST_WAITS, patience } from "./patience.js";

/** How GitHub is reached. */
export interface GitHubAccess {
  /** Base of the REST API, without a slash at the end. */
  readonly apiUrl: string;
  readonly token: Token | null;
  readonly signal: AbortSignal;
  /** Told when a request has to wait. */
  readonly onMessage: (message: string) => void;
}

const Client = Octokit.plugin(patience, paginateRest, retry, throttling);

export type GitHubClient = InstanceType<typeof Client>;

/**
 * A client that waits out rate limits (primary, secondary, `Retry-After`), tries transient errors again three times, and
 * tells when it waits.
 */
export function githubClient({ apiUrl, token, signal, onMessage }: GitHubAccess): GitHubClient {
  const announce = waitAnnouncer(token !== null, onMessage);
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
    ...(token !== null && { auth: token.secret }),
    log: SILENT,
    request: { signal, log: SILENT, fetch: fetchReply },
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

/** Says once why, how long and until when requests wait, though several wait together. */
function waitAnnouncer(
  hasToken: boolean,
  onMessage: (message: string) => void,
): (reason: string, seconds: number) => void {
  let announcedUntil = 0;
  return (reason, seconds) => {
    const until = Date.now() + seconds * 1000;
    if (until < announcedUntil + 2000) return;
    announcedUntil = until;
    const duration = seconds < 120 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
    const time = new Date(until).toISOString().slice(11, 19);
    const advice = hasToken ? "" : " With a token in GITHUB_TOKEN GitHub allows 5,000 requests an hour, not 60.";
    onMessage(`GitHub: ${reason}; waiting ${duration}, until ${time} UTC.${advice}`);
  };
}

/**
 * The address of GitHub's API: `$GITHUB_API_URL`, or the public one.
 * @throws ProbeError `bad_input` when it is no address
 */
export function gitHubApiUrl(environment: NodeJS.ProcessEnv = process.env): string {
  const text = environment["GITHUB_API_URL"]?.trim() || "https://api.github.com";
  if (URL.canParse(text) && /^https?:/.test(text)) return text.replace(/\/+$/, "");
  throw new ProbeError(
    "bad_input",
    "Expected an address such as https://github.example.com/api/v3 in $GITHUB_API_URL, found another text.",
  );
}
