import { ProbeError } from "../../../base/errors.js";
import { findVendor, withoutBatches } from "../../../model/vendor/vendors.js";
import type { RunRequest } from "./run-request.js";

/**
 * Refuses `--batch` with what has to know answers before it asks on, and for models whose service has no batches.
 * @throws ProbeError `bad_input`
 */
export function requireBatch({ batch, batchWait, until, earlyStop, model }: RunRequest): void {
  if (batch === undefined) {
    if (batchWait === undefined) return;
    throw new ProbeError(
      "bad_input",
      "Expected --batch-wait with --batch, found it alone. Add --batch, or leave it out.",
    );
  }
  const other = until !== undefined ? "--until decided" : earlyStop ? "--early-stop" : null;
  if (other !== null)
    throw new ProbeError(
      "bad_input",
      `Expected --batch or ${other}, found both: the latter asks on by the answers so far, and a batch takes up to a day ` +
        "for all of them. Leave one out.",
    );
  if (findVendor(model.provider)?.batch === undefined) throw withoutBatches(model.label);
}
