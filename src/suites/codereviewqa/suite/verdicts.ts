import { counted, shellWord } from "../../../base/text.js";
import { formName, formTitle } from "../../../question/form.js";
import { permutationCount } from "../../../question/permutations.js";
import type { ProbeDefinition } from "../../../question/question.js";
import { NOTHING_MEASURED } from "../../../report/judgement-words.js";
import { verdictHead } from "../../../run/run-record.js";
import { type Judgement, NO_NUMBERS } from "../../../verdict/judgement.js";
import type { FormColumn, RunVerdicts, Verdict, VerdictForm } from "../../../verdict/verdict.js";
import type { ProbeMetric } from "../metric/metric-names.js";
import { isStoppedEarly, orderEffect, type QuestionScore, recordsOf } from "../metric/question-score.js";
import type { SummaryRow } from "../metric/summary-row.js";
import { isExact, type ScoredGeneration } from "../metric/written/scored-generation.js";
import { type CaseOf, casesOf, designOf, isRaced, type RunFile } from "../record/run-file.js";
import { probesOf } from "../record/stored-run.js";
import { overflowAdvice, unfitOf } from "../report/run-summary.js";
import { choiceFloors, groupJudgements, writtenFloors } from "./form-floors.js";

/** A question, scored. */
export interface JudgedQuestion {
  readonly score: QuestionScore;
  /** See {@link textOfQuestion}. */
  readonly asked: string | null;
  /** True if nothing of it is left to ask. */
  readonly isDone: boolean;
}

/** A generation, scored. */
export interface JudgedGeneration {
  readonly scored: ScoredGeneration;
  /** SHA-256 of its prompt. */
  readonly asked: string;
}

/** Parts of a run from which its verdicts are made. */
interface RunParts {
  readonly folder: string;
  readonly run: RunFile;
  readonly questions: readonly JudgedQuestion[];
  readonly generations: readonly JudgedGeneration[];
  readonly summary: readonly SummaryRow[];
  /** Unasked rest in words; `null`: none. */
  readonly unfinished: string | null;
  /** Tokens of the longest prompt that did not fit the model's context; not known unless told. */
  readonly longestUnfit?: number | null;
}

type Failures = RunFile["counts"]["failures"];
type RecordedForm = RunFile["forms"][number];

/** A run as comparison, CI reports and leaderboards read it. */
export async function runVerdicts(parts: RunParts): Promise<RunVerdicts> {
  const { run, folder, questions, generations } = parts;
  const probes = await probesOf([run]);
  const server = serverOf(run);
  const caseOf = casesOf(run);
  return {
    ...verdictHead(run, folder),
    warnings: [...(server?.passed === false ? [server.text] : []), ...missing(parts)],
    server,
    ...(isRaced(run) && { isSequential: true as const }),
    forms: formsOf(parts, probes),
    verdicts: [
      ...questions.map((each) => questionVerdict(each, caseOf)),
      ...generations.map((each) => generationVerdict(each, probes.get(each.scored.task), caseOf)),
    ],
  };
}

function serverOf({ model: { check } }: RunFile): RunVerdicts["server"] {
  if (check === null) return null;
  return check["forced"] === true
    ? { passed: false, text: "FORCED: the check refused this server; its numbers may mean nothing." }
    : { passed: true, text: "Its log probabilities are those of the prompt's next token." };
}

/** Forms in the order of the verdicts: choices before generations, whatever the order in which they were asked. */
function formsOf(parts: RunParts, probes: ReadonlyMap<string, ProbeDefinition>): VerdictForm[] {
  const [choices, generations]: [VerdictForm[], VerdictForm[]] = [[], []];
  for (const form of parts.run.forms) {
    const probe = probes.get(form.task);
    if (probe?.kind === "choice") choices.push(choiceForm(parts, form, probe));
    if (probe?.kind === "generation") generations.push(generationForm(parts, form, probe));
  }
  return [...choices, ...generations];
}

