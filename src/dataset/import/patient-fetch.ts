import { setTimeout as sleep } from "node:timers/promises";
import { RefusedBody } from "../../model/http/whole-reply.js";
import { isUnreachable, retryAfterSeconds } from "./connection.js";

/** How passing faults are waited out. */
export interface Patience {
  readonly signal: AbortSignal;
  /** How often one request is sent at most. */
  readonly tries: number;
  readonly longestWaitSeconds: number;
  /** What a reply without `Retry-After` asks for by other means; `null`: nothing. */
  readonly secondsAsked?: (reply: Response) => number | null;
  /** Told before each wait. */
  readonly onWait: (seconds: number, found: string) => void;
}

const PASSING_STATUSES: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** `fetch` that asks again after passing faults; waits as long as the server asks it to. */
export function patientFetch(patience: Patience, send: typeof fetch): typeof fetch {
  const { signal, tries, longestWaitSeconds, onWait } = patience;
  const secondsAsked = (reply: Response) =>
    retryAfterSeconds(reply.headers.get("retry-after"), Date.now()) ?? patience.secondsAsked?.(reply) ?? null;
  return async (input, init) => {
    for (let attempt = 1; ; attempt++) {
      const reply = await attemptFetch(() => send(input, { ...init, signal }), signal, attempt === tries);
      if (reply !== null && (!PASSING_STATUSES.has(reply.status) || attempt === tries)) return reply;
      const asked = reply === null ? null : secondsAsked(reply);
      const seconds = Math.min(asked ?? attempt ** 2, longestWaitSeconds);
      onWait(seconds, reply === null ? "the connection broke" : `it answered ${reply.status}`);
      await reply?.body?.cancel();
      await sleep(seconds * 1000, undefined, { signal });
    }
  };
}

/** `null`: a passing fault of the connection. */
async function attemptFetch(
  send: () => Promise<Response>,
  signal: AbortSignal,
  isLast: boolean,
): Promise<Response | null> {
  try {
    return await send();
  } catch (error) {
    if (signal.aborted || isLast || isUnreachable(error) || error instanceof RefusedBody) throw error;
    return null;
  }
}
