import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** Every reply with a status of 400 or above that is no page. */
export interface Refused {
  readonly error: string;
}

/** Says why a request is not served. */
export function refuse(
  context: Context,
  status: ContentfulStatusCode,
  error: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body: Refused = { error };
  return context.json(body, status, headers);
}
