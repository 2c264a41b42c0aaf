import { badInput, type ProbeError } from "../base/errors.js";
import { DIFFICULTIES } from "../dataset/example.js";
import { type OfficialRecord, type QuestionForm, toExample } from "../dataset/official-record.js";
import { MIN_FITTED_QUESTIONS } from "../question/floors/fitted-rule.js";
import { FloorsOfForm, wordGroupOf } from "../question/floors/floors.js";
import { floorsOfExamples } from "../question/floors/rules.js";
import { formName } from "../question/form.js";
import { loadProbes } from "../question/probes.js";
import { isChoiceForm, probeForms } from "../question/question-build.js";

/** Reason in the `not_asked` of a record, and why one without another CL or SI question is left out. */
export const SUFFICE = "words of the review suffice";

const TASKS: ReadonlySet<string> = new Set(["CL", "SI"]);

/** Reason why a record is left out of which neither question could be built. */
const NONE = "no CL or SI question could be built";

/** Takes the questions out that the fitted lexical rule answers, or says why none of the record's CL and SI is left. */
export type KeepReading = (
  record: OfficialRecord,
) => { readonly record: OfficialRecord } | { readonly dropped: string };

/**
 * Of all CL and SI questions of the records those stay that the fitted lexical rule, out of fold, gets wrong. The others
 * are named in `not_asked`.
 * @throws ProbeError `bad_input` where a form has too few questions to fit a rule
 */
export async function readingKeeper(records: AsyncIterable<OfficialRecord>): Promise<KeepReading> {
  const forms = probeForms([...(await loadProbes()).values()], DIFFICULTIES).filter(
    (form) => isChoiceForm(form) && TASKS.has(form.probe.task),
  );
  const byForm = new Map<string, FloorsOfForm>();
  for await (const { floors } of floorsOfExamples(examplesIn(records), forms)) {
    const own = byForm.get(formName(floors)) ?? new FloorsOfForm();
    own.add(floors);
    byForm.set(formName(floors), own);
  }
  const suffice = new Map<string, QuestionForm[]>();
  const fail = new Set<string>();
  for (const [form, own] of byForm) {
    const { questions } = own.fitted();
    for (const question of questions) {
      const group = wordGroupOf(question);
      if (group === null) throw tooFew(form, questions.length);
      if (group === "do_not_suffice") fail.add(question.exampleId);
      else suffice.set(question.exampleId, [...(suffice.get(question.exampleId) ?? []), form as QuestionForm]);
    }
  }
  return (record) => {
    const { id } = toExample(record);
    if (!fail.has(id)) return { dropped: suffice.has(id) ? SUFFICE : NONE };
    const own = (suffice.get(id) ?? []).map((form) => [form, SUFFICE]);
    if (own.length === 0) return { record };
    return { record: { ...record, not_asked: { ...record.not_asked, ...Object.fromEntries(own) } } };
  };
}

async function* examplesIn(records: AsyncIterable<OfficialRecord>) {
  for await (const record of records) yield toExample(record);
}

function tooFew(form: string, questions: number): ProbeError {
  return badInput(
    `Expected at least ${MIN_FITTED_QUESTIONS} questions of ${form} for --needs-reading, found ${questions}: ` +
      "no rule can be fitted. Build more reviews, or leave --needs-reading out.",
  );
}
