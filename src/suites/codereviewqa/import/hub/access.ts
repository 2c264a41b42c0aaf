import { setTimeout as sleep } from "node:timers/promises";
import { ProbeError } from "../../../../base/errors.js";
import { RequestError } from "../../../../model/http/request-error.js";
import { isUnreachable, retryAfterSeconds } from "../connection.js";
import { fetchReply } from "../network.js";
import { readToken, type Token } from "../token.js";

/** How the hub is reached. */
export interface HubAccess {
  /** Without a slash at the end. */
  readonly url: string;
  readonly token: Token | null;
  readonly signal: AbortSignal;
  /** Told when a request has to wait. */
  readonly onMessage: (message: string) => void;
}

const PUBLIC_HUB = "https://huggingface.co";

/**
 * The hub that `$HF_ENDPOINT` names, with the token in `$HF_TOKEN` or the variable named instead.
 * @throws ProbeError `bad_input` for an address or a token that cannot be one
 */
export function hubAccess(
  given: Pick<HubAccess, "signal" | "onMessage"> & { readonly tokenVariable?: string | undefined },
  environment: NodeJS.ProcessEnv = process.env,
): HubAccess {
  const { tokenVariable = "HF_TOKEN", signal, onMessage } = given;
  const token = readToken([tokenVariable], environment);
  if (token !== null && !token.secret.startsWith("hf_")) {
    throw new ProbeError(
      "bad_input",
      `Expected a Hugging Face token in $${tokenVariable} (they begin with hf_), found something else.`,
    );
  }
  return { url: addressIn(environment["HF_ENDPOINT"]), token, signal, onMessage };
}

function addressIn(text: string | undefined): string {
  if (text === undefined || text.trim() === "") return PUBLIC_HUB;
  if (URL.canParse(text) && /^https?:/.test(text)) return text.replace(/\/+$/, "");
  throw new ProbeError(
    "bad_input",
    "Expected an address such as https://huggingface.co in $HF_ENDPOINT, found another text.",
  );
}

const TRIES = 4;
const PASSING_STATUSES: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
const LONGEST_WAIT_SECONDS = 300;

/**
 * `fetch` that asks again, up to three times, after passing faults; waits as long as the hub asks it to.
 * @param send how one request is sent: by default for a reply that is read as a whole
 */
export function patientFetch({ signal, onMessage }: HubAccess, send: typeof fetch = fetchReply): typeof fetch {
  return async (input, init) => {
    for (let attempt = 1; ; attempt++) {
      const reply = await attemptFetch(() => send(input, { ...init, signal }), signal, attempt);
      if (reply !== null && (!PASSING_STATUSES.has(reply.status) || attempt === TRIES)) return reply;
      const asked = retryAfterSeconds(reply?.headers.get("retry-after"), Date.now());
      const seconds = Math.min(asked ?? attempt ** 2, LONGEST_WAIT_SECONDS);
      const found = reply === null ? "the connection broke" : `it answered ${reply.status}`;
      onMessage(`Asking the hub again in ${seconds} s: ${found}.`);
      await reply?.body?.cancel();
      await sleep(seconds * 1000, undefined, { signal });
    }
  };
}

/** `null`: a passing fault of the connection. */
async function attemptFetch(
  send: () => Promise<Response>,
  signal: AbortSignal,
  attempt: number,
): Promise<Response | null> {
  try {
    return await send();
  } catch (error) {
    const isOver = isUnreachable(error) || error instanceof RequestError || attempt === TRIES;
    if (signal.aborted || isOver) throw error;
    return null;
  }
}
