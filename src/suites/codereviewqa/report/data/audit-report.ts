import { join } from "node:path";
import { ProbeError } from "../../../../base/errors.js";
import { shellWord } from "../../../../base/text.js";
import { type AuditFile, readAuditFile } from "../../audit/audit-file.js";
import { collectAudit } from "../../audit/collect.js";
import { auditFacts } from "../../audit/identity.js";
import { AUDIT_JOURNAL } from "../../audit/record.js";
import { type ContaminationRow, summariseContamination } from "../../metric/contamination/summarise.js";

/** A finished audit, as its folder tells it. */
export interface AuditReport {
  readonly folder: string;
  readonly audit: AuditFile & { readonly results: NonNullable<AuditFile["results"]> };
  readonly summary: readonly ContaminationRow[];
}

/**
 * Reads a finished audit and computes its numbers from the journal; writes nothing.
 * @throws ProbeError `bad_input` when the folder holds no audit, or one that is not finished
 */
export async function readAuditReport(folder: string): Promise<AuditReport> {
  const audit = await readAuditFile(folder);
  const { results } = audit;
  if (results === null) {
    throw new ProbeError(
      "bad_input",
      `Expected a finished audit in ${folder}, found one that is not. Finish it first: probe audit ` +
        `--resume ${shellWord(folder)}`,
    );
  }
  const benchmarks = results.counts.map(({ benchmark: name, forms }) => ({ name, forms }));
  const { sets } = await collectAudit(join(folder, AUDIT_JOURNAL.file), { benchmarks }, auditFacts(audit));
  const summary = summariseContamination(sets, { seed: audit.parameters.seed, resamples: results.resamples });
  return { folder, audit: { ...audit, results }, summary };
}
