import { createHash } from "node:crypto";
import { ProbeError } from "../../../base/errors.js";
import { shorten } from "../../../base/text.js";
import { loadProbes } from "../../../question/probes.js";
import type { ProbeDefinition } from "../../../question/question.js";
import { type Benchmark, openBenchmark, readReviews } from "./benchmark.js";
import type { AuditRequest } from "./request.js";
import { type AuditSequence, eligibleForms, formsOf, type PlannedForm, planForms, sequencesOf } from "./sequences.js";

/** A benchmark with the forms that are scored of it. */
export interface PlannedBenchmark extends Benchmark {
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

/** Of the probes whose texts stand in a benchmark: what a model writes for one that scores it itself (CLO) does not. */
function chooseProbes(tasks: readonly string[], probes: ReadonlyMap<string, ProbeDefinition>): ProbeDefinition[] {
  const possible = [...probes.values()].filter((probe) => probe.kind === "choice" || probe.scoring === undefined);
  const names = possible.map(({ task }) => task);
  const unknown = tasks.find((task) => !names.includes(task));
  if (unknown !== undefined) {
    throw new ProbeError(
      "bad_input",
      `Expected --task to be one of ${names.join(", ")}, found "${shorten(unknown, 120)}".`,
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
  return new ProbeError("bad_input", `Expected something to score in ${shorten(name, 120)}, found nothing: ${reason}.`);
}
