import { recordedAsks } from "../../../console/named-model.js";
import { ANY_RUN, readRun } from "../../../run/folder/run-folder.js";
import { FIRST_SUITE } from "../../../run/run-record.js";
import type { TrustPlace } from "../../../run/suite-entry.js";
import type { Ask } from "../../../trust/claim.js";
import { findAuditFile } from "../audit/audit-file.js";
import { AUDIT_HOLDER } from "../audit/audit-plan.js";
import { type RunFile, runFileSchema } from "../record/run-file.js";
import { probeAsks } from "./probe-modules.js";

/** The modules that `probe.config.json` and a run name, and the server and key of an audit. */
export async function reviewAsks({ workingDirectory, folder }: TrustPlace): Promise<readonly Ask[]> {
  const run = folder === null ? null : await reviewRun(folder);
  const audit = folder === null ? null : await findAuditFile(folder);
  const modules = await probeAsks(workingDirectory, run);
  if (audit === null) return modules;
  const { needed } = await recordedAsks({ record: audit, holder: AUDIT_HOLDER }, workingDirectory);
  return [...modules, ...needed];
}

/** `null` where there is no run, or one of another suite. */
async function reviewRun(folder: string): Promise<RunFile | null> {
  const run = await ANY_RUN.find(folder);
  return run?.suite === FIRST_SUITE ? readRun({ name: run.suite, schema: runFileSchema }, folder) : null;
}
