import { access, constants } from "node:fs/promises";
import { messageOf, ProbeError } from "../base/errors.js";
import type { QuestionForm } from "../dataset/official-record.js";
import type { JournalCodec } from "../store/journal/codec.js";
import { jsonRecord } from "../store/journal/json-record.js";
import { readJournal } from "../store/journal/read-journal.js";
import { type Decision, type QuestionDecision, type ReviewHeader, type ReviewRecord, record } from "./decision.js";
import type { QuestionReason } from "./reasons.js";

/** The journal of a review by hand: which data and whose decisions, then a line a decision or note. */
export const REVIEW_JOURNAL: JournalCodec<ReviewRecord> = {
  kind: "review",
  journal: "a decisions file of `probe dataset review`",
  record: "a decision",
  onDamage: "Repair or remove that line.",
  version1: "record",
  ...jsonRecord(record),
};

/** Why questions were dropped, by example and question. */
export type DroppedQuestions = ReadonlyMap<string, ReadonlyMap<QuestionForm, QuestionReason>>;

/** What a decisions file holds. */
export interface DecisionsFile {
  readonly path: string;
  readonly header: ReviewHeader;
  /** By example; the last one of each. */
  readonly decisions: ReadonlyMap<string, Decision>;
  /** Questions that were dropped, by example and question. */
  readonly questions: DroppedQuestions;
  /** Notes about examples that are not decided yet, by example. */
  readonly notes: ReadonlyMap<string, string>;
  /** Bytes after the last whole line, which a kill left without their line end. */
  readonly tornBytes: number;
}

/**
 * Reads a file that `probe dataset review` wrote.
 * @throws ProbeError `bad_input` when it is no such file or a whole line is damaged
 */
export async function readDecisions(path: string): Promise<DecisionsFile> {
  await access(path, constants.R_OK).catch((cause: unknown) => {
    throw notDecisions(path, `that it cannot be read (${messageOf(cause)})`, cause);
  });
  const found = await findDecisions(path);
  if (found === null) throw notDecisions(path, "one without a whole line");
  return found;
}

/**
 * Likewise, but `null` where there is no file, or one that a kill left before its first record.
 * @throws ProbeError `bad_input` when it is something else or a whole line is damaged
 */
export async function findDecisions(path: string): Promise<DecisionsFile | null> {
  let first: ReviewHeader | null = null;
  const decisions = new Map<string, Decision>();
  const questions = new Map<string, Map<QuestionForm, QuestionReason>>();
  const notes = new Map<string, string>();
  let tornBytes = 0;
  const onTorn = ({ length }: { readonly length: number }) => {
    tornBytes = length;
  };
  for await (const { record: value } of readJournal(path, REVIEW_JOURNAL, { onTorn })) {
    if (value.kind === "review") first = value;
    else if (first === null) throw notDecisions(path, "decisions that do not say about which data");
    else if (value.kind === "decision") decisions.set(value.example_id, value);
    else if (value.kind === "question") noteQuestion(questions, value);
    else notes.set(value.example_id, value.note);
  }
  for (const id of decisions.keys()) notes.delete(id);
  return first === null ? null : { path, header: first, decisions, questions, notes, tornBytes };
}

/** The last decision about a question counts. */
export function noteQuestion(
  questions: Map<string, Map<QuestionForm, QuestionReason>>,
  { example_id: id, question, reason }: QuestionDecision,
): void {
  const own = questions.get(id) ?? new Map<QuestionForm, QuestionReason>();
  if (reason === null) own.delete(question);
  else own.set(question, reason);
  questions.set(id, own);
}

function notDecisions(path: string, found: string, cause?: unknown): ProbeError {
  return new ProbeError("bad_input", `Expected ${REVIEW_JOURNAL.journal} at ${path}, found ${found}.`, {
    cause,
  });
}
