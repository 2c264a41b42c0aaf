/**
 * Works on a stream of items, some at once; memory: the items under way. Ends when there are no more, `isOver` says so,
 * or one fails: what is under way then is still finished.
 * @throws what the first item that failed threw
 */
export async function workAtOnce<T>(
  items: AsyncGenerator<T>,
  atOnce: number,
  isOver: () => boolean,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  const worker = async () => {
    while (!isOver() && failures.length === 0) {
      const next = await items.next();
      if (next.done === true) return;
      await work(next.value);
    }
  };
  const workers = Array.from({ length: atOnce }, () => worker().catch((error: unknown) => failures.push(error)));
  await Promise.all(workers);
  await items.return(undefined);
  if (failures.length > 0) throw failures[0];
}

/** Identical failures in a row after which the model is given up. */
const MAX_SAME_FAILURES = 20;
const REQUEST_HASH = /; request sha256 [0-9a-f]{64}$/;

/** Reason why the model was given up. */
export interface GaveUp {
  readonly detail: string;
  readonly failures: number;
}

/** Outcome of a request, as far as the guard needs it. */
type Outcome =
  | { readonly status: "failed"; readonly failure: string; readonly detail: string }
  | { readonly status: "chosen" | "undecided" | "generated" | "scored" | "completed" };

/** Ends a run whose model fails the same way again and again. */
export class FailureGuard {
  gaveUp: GaveUp | null = null;
  #last = "";
  #count = 0;

  /** Notes an outcome; whether to stop asking. */
  isHopeless({ outcome }: { readonly outcome: Outcome }): boolean {
    // The request's hash differs from answer to answer.
    const detail =
      outcome.status === "failed" && outcome.failure === "unavailable" ? outcome.detail.replace(REQUEST_HASH, "") : "";
    this.#count = detail !== "" && detail === this.#last ? this.#count + 1 : 1;
    this.#last = detail;
    if (detail !== "" && this.#count >= MAX_SAME_FAILURES) this.gaveUp = { detail, failures: this.#count };
    return this.gaveUp !== null;
  }
}
