import OpenAI from "openai";
import type { WireAccess } from "../server/server-reader.js";
import type { Vendor } from "../vendor/vendors.js";

interface ClientOptions {
  readonly vendor: Vendor;
  /** `true` where replies with an error status are not to be thrown by the package. */
  readonly passesErrors?: boolean;
}

/** A client of the `openai` package: no tries of its own (the endpoint counts them), no headers from the environment. */
export function openaiClient(
  baseURL: string,
  { apiKey, timeoutMs, fetch: send }: WireAccess,
  { vendor, passesErrors = false }: ClientOptions,
): OpenAI {
  const own = withOwnHeaders(send, apiKey, vendor);
  return new OpenAI({
    baseURL,
    apiKey: apiKey ?? "none",
    maxRetries: 0,
    timeout: timeoutMs,
    fetch: passesErrors ? passingErrors(own) : own,
    logLevel: "off",
  });
}

/** Headers of the package that any server may have. */
const PLAIN_HEADERS = ["accept", "content-type", "user-agent"];

/**
 * The package takes headers from the environment (`OPENAI_ADMIN_KEY` in place of the key, `OPENAI_CUSTOM_HEADERS`,
 * `OPENAI_ORG_ID`, `OPENAI_PROJECT_ID`), whatever the server. Here a server has the key that is meant for it, and the
 * vendor's own service the account too.
 */
function withOwnHeaders(send: typeof fetch, apiKey: string | null, vendor: Vendor): typeof fetch {
  return (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const isOwn = new URL(url).origin === new URL(vendor.baseUrl).origin;
    const names = [...PLAIN_HEADERS, ...((isOwn && vendor.accountHeaders) || [])];
    const headers = new Headers([...new Headers(init?.headers)].filter(([name]) => names.includes(name)));
    if (apiKey !== null) headers.set("authorization", `Bearer ${apiKey}`);
    return send(input, { ...init, headers });
  };
}

/**
 * The package makes errors of replies with an error status, and keeps of their body what lies under `error`: where others
 * put theirs (vLLM before 0.10, FastAPI) and the codes are lost. Here it passes them on, and `readJsonReply` judges them.
 */
function passingErrors(send: typeof fetch): typeof fetch {
  return async (input, init) => Object.defineProperty(await send(input, init), "ok", { value: true });
}
