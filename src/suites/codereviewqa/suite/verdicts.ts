import { proportion } from "../../../stats/interval.js";
import { signFlipUpperTest } from "../../../stats/sign-flip.js";
import type { Judgement, RunVerdicts, Verdict, VerdictForm } from "../../../verdict/verdict.js";
import { isStoppedEarly } from "../ask/score-question.js";
import type { FormFloors } from "../floors/floors.js";
import type { ScoredGeneration } from "../metric/generation-summary.js";
import type { QuestionScore } from "../metric/question-score.js";
import type { SummaryRow } from "../metric/summary-row.js";
import { FLOOR_ALPHA, judgeForm } from "../metric/verdict.js";
import { probesOf } from "../record/recorded-probes.js";
import type { RunFile } from "../record/run-file.js";
import type { ProbeDefinition } from "../example/question.js";

/** A question, scored. */
export interface JudgedQuestion {
  readonly score: QuestionScore;
  /** SHA-256 of its prompt under the first order: of stem, options, and which of them is right. */
  readonly asked: string | null;
  /** Whether nothing of it is left to ask. */
  readonly isDone: boolean;
}

/** A generation, scored. */
export interface JudgedGeneration {
  readonly scored: ScoredGeneration;
  readonly exampleId: string;
  /** SHA-256 of its prompt. */
  readonly asked: string;
}

/** What the verdicts of a run are made from. */
export interface RunParts {
  readonly folder: string;
  readonly run: RunFile;
  readonly questions: readonly JudgedQuestion[];
  readonly generations: readonly JudgedGeneration[];
  readonly summary: readonly SummaryRow[];
  /** By form name; none in a run that did not record them. */
  readonly floors: ReadonlyMap<string, FormFloors>;
}

type RecordedForm = RunFile["forms"][number];

/** A run as comparison, CI reports and leaderboards read it. */
export async function runVerdicts(parts: RunParts): Promise<RunVerdicts> {
  const { run, folder, questions, generations } = parts;
  const probes = await probesOf([run]);
  const isForced = run.model.check?.["forced"] === true;
  return {
    runId: run.run_id,
    folder,
    suite: run.suite,
    model: run.model.label,
    createdAt: run.times.created_at,
    durationMs: run.times.asking_ms,
    warnings: isForced ? ["The check refused this server (--force): its numbers may mean nothing."] : [],
    server: run.model.check === null ? null : "Its log probabilities are those of the prompt's next token.",
    forms: run.forms.flatMap((form) => {
      const probe = probes.get(form.task);
      if (probe === undefined) return [];
      return [probe.kind === "choice" ? choiceForm(parts, form, probe) : generationForm(parts, form, probe)];
    }),
    verdicts: [...questions.map(questionVerdict), ...generations.map(generationVerdict)],
  };
}

/** Such as `CL hard`. */
export function formName({ task, difficulty }: { readonly task: string; readonly difficulty: string | null }): string {
  return [task, ...(difficulty === null ? [] : [difficulty])].join(" ");
}

function questionVerdict({ score, asked }: JudgedQuestion): Verdict {
  const { exampleId, language, changeType, meanAccuracy, pluralityAgreement } = score;
  return {
    form: formName(score),
    item: exampleId,
    cluster: exampleId,
    groups: { language, change_type: changeType },
    passed: score.invariantCorrect,
    lost: score.lost,
    values: { mean_accuracy: meanAccuracy, plurality_agreement: pluralityAgreement },
    asked,
  };
}

function generationVerdict({ scored, exampleId, asked }: JudgedGeneration): Verdict {
  const { task, language, changeType, measured } = scored;
  return {
    form: task,
    item: exampleId,
    cluster: exampleId,
    groups: { language, change_type: changeType },
    passed: measured?.score.em ?? false,
    lost: measured === null,
    values: { edit_similarity: measured?.score.editSimilarity ?? null },
    asked,
  };
}

