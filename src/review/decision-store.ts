import type { QuestionForm } from "../dataset/official-record.js";
import { lockFile } from "../store/folder/lock-file.js";
import type { WorkIdentity } from "../store/identity.js";
import { requireSameFacts } from "../store/journal/header.js";
import { JournalWriter } from "../store/journal/journal-writer.js";
import type {
  Choice,
  Decision,
  Note,
  QuestionChoice,
  QuestionDecision,
  ReviewHeader,
  ReviewRecord,
} from "./decision.js";
import { type DroppedQuestions, findDecisions, noteQuestion, REVIEW_JOURNAL } from "./decisions-file.js";
import type { QuestionReason } from "./reasons.js";

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

  /** What a kill had left of a last line, in bytes; it was cut off. */
  get droppedBytes(): number {
    return this.#journal.torn?.length ?? 0;
  }

  /** By example. */
  get decisions(): ReadonlyMap<string, Decision> {
    return this.#decisions;
  }

  /** By example and question: those that were dropped. */
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

/** What has to be the same for a review to go on. */
function factsOf({ dataset, annotator }: Pick<ReviewHeader, "dataset" | "annotator">): WorkIdentity {
  return { "dataset sha256": dataset.sha256, annotator };
}

function headerOf({ dataset, annotator, now }: StoreRequest): ReviewHeader {
  return { kind: "review", schema_version: 1, dataset, annotator, started_at: now().toISOString() };
}
