import { access, constants } from "node:fs/promises";
import { badInput, messageOf, type ProbeError } from "../base/errors.js";
import type { QuestionForm } from "../dataset/official-record.js";
import { lockFile } from "../store/folder/lock.js";
import type { WorkIdentity } from "../store/identity.js";
import { type JournalCodec, jsonRecord } from "../store/journal/codec.js";
import { requireSameFacts } from "../store/journal/header.js";
import { JournalWriter } from "../store/journal/journal-writer.js";
import { readJournal } from "../store/journal/read-journal.js";
import {
  type Choice,
  type Decision,
  type Note,
  type QuestionChoice,
  type QuestionDecision,
  type QuestionReason,
  type ReviewHeader,
  type ReviewRecord,
  record,
} from "./decision.js";

/** The journal of a review by hand: which data and whose decisions, then a line a decision or note. */
export const REVIEW_JOURNAL: JournalCodec<ReviewRecord> = {
  kind: "review",
  journal: "a decisions file of `probe dataset review`",
  record: "a decision",
  onDamage: "Repair or remove that line.",
  version1: "record",
  ...jsonRecord(record),
};

/** Reasons of dropped questions, by example and question. */
type DroppedQuestions = ReadonlyMap<string, ReadonlyMap<QuestionForm, QuestionReason>>;

/** Content of a decisions file. */
export interface DecisionsFile {
  readonly path: string;
  readonly header: ReviewHeader;
  /** The last decision about each example. */
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
 * Reads such a file, `null` where there is none, or one that a kill left before its first record.
 * @throws ProbeError `bad_input` when it is something else or a whole line is damaged
 */
async function findDecisions(path: string): Promise<DecisionsFile | null> {
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
function noteQuestion(
  questions: Map<string, Map<QuestionForm, QuestionReason>>,
  { example_id: id, question, reason }: QuestionDecision,
): void {
  const own = questions.get(id) ?? new Map<QuestionForm, QuestionReason>();
  if (reason === null) own.delete(question);
  else own.set(question, reason);
  questions.set(id, own);
}

function notDecisions(path: string, found: string, cause?: unknown): ProbeError {
  return badInput(`Expected ${REVIEW_JOURNAL.journal} at ${path}, found ${found}.`, cause);
}

interface StoreRequest {
  readonly path: string;
  readonly dataset: ReviewHeader["dataset"];
  readonly annotator: string;
  readonly now: () => Date;
}

/** The decisions of one annotator, on disk as soon as they are made. */
export class DecisionStore {
  readonly path: string;
  readonly #annotator: string;
  readonly #now: () => Date;
  readonly #decisions: Map<string, Decision>;
  readonly #questions: Map<string, Map<QuestionForm, QuestionReason>>;
  readonly #notes: Map<string, string>;
  readonly #journal: JournalWriter<ReviewRecord>;
  readonly #unlock: () => Promise<void>;

  private constructor(
    { path, annotator, now }: StoreRequest,
    found: Awaited<ReturnType<typeof findDecisions>>,
    journal: JournalWriter<ReviewRecord>,
    unlock: () => Promise<void>,
  ) {
    this.path = path;
    this.#annotator = annotator;
    this.#now = now;
    this.#decisions = new Map(found?.decisions);
    this.#questions = new Map([...(found?.questions ?? [])].map(([id, dropped]) => [id, new Map(dropped)]));
    this.#notes = new Map(found?.notes);
    this.#journal = journal;
    this.#unlock = unlock;
  }

  /**
   * Goes on with the file at `path`, or begins it.
   * @throws ProbeError `bad_input` when it belongs to another dataset or annotator, when another process writes it, or
   * when it cannot be written
   */
  static async open(request: StoreRequest): Promise<DecisionStore> {
    const { path } = request;
    const unlock = await lockFile(path, "end that review with Ctrl-C, or name another file with --out");
    try {
      const found = await findDecisions(path);
      const facts = factsOf(request);
      if (found !== null) requireSameFacts(path, factsOf(found.header), facts);
      const journal = await JournalWriter.open(path, REVIEW_JOURNAL, facts, { isDurable: true });
      if (found === null) await journal.append(headerOf(request));
      return new DecisionStore(request, found, journal, unlock);
    } catch (error) {
      await unlock();
      throw error;
    }
  }

  /** Bytes of a torn last line, which a kill had left; it was cut off. */
  get droppedBytes(): number {
    return this.#journal.torn?.length ?? 0;
  }

  /** Decisions by example. */
  get decisions(): ReadonlyMap<string, Decision> {
    return this.#decisions;
  }

  /** Dropped questions, by example and question. */
  get questions(): DroppedQuestions {
    return this.#questions;
  }

  /** The note about an example, decided or not. */
  noteOf(exampleId: string): string {
    return this.#decisions.get(exampleId)?.note ?? this.#notes.get(exampleId) ?? "";
  }

  /** Resolves when the decision is on disk. */
  async decide(exampleId: string, choice: Choice, note: string): Promise<Decision> {
    const decision: Decision = {
      kind: "decision",
      example_id: exampleId,
      ...choice,
      note,
      annotator: this.#annotator,
      decided_at: this.#now().toISOString(),
    };
    await this.#journal.append(decision);
    this.#decisions.set(exampleId, decision);
    this.#notes.delete(exampleId);
    return decision;
  }

  /** Resolves when the decision about one question is on disk. */
  async decideQuestion(exampleId: string, question: QuestionForm, choice: QuestionChoice): Promise<void> {
    const decision: QuestionDecision = {
      kind: "question",
      example_id: exampleId,
      question,
      ...choice,
      annotator: this.#annotator,
      decided_at: this.#now().toISOString(),
    };
    await this.#journal.append(decision);
    noteQuestion(this.#questions, decision);
  }

  /** Resolves when the note is on disk: as the decision made again where there is one. */
  async note(exampleId: string, note: string): Promise<void> {
    const decided = this.#decisions.get(exampleId);
    if (decided !== undefined) {
      const { decision, reason } = decided;
      await this.decide(exampleId, decision === "keep" ? { decision, reason: null } : { decision, reason }, note);
      return;
    }
    const record: Note = {
      kind: "note",
      example_id: exampleId,
      note,
      annotator: this.#annotator,
      noted_at: this.#now().toISOString(),
    };
    await this.#journal.append(record);
    this.#notes.set(exampleId, note);
  }

  /** Waits for what is being written, then lets another process have the file. */
  async close(): Promise<void> {
    try {
      await this.#journal.close();
    } finally {
      await this.#unlock();
    }
  }
}

/** Identity of a review: it is resumed by the same one only. */
function factsOf({ dataset, annotator }: Pick<ReviewHeader, "dataset" | "annotator">): WorkIdentity {
  return { "dataset sha256": dataset.sha256, annotator };
}

function headerOf({ dataset, annotator, now }: StoreRequest): ReviewHeader {
  return { kind: "review", schema_version: 1, dataset, annotator, started_at: now().toISOString() };
}
