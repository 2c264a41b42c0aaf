import http from "node:http";
import https from "node:https";

type Fetch = typeof fetch;

/**
 * A `fetch` over node's own HTTP client, which keeps connections open and uses a third of the processor time of the
 * built-in one. For JSON requests with a text body; the whole reply is read before it resolves.
 * @param maxSockets connections kept to one host
 */
export function keepAliveFetch(maxSockets: number): { fetch: Fetch; close: () => void } {
  const options = { keepAlive: true, maxSockets, scheduling: "fifo" } as const;
  const agents = { "http:": new http.Agent(options), "https:": new https.Agent(options) };
  const send: Fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const body = init?.body;
    if (body !== undefined && body !== null && typeof body !== "string") throw new TypeError("Expected a text body.");
    const { signal } = init ?? {};
    signal?.throwIfAborted();
    const { request } = url.protocol === "https:" ? https : http;
    return await new Promise<Response>((resolve, reject) => {
      const message = request(url, {
        method: init?.method ?? "GET",
        agent: url.protocol === "https:" ? agents["https:"] : agents["http:"],
        headers: { ...Object.fromEntries(new Headers(init?.headers)), "accept-encoding": "identity" },
        ...(signal && { signal }),
      });
      message.once("response", (reply) => {
        readReply(reply).then(resolve, reject);
      });
      message.once("error", reject);
      message.end(body ?? undefined);
    });
  };
  return {
    fetch: send,
    close: () => {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

async function readReply(reply: http.IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = [];
  for await (const chunk of reply as AsyncIterable<Buffer>) chunks.push(chunk);
  if (!reply.complete) throw new Error("the connection closed before the whole reply had come");
  const status = reply.statusCode ?? 0;
  const headers = Object.entries(reply.headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, each]),
  );
  // A status without a body must not be given one.
  const isBodyless = [101, 204, 205, 304].includes(status);
  return new Response(isBodyless ? null : Buffer.concat(chunks), { status, headers });
}
