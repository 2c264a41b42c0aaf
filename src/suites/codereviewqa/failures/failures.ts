import { badInput, type ProbeError } from "../../../base/errors.js";
import { groupBy } from "../../../base/grouping.js";
import { shellWord } from "../../../base/text.js";
import { modelName } from "../../../model/vendor/model-name.js";
import { type FormKey, formName } from "../../../question/form.js";
import { loadProbes } from "../../../question/probes.js";
import type { Estimate } from "../../../stats/interval.js";
import type { VerdictForm } from "../../../verdict/verdict.js";
import { type Generation, generationStatus } from "../answer/generation.js";
import { fewerOrders, type QuestionScore } from "../metric/question-score.js";
import { type Gate, symbolBindingGate } from "../metric/symbol-binding.js";
import { isMatching, type MatchName } from "../metric/written/generation-score.js";
import { runCommandText } from "../record/run-command-text.js";
import { casesOf } from "../record/run-file.js";
import { requireWholeAlike } from "../record/same-questions.js";
import { findNamedRun, type NamedRun, readStoredGenerations, readStoredRun } from "../record/stored-run.js";
import {
  type ChainStep,
  chainSteps,
  type ExampleOutcome,
  type FailureRow,
  failureRows,
  shareOf,
} from "./failure-shares.js";

/** The runs to analyse, and how their revisions are matched. */
export interface FailureRequest {
  /** Folders of runs. */
  readonly folders: readonly string[];
  /** Match that counts as a success of ACR. */
  readonly match: MatchName;
  readonly by: Grouping | null;
}

/** The gate of one probe form: a failure is one of comprehension only where the model binds symbols to options. */
interface FormBinding {
  /** Such as `CL hard`. */
  readonly form: string;
  readonly task: string;
  readonly gate: Gate;
  /** Orders of each question, where these are not all. */
  readonly orders?: VerdictForm["orders"];
}

/** The failure analysis of one model's run, or of several runs that make one together. */
export interface FailureAnalysis {
  readonly runs: readonly NamedRun[];
  /** Run that each form was read from, by its name, such as `CL hard`. */
  readonly sources: ReadonlyMap<string, NamedRun>;
  /** Examples in the order of the run. */
  readonly examples: readonly ExampleOutcome[];
  /** Overall first. */
  readonly groups: readonly FailureGroup[];
  readonly bindings: readonly FormBinding[];
}

