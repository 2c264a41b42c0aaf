/** Identical failures in a row after which the model is given up. */
const MAX_SAME_FAILURES = 20;
const REQUEST_HASH = /; request sha256 [0-9a-f]{64}$/;

/** Why the model was given up. */
export interface GaveUp {
  readonly detail: string;
  readonly failures: number;
}

/** What a request came to, as far as the guard is concerned. */
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
