import http from "node:http";
import https from "node:https";

type Fetch = typeof fetch;

/** Ways to send requests over node's own HTTP client. */
export interface HttpClient {
  /** Keeps connections open. */
  readonly fetch: Fetch;
  /** A connection of its own for every request: nothing that was left on one can be taken for a reply. */
  readonly freshFetch: Fetch;
  /** Gives up the open connections once their requests are done; the next requests open new ones. */
  readonly refresh: () => void;
  readonly close: () => void;
}

/**
 * A `fetch` over node's own HTTP client, which uses a third of the processor time of the built-in one. For JSON requests
 * with a text body; the whole reply is read before it resolves.
 * @param maxSockets connections kept to one host
 */
export function httpClient(maxSockets: number): HttpClient {
  let agents = newAgents(maxSockets);
  let retired: Agents[] = [];
  return {
    fetch: (input, init) => send(input, init, (isSecure) => (isSecure ? agents.https : agents.http)),
    freshFetch: (input, init) => send(input, init, () => false),
    refresh: () => {
      for (const agent of [agents.http, agents.https]) retire(agent);
      retired = [...retired, agents].filter(isInUse);
      agents = newAgents(maxSockets);
    },
    close: () => {
      for (const { http: plain, https: secure } of [agents, ...retired]) {
        plain.destroy();
        secure.destroy();
      }
    },
  };
}

interface Agents {
  readonly http: http.Agent;
  readonly https: https.Agent;
}

function newAgents(maxSockets: number): Agents {
  const options = { keepAlive: true, maxSockets, scheduling: "fifo" } as const;
  return { http: new http.Agent(options), https: new https.Agent(options) };
}

/** Closes an agent's idle connections now, and the others when their request is done. */
function retire(agent: http.Agent): void {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}

function isInUse({ http: plain, https: secure }: Agents): boolean {
  return [plain, secure].some(({ sockets }) => Object.keys(sockets).length > 0);
}

async function send(
  input: Parameters<Fetch>[0],
  init: Parameters<Fetch>[1],
  agentFor: (isSecure: boolean) => http.Agent | false,
): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input);
  const body = init?.body;
  if (body !== undefined && body !== null && typeof body !== "string") throw new TypeError("Expected a text body.");
  const { signal } = init ?? {};
  signal?.throwIfAborted();
  const isSecure = url.protocol === "https:";
  const { request } = isSecure ? https : http;
  return await new Promise<Response>((resolve, reject) => {
    const message = request(url, {
      method: init?.method ?? "GET",
      agent: agentFor(isSecure),
      headers: { ...Object.fromEntries(new Headers(init?.headers)), "accept-encoding": "identity" },
      ...(signal && { signal }),
    });
    message.once("response", (reply) => {
      readReply(reply).then(resolve, reject);
    });
    message.once("error", reject);
    message.end(body ?? undefined);
  });
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
