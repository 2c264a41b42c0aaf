import { badInput } from "../../base/errors.js";
import { fetchReply, patientFetch, readToken, type Token } from "./host-requests.js";

/** Access to the hub. */
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
    throw badInput(`Expected a Hugging Face token in $${tokenVariable} (they begin with hf_), found something else.`);
  }
  return { url: addressIn(environment["HF_ENDPOINT"]), token, signal, onMessage };
}

function addressIn(text: string | undefined): string {
  if (text === undefined || text.trim() === "") return PUBLIC_HUB;
  if (URL.canParse(text) && /^https?:/.test(text)) return text.replace(/\/+$/, "");
  throw badInput("Expected an address such as https://huggingface.co in $HF_ENDPOINT, found another text.");
}

/**
 * `fetch` that asks the hub again, up to three times, after passing faults; waits as long as the hub asks it to.
 * @param send how one request is sent: by default for a reply that is read as a whole
 */
export function patientHubFetch({ signal, onMessage }: HubAccess, send: typeof fetch = fetchReply): typeof fetch {
  const onWait = (seconds: number, found: string) => onMessage(`Asking the hub again in ${seconds} s: ${found}.`);
  return patientFetch({ signal, tries: 4, longestWaitSeconds: 300, onWait }, send);
}
