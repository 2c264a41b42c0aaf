import { rm } from "node:fs/promises";
import { z } from "zod";
import { LANGUAGES } from "../../../base/language.js";
import { lockFile } from "../../../store/folder/lock.js";
import type { WorkIdentity } from "../../../store/identity.js";
import type { PlacedCodec } from "../../../store/journal/codec.js";
import { jsonRecord } from "../../../store/journal/codec.js";
import { JournalIndex } from "../../../store/journal/journal-index.js";
import { JournalWriter } from "../../../store/journal/journal-writer.js";
import { readJournal } from "../../../store/journal/read-journal.js";
import { progressPath } from "../import-source.js";
import { type CommentOutcome, reviewTripleSchema } from "./import-request.js";

/** Parameters of an import; a stopped one is resumed with the same only. */
export interface ImportParameters {
  readonly source: string;
  readonly api: string;
  readonly since: string | null;
  readonly until: string | null;
  readonly max_pulls: number | null;
}

const beginSchema = z.object({
  /** Requests merged after this are left for another import. */
  started_at: z.iso.datetime(),
});

const pullSchema = z.object({
  /** Number of a pull request, or of what GitLab calls a merge request. */
  pull: z.int().positive(),
  triples: z.array(reviewTripleSchema),
  drops: z.array(z.object({ language: z.enum(LANGUAGES).nullable(), reason: z.string() })),
});

const lineSchema = z.union([beginSchema, pullSchema]);

/** A line of the journal of an import. */
export type ProgressRecord = z.infer<typeof lineSchema>;

/** The journal of an import, `OUT.partial.jsonl`: when it began, then a line a pull request. */
export const IMPORT_JOURNAL: PlacedCodec<ProgressRecord> = {
  kind: "import",
  journal: "what an unfinished import left",
  record: "a pull request of an unfinished import",
  onDamage: "Remove that line: the same command reads its pull request again.",
  version1: "facts",
  ...jsonRecord(lineSchema),
  placeOf: (record) => ("pull" in record ? { item: record.pull, place: 0 } : null),
  isFailed: () => false,
};

/** Pull requests are known by their number. */
const ANY_PULL = { items: Number.MAX_SAFE_INTEGER, places: 1 };

/** A pull request that was read: its triples as they go to the output, and its drops, in the order of its comments. */
export type PullRecord = z.infer<typeof pullSchema>;

/**
 * `OUT.partial.jsonl`: when the import began, then a line for every pull request that was read, in the order in which they
 * were finished. Kept until the output is written.
 */
export class ProgressFile {
  readonly startedAt: Date;
  readonly #journal: JournalWriter<ProgressRecord>;
  readonly #identity: WorkIdentity;
  readonly #pulls: Set<number>;
  readonly #unlock: () => Promise<void>;
  #isOver = false;

  private constructor(
    journal: JournalWriter<ProgressRecord>,
    identity: WorkIdentity,
    { startedAt, pulls }: { readonly startedAt: Date; readonly pulls: Set<number> },
    unlock: () => Promise<void>,
  ) {
    this.startedAt = startedAt;
    this.#journal = journal;
    this.#identity = identity;
    this.#pulls = pulls;
    this.#unlock = unlock;
  }

  /**
   * Opens the progress of an import to `out`, or begins one. A last line that a kill tore is dropped.
   * @throws ProbeError `bad_input` when it is another import's, naming the differences, or another process has it
   */
  static async open(out: string, parameters: ImportParameters, now: Date): Promise<ProgressFile> {
    const path = progressPath(out);
    const identity = { ...parameters };
    const unlock = await lockFile(path);
    try {
      const found = await readProgress(path, identity);
      const journal = await JournalWriter.open(path, IMPORT_JOURNAL, identity);
      if (found.startedAt === null) await journal.append({ started_at: now.toISOString() });
      return new ProgressFile(journal, identity, { ...found, startedAt: found.startedAt ?? now }, unlock);
    } catch (error) {
      await unlock();
      throw error;
    }
  }

  get path(): string {
    return this.#journal.path;
  }

  /** Number of pull requests that were read. */
  get count(): number {
    return this.#pulls.size;
  }

  has(pull: number): boolean {
    return this.#pulls.has(pull);
  }

  /** Records a pull request. One call at a time. */
  async add(pull: number, outcomes: readonly CommentOutcome[]): Promise<void> {
    const record: PullRecord = {
      pull,
      triples: outcomes.flatMap((outcome) => (outcome.status === "kept" ? [outcome.triple] : [])),
      drops: outcomes.flatMap((outcome) =>
        outcome.status === "dropped" ? [{ language: outcome.language, reason: outcome.reason }] : [],
      ),
    };
    await this.#journal.append(record);
    this.#pulls.add(pull);
  }

  /** The pull requests read, by ascending number; one at a time in memory. */
  async *records(): AsyncGenerator<PullRecord> {
    const options = { plan: ANY_PULL, identity: this.#identity };
    const index = await JournalIndex.build(this.path, IMPORT_JOURNAL, options);
    for await (const [record] of index.byItem()) if (record !== undefined && "pull" in record) yield record;
  }

  /** The output is written, or nothing was read: nothing is left to go on with. */
  end(): void {
    this.#isOver = true;
  }

  /** Leaves the file for the next time, unless it has ended; then it goes behind the lock: a kill leaves no lock alone. */
  async close(): Promise<void> {
    try {
      await this.#journal.close();
    } finally {
      await this.#unlock();
    }
    if (this.#isOver) await rm(this.path, { force: true });
  }
}

async function readProgress(path: string, identity: WorkIdentity) {
  let startedAt: Date | null = null;
  const pulls = new Set<number>();
  for await (const { record } of readJournal(path, IMPORT_JOURNAL, { identity })) {
    if ("pull" in record) pulls.add(record.pull);
    else startedAt = new Date(record.started_at);
  }
  return { startedAt, pulls };
}
