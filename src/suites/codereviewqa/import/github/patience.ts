import type { Octokit } from "@octokit/core";
import { messageOf } from "../../../../base/errors.js";
import { RefusedBody } from "../../../../model/http/whole-reply.js";
import { isUnreachable, retryAfterSeconds } from "../connection.js";
import { replyOf, UnreachableError } from "../forge/errors.js";

/** How often one request waits for a limit to lift. */
export const MOST_WAITS = 5;

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
export function patience(octokit: Octokit, { wait }: PatienceOptions): Record<never, never> {
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
