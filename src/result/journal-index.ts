import { open } from "node:fs/promises";
import type { Answer } from "../domain/answer.js";
import { BlockReader } from "../file/block-reader.js";
import { decodeAnswer } from "./answer-record.js";
import { readJournal, type TornLine } from "./journal.js";

const MAX_ORDERS = 24;
const MISSING = -1;

/**
 * Where each answer of a journal stands, so that tables can be written in question order whatever the order in which
 * answers came. 13 bytes an answer; the answers themselves stay on disk. When an order was answered twice (a failed
 * answer asked again on resume), the last one counts.
 */
export class JournalIndex {
  readonly #path: string;
  readonly #offsets: Float64Array;
  readonly #lengths: Uint32Array;
  readonly #failed: Uint8Array;
  readonly questionCount: number;
  torn: TornLine | null = null;

  private constructor(path: string, questionCount: number) {
    this.#path = path;
    this.questionCount = questionCount;
    this.#offsets = new Float64Array(questionCount * MAX_ORDERS).fill(MISSING);
    this.#lengths = new Uint32Array(questionCount * MAX_ORDERS);
    this.#failed = new Uint8Array(questionCount * MAX_ORDERS);
  }

  /** @throws ProbeError `bad_input` when a line is damaged */
  static async build(path: string, questionCount: number): Promise<JournalIndex> {
    const index = new JournalIndex(path, questionCount);
    const noteTorn = (torn: TornLine) => {
      index.torn = torn;
    };
    for await (const { answer, offset, length } of readJournal(path, noteTorn)) {
      if (answer.questionIndex >= questionCount || answer.permutationIndex >= MAX_ORDERS) continue;
      const slot = answer.questionIndex * MAX_ORDERS + answer.permutationIndex;
      index.#offsets[slot] = offset;
      index.#lengths[slot] = length;
      index.#failed[slot] = answer.outcome.status === "failed" ? 1 : 0;
    }
    return index;
  }

  /** Whether this order has an answer that is not a failure. */
  isAnswered(questionIndex: number, permutationIndex: number): boolean {
    const slot = questionIndex * MAX_ORDERS + permutationIndex;
    return (this.#offsets[slot] ?? MISSING) !== MISSING && this.#failed[slot] === 0;
  }

  /** How many orders have an answer that is not a failure. */
  answeredCount(): number {
    return this.#offsets.reduce(
      (sum, offset, slot) => sum + (offset !== MISSING && this.#failed[slot] === 0 ? 1 : 0),
      0,
    );
  }

  /** Streams the answers question by question, each question's in the order of its permutations. */
  async *byQuestion(): AsyncGenerator<readonly Answer[]> {
    if (this.questionCount === 0 || this.#offsets.every((offset) => offset === MISSING)) return;
    const file = await open(this.#path, "r");
    const reader = new BlockReader(file);
    try {
      for (let question = 0; question < this.questionCount; question++) {
        const answers = await this.#answersOf(reader, question);
        if (answers.length > 0) yield answers;
      }
    } finally {
      await file.close();
    }
  }

  async #answersOf(reader: BlockReader, question: number): Promise<Answer[]> {
    const answers: Answer[] = [];
    for (let slot = question * MAX_ORDERS; slot < (question + 1) * MAX_ORDERS; slot++) {
      const [offset, length] = [this.#offsets[slot] ?? MISSING, this.#lengths[slot] ?? 0];
      if (offset === MISSING) continue;
      answers.push(decodeAnswer((await reader.read(offset, length)).toString("utf8")));
    }
    return answers;
  }

  /** The answers of one question, for early stopping on resume. */
  async answersTo(question: number): Promise<Answer[]> {
    const file = await open(this.#path, "r");
    try {
      return await this.#answersOf(new BlockReader(file), question);
    } finally {
      await file.close();
    }
  }
}
