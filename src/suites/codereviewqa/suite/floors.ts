import { join } from "node:path";
import { FLOORS_FILE, floorLine, parseFloorLine, type QuestionFloors } from "../../../question/floors/floor-record.js";
import { FloorsOfForm, type FormFloors } from "../../../question/floors/floors.js";
import { floorsOfExamples } from "../../../question/floors/rules.js";
import { type FormKey, formName } from "../../../question/form.js";
import type { Performance } from "../../../run/suite.js";
import type { JournalCodec } from "../../../store/journal/codec.js";
import { JournalWriter } from "../../../store/journal/journal-writer.js";
import { readJournal } from "../../../store/journal/read-journal.js";
import { plannedExamples, type RunPlan } from "../ask/plan.js";
import type { QuestionScore } from "../metric/question-score.js";
import { probesOf } from "../record/recorded-probes.js";
import type { RunFile } from "../record/run-file.js";
import { runFingerprintOf } from "../record/run-identity.js";

/** What rules without comprehension make of each question; kept beside the answers, so that scoring needs no data. */
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
  const forms = new Map<string, FloorsOfForm>();
  const add = (question: QuestionFloors) => {
    const name = formName(question);
    const form = forms.get(name) ?? new FloorsOfForm();
    form.add(question);
    forms.set(name, form);
  };
  const identity = { fingerprint: runFingerprintOf(run) };
  for await (const { record } of readJournal(join(folder, FLOORS_FILE), FLOORS, { identity })) {
    if (asked?.has(questionName(record)) !== false) add(record);
  }
  if (forms.size === 0) for (const record of await classesOf(run, scores)) add(record);
  return new Map([...forms].map(([name, form]) => [name, form.fitted()]));
}

function questionName(question: FormKey & { readonly exampleId: string }): string {
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
