import { createHash } from "node:crypto";
import { badInput, type ProbeError } from "../../../base/errors.js";
import { programIdentity } from "../../../base/program-identity.js";
import { shorten } from "../../../base/text.js";
import type { Model } from "../../../model/model.js";
import { recordedConnection, recordedSettings } from "../../../model/resolved-model.js";
import { modelName } from "../../../model/vendor/model-name.js";
import { loadProbes, taskHint } from "../../../question/probes.js";
import type { ProbeDefinition } from "../../../question/question.js";
import { fingerprintOf, type WorkIdentity, workId } from "../../../store/identity.js";
import { AUDIT_SCHEMA_VERSION, type AuditFile, type AuditRequest } from "./audit-file.js";
import { type Benchmark, openBenchmark, readReviews } from "./benchmark.js";
import { NGRAM } from "./sequence-score.js";
import { type AuditSequence, eligibleForms, formsOf, type PlannedForm, planForms, sequencesOf } from "./sequences.js";

/** A benchmark with the forms that are scored of it. */
interface PlannedBenchmark extends Benchmark {
  readonly forms: readonly PlannedForm[];
  /** Texts to score. */
  readonly sequences: number;
  /** SHA-256 over the ids of the selected examples, in order. */
  readonly selectionSha256: string;
}

/** Everything an audit will score, known before the first model call. The first benchmark is the one that is audited. */
export interface AuditPlan {
  readonly request: AuditRequest;
  readonly benchmarks: readonly PlannedBenchmark[];
  readonly forms: readonly PlannedForm[];
  readonly sequences: number;
}

/**
 * Reads and checks all files, selects, and counts.
 * @throws ProbeError `bad_input` for bad data, an unknown task, or nothing to score
 */
export async function planAudit(request: AuditRequest, warn: (message: string) => void): Promise<AuditPlan> {
  const { dataset, against, selection, skipInvalid } = request;
  const probes = chooseProbes(request.tasks, await loadProbes());
  const forms = await planForms(probes, request.difficulties, request.renamed);
  const benchmarks: PlannedBenchmark[] = [];
  for (const each of [dataset, ...against]) {
    const benchmark = await openBenchmark(each, { selection, skipInvalid, warn });
    benchmarks.push(await countSequences(withOwnName(benchmark, benchmarks), formsOf(benchmark, forms)));
  }
  const empty = benchmarks.find(({ sequences }) => sequences === 0);
  if (empty !== undefined) throw nothingToScore(empty);
  return { request, benchmarks, forms, sequences: benchmarks.reduce((sum, { sequences }) => sum + sequences, 0) };
}

/** Streams the texts of a benchmark: those of one review follow each other. */
export async function* plannedSequences(benchmark: PlannedBenchmark, seed: number): AsyncGenerator<AuditSequence> {
  for await (const review of readReviews(benchmark)) yield* await sequencesOf(review, benchmark.forms, seed);
}

/** Chooses among the probes whose texts stand in a benchmark; a text that a probe scores itself (CLO) does not. */
function chooseProbes(tasks: readonly string[], probes: ReadonlyMap<string, ProbeDefinition>): ProbeDefinition[] {
  const possible = [...probes.values()].filter((probe) => probe.kind === "choice" || probe.scoring === undefined);
  const names = possible.map(({ task }) => task);
  const unknown = tasks.find((task) => !names.includes(task));
  if (unknown !== undefined) {
    throw badInput(
      `Expected --task to be one of ${names.join(", ")}, found "${shorten(unknown, 120)}".${taskHint(unknown, possible)}`,
    );
  }
  return possible.filter(({ task }) => tasks.length === 0 || tasks.includes(task));
}

/** Two files can have the same name. */
function withOwnName(benchmark: Benchmark, others: readonly Benchmark[]): Benchmark {
  let { name } = benchmark;
  for (let i = 2; others.some((other) => other.name === name); i++) name = `${benchmark.name}-${i}`;
  return { ...benchmark, name };
}

async function countSequences(benchmark: Benchmark, forms: readonly PlannedForm[]): Promise<PlannedBenchmark> {
  const ids = createHash("sha256");
  let sequences = 0;
  for await (const review of readReviews(benchmark)) {
    ids.update(`${review.id}\n`);
    sequences += eligibleForms(review, forms).length;
  }
  return { ...benchmark, forms, sequences, selectionSha256: ids.digest("hex") };
}

function nothingToScore({ name, holds, forms }: PlannedBenchmark): ProbeError {
  const reason =
    forms.length > 0
      ? "none of its selected examples suits the tasks"
      : holds === "reviews"
        ? "it has code reviews without options, so only ACR can be scored"
        : "no task has the difficulty asked for";
  return badInput(`Expected something to score in ${shorten(name, 120)}, found nothing: ${reason}.`);
}

/** Name of an audit's record in messages on trust. */
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
      device: model.device ?? null,
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
    audit_id: workId({ now, kind: "audit", label: modelName(content.model), fingerprint: auditFingerprint(content) }),
    status: "running",
    ...content,
    sequences: plan.sequences,
    results: null,
    times: { created_at: now.toISOString(), updated_at: now.toISOString(), scoring_ms: 0, sessions: 0 },
  };
}

type AuditContent = Pick<AuditFile, "model" | "benchmarks" | "parameters" | "prompts">;

/** Identity of an audit: it is resumed only by the same. */
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
    tables: tablesOf({
      index: i,
      name: benchmark.name,
      renamed: renamed && benchmark.forms.some(({ form }) => form === "ACR"),
    }),
  }));
}

/** Parameters in `audit.json`; enough, with model and datasets, to score the same again. */
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
