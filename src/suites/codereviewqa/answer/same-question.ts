import { ProbeError } from "../../../base/errors.js";
import { shorten } from "../../../base/text.js";

/** What a line says of the question that it is about. */
export interface AskedAs {
  readonly task: string;
  readonly exampleId: string;
  readonly language: string;
  readonly changeType: string;
  readonly difficulty?: string | null;
  readonly ablation?: string | undefined;
  readonly promptSha256?: string;
}

const FIELDS = ["task", "difficulty", "ablation", "exampleId", "language", "changeType", "promptSha256"] as const;

/**
 * That a line is about the very question it stands at: a journal of this run may have been mixed with lines of another.
 * @param file of the journal
 * @param planned as it is to be; a field that it does not have is not looked at
 * @throws ProbeError `bad_input` naming the first difference
 */
export function requireSameQuestion(file: string, recorded: AskedAs, planned: AskedAs): void {
  if (isSame(recorded, planned)) return;
  for (const field of FIELDS) {
    if (field in planned && (recorded[field] ?? null) !== (planned[field] ?? null))
      throw ofAnother(file, field, recorded, planned);
  }
}

/** Whether all fields are the same, as nearly always: several times as fast as to go through them by name. */
function isSame(a: AskedAs, b: AskedAs): boolean {
  return (
    a.task === b.task &&
    a.difficulty === b.difficulty &&
    a.ablation === b.ablation &&
    a.exampleId === b.exampleId &&
    a.language === b.language &&
    a.changeType === b.changeType &&
    (b.promptSha256 === undefined || a.promptSha256 === b.promptSha256)
  );
}

function ofAnother(file: string, field: (typeof FIELDS)[number], recorded: AskedAs, planned: AskedAs): ProbeError {
  const name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const [found, expected] = [recorded[field], planned[field]].map((value) => shorten(String(value ?? "none"), 80));
  return new ProbeError(
    "bad_input",
    `Expected ${file} to hold records of this run, found one of ${recorded.task} ${shorten(recorded.exampleId, 80)} with the ` +
      `${name} ${found} in the place of ${expected}. It is of another run. Remove its lines to ask the question again.`,
  );
}
