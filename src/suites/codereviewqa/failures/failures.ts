import { formName } from "../example/form.js";
import { type Generation, generationStatus } from "../example/generation.js";
import { scoreGeneration } from "../metric/acr/generation-score.js";
import { type Gate, symbolBindingGate } from "../metric/gate.js";
import type { QuestionScore } from "../metric/question-score.js";
import { loadProbes } from "../question/probes.js";
import { readStoredGenerations } from "../record/stored-generations.js";
import { findNamedRun, type NamedRun, readStoredRun } from "../record/stored-run.js";
import type { ExampleOutcome, ProbeOutcome } from "./example-outcome.js";
import { type FailureRuns, failureRuns } from "./failure-runs.js";
import { type FailureGroup, failureGroups, type Grouping } from "./groups.js";
import { isMatch, type MatchName } from "./match.js";

/** The runs to analyse, and how their revisions are matched. */
export interface FailureRequest {
  /** Folders of runs. */
  readonly folders: readonly string[];
  /** What counts as a success of ACR. */
  readonly match: MatchName;
  readonly by: Grouping | null;
}

/** Whether the model binds symbols to options in one probe form: only then is a failure one of comprehension. */
interface FormBinding {
  /** Such as `CL hard`. */
  readonly form: string;
  readonly gate: Gate;
}

/** The failure analysis of one model's run, or of several runs that make one together. */
export interface FailureAnalysis {
  readonly runs: readonly NamedRun[];
  /** Which run each form was read from, by its name, such as `CL hard`. */
  readonly sources: ReadonlyMap<string, NamedRun>;
  /** In the order of the run. */
  readonly examples: readonly ExampleOutcome[];
  /** Overall first. */
  readonly groups: readonly FailureGroup[];
  readonly bindings: readonly FormBinding[];
}

/** The failure analysis of one or several runs. */
export interface FailureReport {
  readonly match: MatchName;
  readonly by: Grouping | null;
  readonly analyses: readonly FailureAnalysis[];
}

/**
 * Where models fail that do not write the right revision, and where those fail that do (paper §7). Reads journals, writes
 * nothing, calls no model. Memory: a few hundred bytes an example and question.
 * @throws ProbeError `bad_input` when a run is unfinished, or lacks ACR or a probe: then with the command that asks for it
 */
export async function analyseFailures({ folders, match, by }: FailureRequest): Promise<FailureReport> {
  const named: NamedRun[] = [];
  for (const folder of folders) named.push(await findNamedRun(folder));
  const analyses: FailureAnalysis[] = [];
  for (const unit of failureRuns(named)) analyses.push(await analyse(unit, match, by));
  return { match, by, analyses };
}

async function analyse(unit: FailureRuns, match: MatchName, by: Grouping | null): Promise<FailureAnalysis> {
  const scores = await readScores(unit);
  const probesOf = new Map<string, ProbeOutcome[]>();
  for (const { exampleId, task, difficulty, invariantCorrect: right, lost } of scores) {
    const own = probesOf.get(exampleId) ?? [];
    own.push({ task, difficulty, right, lost });
    probesOf.set(exampleId, own);
  }
  const examples: ExampleOutcome[] = [];
  const acr = unit.sources.get("ACR");
  for await (const generation of acr === undefined ? [] : readStoredGenerations(acr)) {
    if (generation.task !== "ACR") continue;
    const { exampleId, language, changeType, outcome } = generation;
    examples.push({
      ...{ exampleId, language, changeType },
      match: await isRight(generation, match),
      status: generationStatus(outcome),
      probes: probesOf.get(exampleId) ?? [],
    });
  }
  return { ...unit, examples, groups: failureGroups(examples, by), bindings: await bindingsOf(scores) };
}

/** The questions of the probes, each from the run that its form is read from. */
async function readScores({ runs, sources }: FailureRuns): Promise<QuestionScore[]> {
  const scores: QuestionScore[] = [];
  for (const named of runs) {
    const { questions } = await readStoredRun(named);
    for (const { score } of questions) {
      if (sources.get(formName(score)) === named) scores.push(score);
    }
  }
  return scores;
}

async function isRight({ outcome, reference, language }: Generation, match: MatchName): Promise<boolean> {
  if (outcome.status === "failed") return false;
  const pair = { postReviewLines: reference.split("\n"), generation: outcome.text };
  return isMatch(match, await scoreGeneration({ ...pair, language }));
}

async function bindingsOf(scores: readonly QuestionScore[]): Promise<FormBinding[]> {
  const probes = await loadProbes();
  return [...new Set(scores.map(formName))].flatMap((form) => {
    const own = scores.filter((score) => formName(score) === form);
    const probe = probes.get(own[0]?.task ?? "");
    return probe?.kind === "choice" ? [{ form, gate: symbolBindingGate(own, probe.optionCount) }] : [];
  });
}