function choiceForm(
  { run, questions, summary, floors }: RunParts,
  form: RecordedForm,
  probe: ProbeDefinition & { readonly kind: "choice" },
): VerdictForm {
  const scores = questions.map(({ score }) => score).filter((score) => formName(score) === formName(form));
  const planned = scores[0] === undefined ? form.questions : form.questions * scores[0].permutations;
  const answered = scores.reduce((sum, score) => sum + score.answered, 0);
  const failed = scores.reduce((sum, score) => sum + score.failed, 0);
  return {
    ...named(form, probe),
    items: "questions",
    records: {
      name: "answers",
      planned,
      recorded: answered + failed,
      failed,
      failures: run.counts.failures,
      mayBeFewer: isStoppedEarly(run),
    },
    score: { metric: "invariant_accuracy", title: "invariant accuracy" },
    values: [
      { name: "mean_accuracy", title: "mean accuracy" },
      { name: "plurality_agreement", title: "agreement" },
    ],
    pool: "choices",
    canBeUnreadable: true,
    judgement: judgeForm({
      task: form.task,
      difficulty: form.difficulty,
      ablation: "none",
      optionCount: probe.optionCount,
      scores,
      floors: floors.get(formName(form)) ?? null,
    }),
    measures: measuresOf(summary, form),
  };
}

function generationForm(
  { run, generations, summary }: RunParts,
  form: RecordedForm,
  probe: ProbeDefinition & { readonly kind: "generation" },
): VerdictForm {
  const own = generations.map(({ scored }) => scored).filter(({ task }) => task === form.task);
  return {
    ...named(form, probe),
    items: "generations",
    records: {
      name: "generations",
      planned: form.questions,
      recorded: own.length,
      failed: own.filter(({ status }) => status === "failed").length,
      failures: run.generation_counts.failures,
      mayBeFewer: false,
    },
    score: { metric: "em", title: "exact match" },
    values: [{ name: "edit_similarity", title: "edit similarity" }],
    pool: null,
    canBeUnreadable: false,
    judgement: judgeGenerations(own),
    measures: measuresOf(summary, form),
  };
}

function named(form: RecordedForm, probe: ProbeDefinition) {
  const { task, difficulty } = form;
  const title = difficulty === null ? probe.title : `${probe.title}, ${difficulty}`;
  return { name: formName(form), task, difficulty, ablation: "none", title };
}

/** Exact match against repeating the code unchanged: the one-sided sign-flip test by example, as for questions. */
function judgeGenerations(generations: readonly ScoredGeneration[]): Judgement {
  const pairs = generations.flatMap(({ measured }) => {
    if (measured?.copy == null) return [];
    return [{ mine: Number(measured.score.em), copy: Number(measured.copy.score.em) }];
  });
  const right = generations.filter(({ measured }) => measured?.score.em === true).length;
  const score = proportion(right, generations.length)?.value ?? null;
  const known = { score, floorRule: "copy", floor: share(pairs.map(({ copy }) => copy)) };
  if (score === null || known.floor === null) {
    return { ...known, floorRule: null, state: "unknown", pValue: null, text: "unknown: no floor was measured" };
  }
  const pValue = signFlipUpperTest(pairs.map(({ mine, copy }) => mine - copy));
  const numbers = `exact match ${score.toFixed(3)}, repeating the code unchanged ${known.floor.toFixed(3)}`;
  if (2 ** -pairs.filter(({ copy }) => copy === 0).length >= FLOOR_ALPHA) {
    return { ...known, state: "unknown", pValue: null, text: `unknown: too few generations to tell (${numbers})` };
  }
  const isAbove = score > known.floor && pValue < FLOOR_ALPHA;
  const text = `${isAbove ? "above" : "at"} its floor: ${numbers}`;
  return { ...known, state: isAbove ? "above_floor" : "at_floor", pValue, text };
}

function share(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Every overall number of a form. */
function measuresOf(summary: readonly SummaryRow[], form: RecordedForm): VerdictForm["measures"] {
  return summary
    .filter((row) => row.groupBy === "overall" && formName(row) === formName(form))
    .map(({ metric, value, ciLow, ciHigh, n }) => ({ metric, value, ciLow, ciHigh, n }));
}
