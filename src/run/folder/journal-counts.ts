import { join } from "node:path";
import { JournalIndex } from "../../store/journal/journal-index.js";
import type { PlannedJournal } from "../suite.js";

/** Records of one journal: planned, there without a failure, and there as failures. */
export interface JournalCount {
  /** Such as `answers`. */
  readonly name: string;
  readonly planned: number;
  readonly done: number;
  readonly failed: number;
}

/** Counts what the journals of a run hold. Counted again, only what was added since is read. */
export class JournalCounts {
  readonly #folder: string;
  readonly #journals: readonly PlannedJournal[];
  readonly #fingerprint: string;
  readonly #indexes = new Map<string, JournalIndex<unknown>>();

  constructor(folder: string, journals: readonly PlannedJournal[], fingerprint: string) {
    this.#folder = folder;
    this.#journals = journals;
    this.#fingerprint = fingerprint;
  }

  /** @throws ProbeError `bad_input` when a journal is damaged, or of another run */
  async read(): Promise<JournalCount[]> {
    const counts: JournalCount[] = [];
    for (const journal of this.#journals) {
      const index = await this.#indexOf(journal);
      const done = index.answeredCount();
      counts.push({ name: journal.name, planned: journal.records, done, failed: index.recordedCount - done });
    }
    return counts;
  }

  async #indexOf({ codec, plan }: PlannedJournal): Promise<JournalIndex<unknown>> {
    const known = this.#indexes.get(codec.file);
    if (known !== undefined) {
      // Added since: placed by its beginning, under its checksum. Whoever scores the run looks at it whole.
      await known.readOn(true);
      return known;
    }
    const identity = { fingerprint: this.#fingerprint };
    const index = await JournalIndex.build(join(this.#folder, codec.file), codec, { plan, identity });
    this.#indexes.set(codec.file, index);
    return index;
  }
}

export function total(counts: readonly JournalCount[], of: "planned" | "done" | "failed"): number {
  return counts.reduce((sum, count) => sum + count[of], 0);
}

/** Such as `5 of 36 answers and 1 of 3 generations`. */
export function countsText(counts: readonly JournalCount[]): string {
  return counts
    .filter(({ planned }) => planned > 0)
    .map(({ name, planned, done }) => `${done} of ${planned} ${name}`)
    .join(" and ");
}
