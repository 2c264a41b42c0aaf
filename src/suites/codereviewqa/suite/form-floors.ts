import { join } from "node:path";
import { USUAL_OPTIONS } from "../../../base/symbol.js";
import { FLOORS_FILE, floorLine, parseFloorLine, type QuestionFloors } from "../../../question/floors/floor-record.js";
import { FloorsOfForm, type FormFloors } from "../../../question/floors/floors.js";
import { floorsOfExamples } from "../../../question/floors/rules.js";
import { type FormKey, formName } from "../../../question/form.js";
import type { Performance } from "../../../run/suite.js";
import type { JournalCodec } from "../../../store/journal/codec.js";
import { JournalWriter } from "../../../store/journal/journal-writer.js";
import { readJournal } from "../../../store/journal/read-journal.js";
import type { FormFloor, VerdictForm } from "../../../verdict/verdict.js";
import { plannedExamples, type RunPlan } from "../ask/plan.js";
import { decidedStateOf } from "../metric/form-judgement.js";
import { isStoppedEarly, type QuestionScore } from "../metric/question-score.js";
import type { SummaryRow } from "../metric/summary-row.js";
import { casesOf, isRaced, type RunFile, runFingerprintOf } from "../record/run-file.js";
import { probesOf } from "../record/stored-run.js";

const NO_READ = "no-read rule";

/** Floors of a form that is chosen from options, from guessing upwards. */
export function choiceFloors(summary: readonly SummaryRow[], form: FormKey): FormFloor[] {
  const floors = [
    ["guessing", "guessing", "floor_invariant"],
    ["no_read", NO_READ, "floor_no_read"],
    ["lexical", "lexical rule", "floor_lexical"],
  ] as const;
  const own = rowsOf(summary, form).filter(({ groupBy }) => groupBy === "overall");
  return floors.flatMap(([id, title, metric]): FormFloor[] => {
    const row = own.find((each) => each.metric === metric);
    if (row !== undefined && row.value !== null)
      return [{ id, title, value: row.value, rule: row.detail?.rule ?? null }];
    // Runs of before there were rules have what their answers tell.
    const majority = id === "no_read" ? own.find((each) => each.metric === "floor_majority") : undefined;
    return majority?.value == null ? [] : [{ id, title, value: majority.value, rule: "majority" }];
  });
}

/** Floors of a form that is written, as its judgement took them. */
export function writtenFloors(summary: readonly SummaryRow[], form: FormKey): FormFloor[] {
  return rowsOf(summary, form).flatMap(({ groupBy, detail }): FormFloor[] => {
    if (groupBy !== "overall" || detail?.judgement?.floor == null) return [];
    const { floor, floorRule } = detail.judgement;
    return [{ id: "no_read", title: NO_READ, value: floor, rule: floorRule }];
  });
}

/** Judgements of the scores of each language. */
export function groupJudgements(
  summary: readonly SummaryRow[],
  form: FormKey,
): NonNullable<VerdictForm["groupJudgements"]> {
  return Object.fromEntries(
    rowsOf(summary, form).flatMap(({ groupBy, group, detail }) =>
      groupBy === "language" && detail?.judgement !== undefined ? [[group, detail.judgement] as const] : [],
    ),
  );
}

function rowsOf(summary: readonly SummaryRow[], form: FormKey): SummaryRow[] {
  return summary.filter((row) => formName(row) === formName(form));
}

/** Answers of rules without comprehension to each question; kept beside the answers, so that scoring needs no data. */
const FLOORS: JournalCodec<QuestionFloors> = {
  kind: "floors",
  journal: "the floors of a run",
  record: "what rules make of a question",
  onDamage: "Remove the file: going on with the run (--resume) makes it anew.",
  version1: "record",
  encode: floorLine,
  decode: (line) => {
    const record = parseFloorLine(line);
    if (record === null) throw new Error("expected what rules make of a question");
    return record;
  },
};

const RECORDS_A_WRITE = 64;

/**
 * Measures the floors of the questions of the whole run, whatever share of it is asked, as far as the folder does not hold
 * them yet: cheap beside one answer, and the same file in every share.
 */
export async function writeFloors(plan: RunPlan, { folder, fingerprint }: Performance): Promise<void> {
  const journal = await JournalWriter.open(join(folder, FLOORS_FILE), FLOORS, { fingerprint });
  try {
    const known = journal.records;
    let next = 0;
    // Whatever is withheld, the options are the same: each question stands once.
    const whole = plan.forms.filter(({ ablation }) => ablation === undefined);
    let together: QuestionFloors[] = [];
    // Each write is awaited: going on counts lines, so that none may follow one that was lost.
    const write = async () => {
      await Promise.all(together.map((floors) => journal.append(floors)));
      together = [];
    };
    for await (const { floors } of floorsOfExamples(plannedExamples(plan), whole)) {
      if (next++ < known) continue;
      together.push(floors);
      if (together.length >= RECORDS_A_WRITE) await write();
    }
    await write();
  } finally {
    await journal.close();
  }
}