/** Lines that are gone from the journals of a run that was complete. */
function missing({ run, folder, unfinished }: RunParts): string[] {
  if (run.status !== "complete" || unfinished === null) return [];
  return [
    `Missing from the journals of a run that was complete: ${unfinished}. The tables are without them. Ask them again: ` +
      `probe run --resume ${shellWord(folder)}`,
  ];
}

function questionVerdict({ score, asked }: JudgedQuestion, caseOf: CaseOf | null): Verdict {
  const { exampleId, language, changeType, meanAccuracy, pluralityAgreement } = score;
  return {
    form: formName(score),
    item: exampleId,
    cluster: caseOf?.(exampleId) ?? exampleId,
    groups: { language, change_type: changeType },
    passed: score.invariantCorrect,
    lost: score.lost,
    values: {
      mean_accuracy: meanAccuracy,
      plurality_agreement: pluralityAgreement,
      ...(score.repeated && { order_effect: orderEffect(score.repeated) }),
    },
    asked,
  };
}

function generationVerdict(
  { scored, asked }: JudgedGeneration,
  probe: ProbeDefinition | undefined,
  caseOf: CaseOf | null,
): Verdict {
  const { task, exampleId, language, changeType, measured, open, status } = scored;
  const graded = probe?.kind === "generation" ? probe.scoring?.graded.name : undefined;
  return {
    form: task,
    item: exampleId,
    cluster: caseOf?.(exampleId) ?? exampleId,
    groups: { language, change_type: changeType },
    passed: isExact(scored),
    lost: status === "failed",
    values:
      graded === undefined
        ? { edit_similarity: measured?.score.editSimilarity ?? null }
        : { [graded]: open?.score?.graded ?? 0 },
    asked,
  };
}

/** Prompts that did not fit will not fit the next time. */
function lastingOf(
  { run, longestUnfit = null }: RunParts,
  failures: Failures,
): Pick<VerdictForm["records"], "lasting"> {
  const advice = overflowAdvice(run, longestUnfit);
  return advice === null || unfitOf(failures) === 0 ? {} : { lasting: { failures: unfitOf(failures), advice } };
}

function choiceForm(
  parts: RunParts,
  form: RecordedForm,
  probe: ProbeDefinition & { readonly kind: "choice" },
): VerdictForm {
  const { run, questions, summary } = parts;
  const scores = questions.map(({ score }) => score).filter((score) => formName(score) === formName(form));
  const { repeats } = designOf(run);
  const planned = scores[0] === undefined ? form.questions : form.questions * scores[0].permutations * repeats;
  const answered = scores.reduce((sum, score) => sum + recordsOf(score).answered, 0);
  const failed = scores.reduce((sum, score) => sum + recordsOf(score).failed, 0);
  return {
    ...commonOf(summary, form, probe),
    kind: "choice",
    items: "questions",
    records: {
      name: "answers",
      planned,
      recorded: answered + failed,
      failed,
      failures: run.counts.failures,
      ...lastingOf(parts, run.counts.failures),
      mayBeFewer: isStoppedEarly(run) || isRaced(run),
    },
    score: { metric: "invariant_accuracy", title: `invariant accuracy${underOrders(form)}` },
    values: [
      { name: "mean_accuracy", title: "mean accuracy" },
      { name: "plurality_agreement", title: "agreement" },
      ...(repeats > 1 ? [{ name: "order_effect", title: "order effect beyond chance" }] : []),
    ],
    // With something withheld it is another question, not one more.
    pool: form.ablation === undefined ? "choices" : null,
    ...(form.orders !== undefined && { orders: { asked: form.orders, all: permutationCount(probe.optionCount) } }),
    judgement: form.ablation === undefined ? judgementOf(summary, form, "invariant_accuracy") : null,
    columns: agreementColumn(summary, form, probe.optionCount),
    floors: choiceFloors(summary, form),
  };
}

/** Such as ` over 4 orders`, where these are not all. */
function underOrders({ orders }: RecordedForm): string {
  return orders === undefined ? "" : ` over ${counted(orders, "orders")}`;
}