/** Name of the model that the runs of an analysis asked; `null`: there are none. */
export function analysedModel({ runs: [first] }: Pick<FailureAnalysis, "runs">): string | null {
  return first === undefined ? null : modelName(first.run.model);
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
export async function analyseFailures(
  { folders, match, by }: FailureRequest,
  records: FailureRecords = recordsOfJournals(match),
): Promise<FailureReport> {
  const named: NamedRun[] = [];
  for (const folder of folders) named.push(await findNamedRun(folder));
  const analyses: FailureAnalysis[] = [];
  for (const unit of failureRuns(named)) analyses.push(await analyse(unit, records, by));
  return { match, by, analyses };
}

/** Records of finished runs, in their order; for one that is not finished, a ProbeError `bad_input`. */
export interface FailureRecords {
  /** Scores of the questions with options. */
  scores(named: NamedRun): Promise<readonly QuestionScore[]>;
  /** Generations of all probes, as they were recorded. */
  revisions(named: NamedRun): AsyncIterable<Revision>;
}

/** A generation of any probe, held against what was to be written. */
interface Revision extends Pick<ExampleOutcome, "exampleId" | "language" | "changeType" | "match" | "status"> {
  readonly task: string;
}

function recordsOfJournals(match: MatchName): FailureRecords {
  return {
    scores: async (named) => (await readStoredRun(named)).questions.map(({ score }) => score),
    async *revisions(named) {
      for await (const generation of readStoredGenerations(named)) {
        yield { ...generation, match: await isRight(generation, match), status: generationStatus(generation.outcome) };
      }
    },
  };
}

async function analyse(unit: FailureRuns, records: FailureRecords, by: Grouping | null): Promise<FailureAnalysis> {
  const scores = await readScores(unit, records);
  const probesOf = groupBy(scores, ({ exampleId }) => exampleId);
  const examples: ExampleOutcome[] = [];
  const acr = unit.sources.get("ACR");
  const caseOf = acr === undefined ? null : casesOf(acr.run);
  for await (const { task: written, exampleId, language, changeType, match, status } of acr === undefined
    ? []
    : records.revisions(acr)) {
    if (written !== "ACR") continue;
    examples.push({
      exampleId,
      cluster: caseOf?.(exampleId) ?? exampleId,
      language,
      changeType,
      match,
      status,
      probes: (probesOf.get(exampleId) ?? []).map(({ task, difficulty, invariantCorrect, lost }) => ({
        task,
        difficulty,
        right: invariantCorrect,
        lost,
      })),
    });
  }
  return { ...unit, examples, groups: failureGroups(examples, by), bindings: await bindingsOf(scores) };
}

/** The questions of the probes, each from the run that its form is read from. */
async function readScores({ runs, sources }: FailureRuns, records: FailureRecords): Promise<QuestionScore[]> {
  const scores: QuestionScore[] = [];
  for (const named of runs) {
    for (const score of await records.scores(named)) if (sources.get(formName(score)) === named) scores.push(score);
  }
  return scores;
}

async function isRight({ outcome, reference, language }: Generation, match: MatchName): Promise<boolean> {
  if (outcome.status === "failed") return false;
  const pair = { postReviewLines: reference.split("\n"), generation: outcome.text };
  return isMatching(match, { ...pair, language });
}

async function bindingsOf(scores: readonly QuestionScore[]): Promise<FormBinding[]> {
  const probes = await loadProbes();
  return [...new Set(scores.map(formName))].flatMap((form) => {
    const own = scores.filter((score) => formName(score) === form);
    const probe = probes.get(own[0]?.task ?? "");
    if (probe?.kind !== "choice") return [];
    const orders = fewerOrders(probe.optionCount, own);
    const gate = symbolBindingGate(own, probe.optionCount);
    return [{ form, task: probe.task, gate, ...(orders && { orders }) }];
  });
}

/** Every form that the failure analysis is about. */
const NEEDED: readonly FormKey[] = [
  { task: "CTR", difficulty: null },
  { task: "CL", difficulty: "easy" },
  { task: "CL", difficulty: "hard" },
  { task: "SI", difficulty: "easy" },
  { task: "SI", difficulty: "hard" },
  { task: "ACR", difficulty: null },
];

/** Runs of one model over the same examples that together hold ACR and every probe. */
interface FailureRuns {
  /** Runs in the order in which they were named; one, if it holds everything itself. */
  readonly runs: readonly NamedRun[];
  /** Run that each form is read from: the first that holds it. */
  readonly sources: ReadonlyMap<string, NamedRun>;
}

/**
 * Sorts the named runs out: one that holds ACR and every probe stands alone; one that lacks something is joined with an
 * earlier one whose lack it fills, of the same model, data and prompts.
 * @throws ProbeError `bad_input` for a folder named twice, questions left unasked or other orders, or naming what is
 * lacking and the command that asks for it
 */
export function failureRuns(named: readonly NamedRun[]): FailureRuns[] {
  requireDistinct(named);
  requireWholeAlike(named);
  const units: NamedRun[][] = [];
  for (const run of named) {
    const fills = (unit: readonly NamedRun[]) =>
      lackedBy([...unit, run]).length < lackedBy(unit).length && belong(unit, run);
    const partial = lackedBy([run]).length === 0 ? undefined : units.find(fills);
    if (partial === undefined) units.push([run]);
    else partial.push(run);
  }
  for (const unit of units) if (lackedBy(unit).length > 0) throw lacking(unit);
  return units.map((runs) => ({ runs, sources: sourcesOf(runs) }));
}

function requireDistinct(named: readonly NamedRun[]): void {
  for (const [i, { path, folder }] of named.entries()) {
    if (!named.slice(0, i).some((earlier) => earlier.path === path)) continue;
    throw badInput(`Expected different runs, found one of them twice: ${folder}. Name each run once.`);
  }
}

function lackedBy(unit: readonly NamedRun[]): FormKey[] {
  const sources = sourcesOf(unit);
  return NEEDED.filter((form) => !sources.has(formName(form)));
}

/** A form that was asked of no example (SI, where all are deletions) is held all the same. */
function sourcesOf(unit: readonly NamedRun[]): Map<string, NamedRun> {
  const [needed, sources] = [new Set(NEEDED.map(formName)), new Map<string, NamedRun>()];
  for (const named of unit) {
    for (const form of named.run.forms.map(formName)) {
      if (needed.has(form) && !sources.has(form)) sources.set(form, named);
    }
  }
  return sources;
}

/** `true`: a run asks the same model, the same way, about the same examples as the runs of a unit. */
function belong(unit: readonly NamedRun[], { run }: NamedRun): boolean {
  return unit.every(({ run: other }) => {
    // A field of the identity that only one of them has says nothing of the model.
    const isSame = (key: string) =>
      !(key in run.model.identity) || run.model.identity[key] === other.model.identity[key];
    return (
      modelName(other.model) === modelName(run.model) &&
      Object.keys(other.model.identity).every(isSame) &&
      other.dataset.sha256 === run.dataset.sha256 &&
      other.dataset.selection_sha256 === run.dataset.selection_sha256 &&
      other.parameters["prompt_mode"] === run.parameters["prompt_mode"] &&
      other.prompts.every(({ id, sha256 }) => run.prompts.every((mine) => mine.id !== id || mine.sha256 === sha256))
    );
  });
}

function lacking(unit: readonly NamedRun[]): ProbeError {
  const forms = lackedBy(unit);
  const tasks = [...new Set(forms.map(({ task }) => task))];
  const difficulties = [...new Set(forms.flatMap(({ difficulty }) => difficulty ?? []))];
  const folders = unit.map(({ folder }) => folder);
  const out = `${(folders[0] ?? "").replace(/\/+$/, "")}-rest`;
  const difficulty = difficulties.length === 1 ? (difficulties[0] ?? null) : null;
  const commands = unit
    .slice(0, 1)
    .flatMap(({ run }) => [
      runCommandText(run, { tasks, difficulty, out }),
      `probe failures ${[...folders, out].map(shellWord).join(" ")}`,
    ]);
  return badInput(
    `Expected ACR and every probe (CTR, CL and SI at both difficulties) of one model over the same examples, found ` +
      `${folders.join(" and ")} without ${forms.map(formName).join(", ")}.\n` +
      `Ask for the rest, then name both runs:\n${commands.map((line) => `  ${line}`).join("\n")}`,
  );
}

/** Property of an example that a failure analysis is split by. */
type Grouping = "language" | "change_type";

/** The failures of one group of examples. */
export interface FailureGroup {
  readonly groupBy: "overall" | Grouping;
  /** The language or change type; `all` for overall. */
  readonly group: string;
  readonly examples: number;
  /** Share whose generation matches. */
  readonly matches: Estimate | null;
  readonly rows: readonly FailureRow[];
  readonly chain: readonly ChainStep[];
}

/** All examples together; then each language or change type, in alphabetical order, if asked for. */
export function failureGroups(examples: readonly ExampleOutcome[], by: Grouping | null): FailureGroup[] {
  const nameOf = (example: ExampleOutcome) => (by === "language" ? example.language : example.changeType);
  const groups = by === null ? [] : [...groupBy(examples, nameOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  return [["all", examples] as const, ...groups].map(([group, own], i) => ({
    groupBy: i === 0 || by === null ? "overall" : by,
    group,
    examples: own.length,
    matches: shareOf(own, ({ match }) => match),
    rows: failureRows(own),
    chain: chainSteps(own),
  }));
}
