import type { Refused, ReviewState, Saved, ShownExample } from "../protocol.js";

const TIMEOUT_MS = 15_000;

/** What the page asks of the server. Every call throws an `Error` that says why it failed. */
export const serverApi = {
  state: () => ask<ReviewState>("api/state"),
  example: (position: number) => ask<ShownExample>(`api/examples/${position}`),
  decide: (body: object) => ask<Saved>("api/decisions", body),
  decideQuestion: (body: object) => ask<Saved>("api/questions", body),
  note: (body: object) => ask<Saved>("api/notes", body),
};

export type ServerApi = typeof serverApi;

async function ask<T>(path: string, body?: object): Promise<T> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const request: RequestInit =
    body === undefined
      ? { signal }
      : { signal, method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  let response: Response;
  try {
    response = await fetch(path, request);
  } catch {
    throw new Error("The server does not answer. Has `probe dataset review` been stopped?");
  }
  const reply = (await response.json()) as T | Refused;
  if (!response.ok) throw new Error((reply as Refused).error);
  return reply as T;
}
