/**
 * What came of a check.
 * - `failed`: a finding about the model, such as that it does not bind letters to options
 * - `error`: the measurement itself is not whole, such as when answers failed
 * - `skipped`: there is nothing to judge
 */
export type CiCheckResult =
  | { readonly status: "passed"; readonly text: string }
  | { readonly status: "failed" | "error"; readonly kind: string; readonly message: string; readonly text: string }
  | { readonly status: "skipped"; readonly reason: string };

/** One thing that a CI job wants to hold. */
export interface CiCheck {
  readonly name: string;
  readonly result: CiCheckResult;
}

/** The checks of one probe form. */
export interface CiSuite {
  readonly name: string;
  /** Names and values for whoever evaluates the report. */
  readonly properties: ReadonlyMap<string, string>;
  readonly checks: readonly CiCheck[];
}

/** Checks as a CI server shows them. */
export interface CiReport {
  readonly name: string;
  /** When they were made, as ISO 8601; `null` when that is not one time. */
  readonly timestamp: string | null;
  readonly durationMs: number | null;
  readonly suites: readonly CiSuite[];
}
