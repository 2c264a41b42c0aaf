import { z } from "zod";
import { LANGUAGES } from "../../../../base/language.js";
import { PartialFile } from "../../../../store/partial-file.js";
import type { CommentOutcome } from "./import-pull.js";
import { reviewTripleSchema } from "./review-triple.js";

/** What an import was asked for; a stopped one goes on only with the same. */
export interface ImportParameters {
  readonly source: string;
  readonly api: string;
  readonly since: string | null;
  readonly until: string | null;
  readonly max_pulls: number | null;
}

const beginSchema = z.object({
  /** Pull requests merged after this are left for another import. */
  started_at: z.iso.datetime(),
});

const pullSchema = z.object({
  pull: z.int().positive(),
  triples: z.array(reviewTripleSchema),
  drops: z.array(z.object({ language: z.enum(LANGUAGES).nullable(), reason: z.string() })),
});

const lineSchema = z.union([beginSchema, pullSchema]);

/** A pull request that was read: its triples as they go to the output, and its drops, in the order of its comments. */
export type PullRecord = z.infer<typeof pullSchema>;

/**
 * `OUT.partial.jsonl`: when the import began, then a line for every pull request that was read, in the order in which they
 * were finished. Kept until the output is written.
 */
export class ProgressFile {
  readonly startedAt: Date;
  readonly #file: PartialFile;
  readonly #pulls: Set<number>;

  private constructor(file: PartialFile, startedAt: Date, pulls: Set<number>) {
    this.startedAt = startedAt;
    this.#file = file;
    this.#pulls = pulls;
  }

  /**
   * Opens the progress of an import to `out`, or begins one. A last line that a kill tore is dropped.
   * @throws ProbeError `bad_input` when it is another import's, naming the differences, or another process has it
   */
  static async open(out: string, parameters: ImportParameters, now: Date): Promise<ProgressFile> {
    const file = await PartialFile.open(`${out}.partial.jsonl`, { kind: "import", ...parameters });
    try {
      let startedAt: Date | null = null;
      const pulls = new Set<number>();
      for await (const line of file.read(lineSchema)) {
        if ("pull" in line) pulls.add(line.pull);
        else startedAt = new Date(line.started_at);
      }
      if (startedAt === null) await file.append({ started_at: now.toISOString() });
      return new ProgressFile(file, startedAt ?? now, pulls);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  get path(): string {
    return this.#file.path;
  }

  /** How many pull requests were read. */
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
    await this.#file.append(record);
    this.#pulls.add(pull);
  }

  /** The pull requests read, by ascending number; one at a time in memory. */
  async *records(): AsyncGenerator<PullRecord> {
    const lines = this.#file.readByKey(lineSchema, (line) => ("pull" in line ? line.pull : null));
    for await (const line of lines) if ("pull" in line) yield line;
  }

  /** The output is written, or nothing was read: nothing is left to go on with. */
  async remove(): Promise<void> {
    await this.#file.remove();
  }

  /** Leaves the file, if there still is one, for the next time. */
  async close(): Promise<void> {
    await this.#file.close();
  }
}
