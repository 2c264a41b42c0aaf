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
  const field = FIELDS.find((name) => name in planned && (recorded[name] ?? null) !== (planned[name] ?? null));
  if (field === undefined) return;
  const name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const [found, expected] = [recorded[field], planned[field]].map((value) => shorten(String(value ?? "none"), 80));
  throw new ProbeError(
    "bad_input",
    `Expected ${file} to hold records of this run, found one of ${recorded.task} ${shorten(recorded.exampleId, 80)} with the ` +
      `${name} ${found} in the place of ${expected}. It is of another run. Remove its lines to ask the question again.`,
  );
}
