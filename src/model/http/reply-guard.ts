import { z } from "zod";
import { errorOfContent } from "./request-error.js";

const identified = z.looseObject({ id: z.string().min(8) });
const echoed = z.looseObject({ prompt: z.string() });

/** Replies remembered: more than can be under way on one connection. */
const REMEMBERED = 256;

/**
 * Catches replies that belong to another request: a proxy that sends one twice leaves the second on the connection,
 * where the next request would take it for its own. undici drops a connection on which something lies while it is idle;
 * what comes a few milliseconds later, when the next request is on its way, it cannot tell.
 */
export class ReplyGuard {
  readonly #seen = new Set<string>();

  /**
   * Throws RequestError when the reply repeats an earlier one, or (where the server says) is to another prompt; `null`:
   * what the server says is not the prompt as it was sent.
   */
  check({ json, text }: { readonly json: unknown; readonly text: string }, prompt: string | null): void {
    const repeated = echoed.safeParse(json).data?.prompt;
    // Servers show the prompt with BOS before it, and may fold what their tokenizer does.
    if (repeated !== undefined && prompt !== null && !fold(repeated).endsWith(fold(prompt)))
      throw errorOfContent("a reply to another prompt", text);
    if (!identified.safeParse(json).success) return;
    if (this.#seen.has(text)) throw errorOfContent("the same reply a second time", text);
    this.#seen.add(text);
    const [oldest] = this.#seen;
    if (this.#seen.size > REMEMBERED && oldest !== undefined) this.#seen.delete(oldest);
  }
}

function fold(text: string): string {
  return text.normalize("NFKC").replace(/\s+/g, " ");
}
