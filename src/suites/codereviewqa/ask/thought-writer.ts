import { join } from "node:path";
import type { SymbolReply } from "../../../model/requests.js";
import type { Performance } from "../../../run/suite.js";
import { JournalWriter } from "../../../store/journal/journal-writer.js";
import { assembleThoughts, THOUGHT_JOURNAL, type ThoughtRecord } from "../answer/thoughts.js";
import type { QuestionOrder } from "./question-requests.js";

/** Writer of thoughts into their journal. */
export class ThoughtWriter {
  readonly #journal: JournalWriter<ThoughtRecord>;

  private constructor(journal: JournalWriter<ThoughtRecord>) {
    this.#journal = journal;
  }

  static async open({ folder, fingerprint }: Pick<Performance, "folder" | "fingerprint">): Promise<ThoughtWriter> {
    return new ThoughtWriter(
      await JournalWriter.open(join(folder, THOUGHT_JOURNAL.file), THOUGHT_JOURNAL, { fingerprint }),
    );
  }

  /** Resolves when the thoughts of a reply are in the file; at once where it shows none. */
  async write({ place, shown }: QuestionOrder, reply: SymbolReply): Promise<void> {
    const record = assembleThoughts(place, shown, reply);
    if (record === null || (record.text === null && record.trace === undefined)) return;
    await this.#journal.append(record);
  }

  close(): Promise<void> {
    return this.#journal.close();
  }
}