function generationForm(
  parts: RunParts,
  form: RecordedForm,
  probe: ProbeDefinition & { readonly kind: "generation" },
): VerdictForm {
  const { run, generations, summary } = parts;
  const own = generations.map(({ scored }) => scored).filter(({ task }) => task === form.task);
  const { name, title } = probe.scoring?.graded ?? { name: "edit_similarity", title: "edit similarity" };
  const [id, label] =
    probe.scoring === undefined ? (["paper_em", "Paper's script"] as const) : [name as ProbeMetric, title];
  return {
    ...commonOf(summary, form, probe),
    kind: "generation",
    items: "generations",
    records: {
      name: "generations",
      planned: form.questions,
      recorded: own.length,
      failed: own.filter(({ status }) => status === "failed").length,
      failures: run.generation_counts.failures,
      ...lastingOf(parts, run.generation_counts.failures),
      mayBeFewer: false,
    },
    score: { metric: "em", title: "exact match" },
    values: [{ name, title }],
    pool: null,
    judgement: judgementOf(summary, form, "em"),
    columns: [{ id, label, value: metricValue(summary, form, id), distances: [] }],
    floors: writtenFloors(summary, form),
  };
}

/** Parts that forms of both kinds have alike. */
function commonOf(summary: readonly SummaryRow[], form: RecordedForm, probe: ProbeDefinition) {
  const { task, difficulty, ablation = "none" } = form;
  return {
    name: formName(form),
    task,
    difficulty,
    ablation,
    title: `${formTitle(probe.title, form)}${underOrders(form)}`,
    groupBy: "language" as const,
    groupJudgements: groupJudgements(summary, form),
    paperTable: PAPER_TABLES[formName(form)] ?? null,
    measures: measuresOf(summary, form),
  };
}

/** Every overall number of a form. */
function measuresOf(summary: readonly SummaryRow[], form: RecordedForm): VerdictForm["measures"] {
  return summary
    .filter((row) => row.groupBy === "overall" && formName(row) === formName(form))
    .map(({ metric, value, ciLow, ciHigh, n }) => ({ metric, value, ciLow, ciHigh, n }));
}

const UNKNOWN: Judgement = { ...NO_NUMBERS, state: "unknown", sentence: NOTHING_MEASURED };

/** Judgement of the score of a form, as its row of the summary carries it. */
function judgementOf(summary: readonly SummaryRow[], form: RecordedForm, metric: SummaryRow["metric"]): Judgement {
  return rowOf(summary, form, metric)?.detail?.judgement ?? UNKNOWN;
}

function rowOf(
  summary: readonly SummaryRow[],
  form: RecordedForm,
  metric: SummaryRow["metric"],
): SummaryRow | undefined {
  return summary.find((row) => row.groupBy === "overall" && row.metric === metric && formName(row) === formName(form));
}

function metricValue(summary: readonly SummaryRow[], form: RecordedForm, metric: SummaryRow["metric"]): number | null {
  return rowOf(summary, form, metric)?.value ?? null;
}

/** PPA, its distance from 1/N as the paper has it, and from its mean under uniform guessing. */
function agreementColumn(summary: readonly SummaryRow[], form: RecordedForm, optionCount: number): FormColumn[] {
  const value = metricValue(summary, form, "plurality_agreement");
  const from = (other: number | null) => (value === null || other === null ? null : value - other);
  return [
    {
      id: "plurality_agreement",
      label: `PPA (1/N ${(100 / optionCount).toFixed(1)})`,
      value,
      distances: [
        { id: "above_one_of_n", value: from(1 / optionCount) },
        { id: "above_guessing", value: from(metricValue(summary, form, "plurality_agreement_null")) },
      ],
    },
  ];
}

/** The paper's tables of the same form. */
const PAPER_TABLES: Readonly<Record<string, string>> = {
  ACR: "Table 7",
  CTR: "Table 8",
  "CL easy": "Table 9",
  "CL hard": "Table 10",
  "SI easy": "Table 11",
  "SI hard": "Table 12",
};
