import { programIdentity } from "../../../base/program-identity.js";
import type { Model } from "../../../model/model.js";
import { recordedConnection, recordedSettings } from "../../../model/recorded-model.js";
import { fingerprintOf, type WorkIdentity, workId } from "../../../store/identity.js";
import { NGRAM } from "../metric/contamination/starting-points.js";
import { AUDIT_SCHEMA_VERSION, type AuditFile } from "./audit-file.js";
import type { AuditPlan, PlannedBenchmark } from "./plan.js";
import type { AuditRequest } from "./request.js";

/** What an audit's record is called where something that it names needs trust. */
export const AUDIT_HOLDER = "the audit's audit.json";

/** The record of an audit that is about to begin. */
export function newAuditFile(plan: AuditPlan, model: Model, now: Date): AuditFile {
  const { request, benchmarks, forms } = plan;
  const label = request.model.label;
  const prompts = new Map(forms.map(({ template: { id, sha256: hash } }) => [id, { id, sha256: hash }]));
  const content = {
    model: {
      label,
      identity: { ...model.identity },
      threads: model.threads ?? null,
      connection: recordedConnection(request.connection, request.model.settings),
      check: model.check === undefined ? null : { ...model.check },
    },
    benchmarks: recordedBenchmarks(benchmarks, request.renamed),
    parameters: parametersOf(request),
    prompts: [...prompts.values()],
  };
  return {
    schema_version: AUDIT_SCHEMA_VERSION,
    program: programIdentity(),
    audit_id: workId({ now, kind: "audit", label, fingerprint: auditFingerprint(content) }),
    status: "running",
    ...content,
    sequences: plan.sequences,
    results: null,
    times: { created_at: now.toISOString(), updated_at: now.toISOString(), scoring_ms: 0, sessions: 0 },
  };
}

type AuditContent = Pick<AuditFile, "model" | "benchmarks" | "parameters" | "prompts">;

/** What has to be the same for an audit to go on. */
export function auditFacts({ model, benchmarks, parameters, prompts }: AuditContent): WorkIdentity {
  return {
    schema_version: AUDIT_SCHEMA_VERSION,
    model: model.label,
    ...Object.fromEntries(Object.entries(model.identity).map(([key, value]) => [`model ${key}`, value])),
    ...Object.fromEntries(
      benchmarks.flatMap(({ name, sha256: hash, selection_sha256 }, i) => {
        const role = i === 0 ? "dataset" : `against ${i}`;
        return [
          [role, name],
          [`${role} sha256`, hash],
          [`${role} selected examples`, selection_sha256],
        ];
      }),
    ),
    ...Object.fromEntries(prompts.map(({ id, sha256: hash }) => [`prompt ${id}`, hash])),
    ...Object.fromEntries(
      Object.entries(parameters).map(([key, value]) => [key, Array.isArray(value) ? value.join(",") : value]),
    ),
  };
}

/** SHA-256 of what makes an audit what it is. */
export function auditFingerprint(audit: AuditContent): string {
  return fingerprintOf({ kind: "audit", ...auditFacts(audit) });
}

function recordedBenchmarks(benchmarks: readonly PlannedBenchmark[], renamed: boolean): AuditFile["benchmarks"] {
  return benchmarks.map((benchmark, i) => ({
    name: benchmark.name,
    source: benchmark.source,
    sha256: benchmark.sha256,
    selection_sha256: benchmark.selectionSha256,
    holds: benchmark.holds,
    examples: benchmark.examples,
    selected: benchmark.selected.size,
    invalid: benchmark.invalid,
    left_out: benchmark.leftOut,
    sequences: benchmark.sequences,
    tables: tablesOf({ index: i, name: benchmark.name, renamed: renamed && hasAcr(benchmark) }),
  }));
}

function hasAcr({ forms }: PlannedBenchmark): boolean {
  return forms.some(({ form }) => form === "ACR");
}

/** As `audit.json` keeps them; enough, with model and datasets, to score the same again. */
function parametersOf({ tasks, difficulties, selection, starts, renamed, skipInvalid, model }: AuditRequest) {
  return {
    tasks: [...tasks],
    difficulties: [...difficulties],
    languages: [...selection.languages],
    sample: selection.sample,
    limit: selection.limit,
    seed: selection.seed,
    starts,
    ngram_n: NGRAM.n,
    ngram_starts: NGRAM.starts,
    renamed,
    skip_invalid: skipInvalid,
    model_args: recordedSettings(model.settings),
  };
}

/**
 * The tables of a benchmark: its texts, then, where they were scored, those of its renamed code. The audited dataset has
 * `contamination.csv` and `contamination.renamed.csv`, another `contamination.against-NAME.csv` and so on: the
 * columns are fixed and do not tell benchmarks apart.
 */
function tablesOf({ index, name, renamed }: { index: number; name: string; renamed: boolean }): string[] {
  const stem = index === 0 ? "contamination" : `contamination.against-${index}-${slugOf(name)}`;
  return [`${stem}.csv`, ...(renamed ? [`${stem}.renamed.csv`] : [])];
}

function slugOf(name: string): string {
  return name
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
}
