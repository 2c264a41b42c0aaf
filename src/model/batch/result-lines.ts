import { messageOf, ProbeError } from "../../base/errors.js";
import type { Bytes } from "../../base/text.js";
import { splitLines } from "../../store/text-lines.js";
import { WholeReply } from "../http/reply-body.js";
import { errorOfConnection, errorOfReply, RequestError } from "../http/request-error.js";
import type { WireAccess } from "../server/server-reader.js";

/** Means to send requests about batches. */
export interface BatchAccess extends WireAccess {
  readonly baseUrl: string;
  /** Hands a reply over as it comes. */
  readonly stream: typeof fetch;
}

/**
 * Streams the lines of a page of results, parsed; a line that is no JSON is `null`. Memory: one line.
 * @throws RequestError when the page is not there, is cut short, or has a line that goes beyond a limit
 */
export async function* resultLines(
  send: () => Promise<Response>,
  { redact }: Pick<BatchAccess, "redact">,
): AsyncGenerator<unknown> {
  try {
    const response = await send();
    const { status, headers, body } = response;
    if (status < 200 || status > 299) throw errorOfReply(status, redact(await response.text()), headers, Date.now());
    if (body === null) return;
    for await (const lines of splitLines("the results of a batch", body))
      for (const { bytes } of lines) if (bytes.length > 0) yield await parsed(bytes, redact);
  } catch (error) {
    if (error instanceof ProbeError) throw beyond(messageOf(error), error);
    throw errorOfConnection(error, redact);
  }
}

async function parsed(bytes: Bytes, redact: BatchAccess["redact"]): Promise<unknown> {
  const line = new WholeReply(bytes, { status: 200, headers: [], url: "" }, redact);
  return line.json().catch(() => null);
}

function beyond(message: string, cause: unknown): RequestError {
  return new RequestError({ trouble: "permanent", failure: "bad_response", status: 200, message, cause });
}
