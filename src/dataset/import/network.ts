import { Agent, type Dispatcher, interceptors } from "undici";
import { fetchWhole, send } from "../../model/http/http-client.js";
import { MAX_BODY_BYTES } from "../../model/http/read-body.js";
import { type Token, withoutToken } from "./token.js";

/** GitHub and GitLab redirect from a repository's old name, the hub to where it keeps its files. */
const redirect = interceptors.redirect({ maxRedirections: 5 });

const replies = new Agent({ maxResponseSize: MAX_BODY_BYTES }).compose(redirect);
const files = new Agent().compose(redirect);

/** `fetch` for what is read as a whole: no more than `MAX_BODY_BYTES` of it. */
export const fetchReply: typeof fetch = (input, init) => fetchWhole(replies, input, init);

/**
 * Likewise from an API that wants a token. The token's header is added to what goes to the API's own scheme, host and
 * port, and to nothing else, wherever redirections or links between pages lead; a reply that repeats the token is rid of
 * it.
 * @param headerOf the header that a token is sent in
 */
export function fetchFor(
  apiUrl: string,
  token: Token | null,
  headerOf: (secret: string) => Readonly<Record<string, string>>,
): typeof fetch {
  const { origin } = new URL(apiUrl);
  const header = token === null ? {} : headerOf(token.secret);
  const api = new Agent({ maxResponseSize: MAX_BODY_BYTES }).compose(addTo(origin, header), redirect);
  return (input, init) => fetchWhole(api, input, init, (text) => withoutToken(text, token));
}

function addTo(origin: string, secret: Readonly<Record<string, string>>): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const isOwn = options.origin !== undefined && new URL(options.origin).origin === origin;
    return dispatch(isOwn ? { ...options, headers: withSecret(options.headers, secret) } : options, handler);
  };
}

/** Headers come as they were given, or after a redirection as a flat list of names and values. */
function withSecret(
  headers: Dispatcher.DispatchOptions["headers"],
  secret: Readonly<Record<string, string>>,
): string[] | Record<string, string | string[] | undefined> {
  if (Array.isArray(headers)) return [...headers, ...Object.entries(secret).flat()];
  const given = headers == null ? [] : Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries([...given, ...Object.entries(secret)]);
}

/** `fetch` for a file that is written as it comes; its reader counts the bytes. What is no file is read as a whole. */
export const fetchFile: typeof fetch = async (input, init) => {
  const { head, body } = await send(files, input, init);
  if (head.status < 300) return new Response(streamOf(body), head);
  await body.dump();
  return fetchReply(input, init);
};

function streamOf(body: Dispatcher.ResponseData["body"]): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void body.destroy(),
  });
}
