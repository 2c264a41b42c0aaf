import { ProbeError } from "../../../base/errors.js";
import { LANGUAGES } from "../../../base/language.js";
import { shorten } from "../../../base/text.js";
import { CHANGE_TYPES, DIFFICULTIES } from "../../../dataset/example.js";
import { WITHHELD } from "../../../question/form.js";
import { nullable, oneOf, optional, TEXT } from "../../../store/field-type.js";
import { field, lineName } from "../../../store/record-fields.js";

/** Fields that say which form of which probe a record is about. */
export const FORM_FIELDS = {
  task: field(TEXT, "CTR, CL, SI, or the task of a probe of one's own."),
  difficulty: field(nullable(oneOf(DIFFICULTIES)), "easy or hard; empty for a task that has one form."),
  /** Absent where nothing is withheld, and in runs that were recorded before anything could be. */
  ablation: field(optional(oneOf(WITHHELD)), {
    column: "Parts withheld from the prompt: none, review, code or both.",
    cell: (ablation) => ablation ?? "none",
  }),
};

/** Fields that say which example a record is about. */
export const EXAMPLE_FIELDS = {
  exampleId: field(TEXT, "The example, as in the dataset."),
  language: field(oneOf(LANGUAGES), "Language of the code."),
  changeType: field(oneOf(CHANGE_TYPES), "add, delete or modify: what the review asks for."),
};

/** Fields that a record has in common with the question that it answers. */
const ASKED_FIELDS = { ...FORM_FIELDS, ...EXAMPLE_FIELDS, promptSha256: field(TEXT) };

type AskedField = keyof typeof ASKED_FIELDS;
const ASKED = Object.keys(ASKED_FIELDS) as readonly AskedField[];

/** Question that a record says it is about. */
export type AskedAs = Readonly<Partial<Record<AskedField, string | null | undefined>>>;

/**
 * Makes sure that a record is about the question in whose place it stands: the journal may hold lines of another run.
 * @param file of the journal
 * @param planned fields of the question; those that it lacks are not compared
 * @throws ProbeError `bad_input` naming the first difference
 */
export function requireSameQuestion(file: string, recorded: AskedAs, planned: AskedAs): void {
  for (const field of ASKED) {
    if (field in planned && (recorded[field] ?? null) !== (planned[field] ?? null))
      throw ofAnother(file, field, recorded, planned);
  }
}

function ofAnother(file: string, field: AskedField, recorded: AskedAs, planned: AskedAs): ProbeError {
  const [task, example, found, expected] = [recorded.task, recorded.exampleId, recorded[field], planned[field]].map(
    (value) => shorten(String(value ?? "none"), 80),
  );
  return new ProbeError(
    "bad_input",
    `Expected ${file} to hold records of this run, found one of ${task} ${example} with the ${lineName(field)} ${found} in ` +
      `the place of ${expected}. It is of another run. Remove its lines to ask the question again.`,
  );
}