/**
 * The floors of a run's forms, by form name. A run without them (recorded before there were any) has what its answers
 * alone tell: the commonest class of the right answer.
 */
export async function readFloors(
  folder: string,
  run: RunFile,
  scores: readonly QuestionScore[],
): Promise<ReadonlyMap<string, FormFloors>> {
  const asked = run.shard === undefined ? null : new Set(scores.map(questionName));
  const isAsked = (record: QuestionFloors) => asked?.has(questionName(record)) !== false;
  const forms = await floorsByForm(folder, runFingerprintOf(run), isAsked);
  return forms.size > 0 ? forms : fittedForms(await classesOf(run, scores));
}

/** The recorded floors of forms, by form name; empty where there are none. */
export async function floorsByForm(
  folder: string,
  fingerprint: string,
  isWanted: (record: QuestionFloors) => boolean = () => true,
): Promise<ReadonlyMap<string, FormFloors>> {
  const wanted: QuestionFloors[] = [];
  for await (const { record } of readJournal(join(folder, FLOORS_FILE), FLOORS, { identity: { fingerprint } }))
    if (isWanted(record)) wanted.push(record);
  return fittedForms(wanted);
}

function fittedForms(questions: readonly QuestionFloors[]): ReadonlyMap<string, FormFloors> {
  const forms = new Map<string, FloorsOfForm>();
  for (const question of questions) {
    const name = formName(question);
    const form = forms.get(name) ?? new FloorsOfForm();
    form.add(question);
    forms.set(name, form);
  }
  return new Map([...forms].map(([name, form]) => [name, form.fitted()]));
}

export function questionName(question: FormKey & { readonly exampleId: string }): string {
  return `${formName(question)} ${question.exampleId}`;
}

async function classesOf(run: RunFile, scores: readonly QuestionScore[]): Promise<QuestionFloors[]> {
  const probes = await probesOf([run]);
  return scores
    .filter(({ ablation }) => ablation === undefined)
    .flatMap((score): QuestionFloors[] => {
      const probe = probes.get(score.task);
      const answerClass = probe?.kind === "choice" ? probe.answerClass(score) : null;
      if (answerClass === null) return [];
      const { task, difficulty, exampleId, language } = score;
      return [{ task, difficulty, exampleId, language, answerClass, shares: {}, sees: {}, scores: {} }];
    });
}

/** A form whose verdict is decided, so that its rest is not asked (`--until decided`). */
interface DecidedForm {
  readonly name: string;
  readonly asked: number;
  readonly left: number;
}

/** Questions that are left unasked as their verdicts are decided (`--until decided`), and what is said of them. */
export function decidedForms(
  run: RunFile,
  scores: readonly QuestionScore[],
  floors: ReadonlyMap<string, FormFloors>,
): { readonly decided: number; readonly told: readonly string[] } {
  const forms = isRaced(run) ? formsDecided(run, scores, floors) : [];
  return { decided: forms.reduce((sum, { left }) => sum + left, 0), told: decidedTexts(forms) };
}

/** The decided forms of a run, controls with the form that they belong to. */
function formsDecided(
  run: RunFile,
  scores: readonly QuestionScore[],
  floors: ReadonlyMap<string, FormFloors>,
): DecidedForm[] {
  const own = (form: RunFile["forms"][number]) => scores.filter((score) => formName(score) === formName(form));
  const decided = run.forms
    .filter((form) => form.ablation === undefined && form.options !== undefined)
    .filter((form) => {
      const judged = { optionCount: form.options ?? USUAL_OPTIONS, scores: own(form), caseOf: casesOf(run) };
      const ruled = { ...judged, floors: floors.get(formName(form)) ?? null, isEarlyStop: isStoppedEarly(run) };
      return decidedStateOf(ruled) !== null;
    });
  const names = new Set(decided.map(wholeName));
  return run.forms
    .filter((form) => names.has(wholeName(form)))
    .map((form) => ({ name: formName(form), asked: own(form).length, left: form.questions - own(form).length }));
}

function wholeName({ task, difficulty }: RunFile["forms"][number]): string {
  return formName({ task, difficulty });
}

/** What was not asked, and why. */
function decidedTexts(forms: readonly DecidedForm[]): string[] {
  return forms
    .filter(({ left }) => left > 0)
    .map(
      ({ name, asked, left }) =>
        `${name}: decided after ${asked} of ${asked + left} questions; ${left} were not asked (--until decided).`,
    );
}
