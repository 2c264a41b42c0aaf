import { appendFile, open, rm, stat, truncate, writeFile } from "node:fs/promises";
import { z } from "zod";
import { ProbeError } from "../../domain/errors.js";
import { LANGUAGES } from "../../domain/language.js";
import { printable } from "../../domain/text.js";
import { readLines } from "../../file/lines.js";
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

const headerSchema = z.object({
  version: z.literal(1),
  parameters: z.object({
    source: z.string(),
    api: z.string(),
    since: z.string().nullable(),
    until: z.string().nullable(),
    max_pulls: z.number().nullable(),
  }),
  /** Pull requests merged after this are left for another import. */
  started_at: z.iso.datetime(),
});

const pullSchema = z.object({
  pull: z.int().positive(),
  triples: z.array(reviewTripleSchema),
  drops: z.array(z.object({ language: z.enum(LANGUAGES).nullable(), reason: z.string() })),
});

/** A pull request that was read: its triples as they go to the output, and its drops, in the order of its comments. */
export type PullRecord = z.infer<typeof pullSchema>;

/**
 * `OUT.partial.jsonl`: a header, then a line for every pull request that was read, in the order in which they were
 * finished. Kept until the output is written.
 */
export class ProgressFile {
  readonly path: string;
  readonly startedAt: Date;
  readonly #pulls: Set<number>;

  private constructor(path: string, startedAt: Date, pulls: Set<number>) {
    this.path = path;
    this.startedAt = startedAt;
    this.#pulls = pulls;
  }

  /**
   * Opens the progress of an import to `out`, or begins one. A last line that a kill tore is dropped.
   * @throws ProbeError `bad_input` when it is another import's, naming the differences
   */
  static async open(out: string, parameters: ImportParameters, now: Date): Promise<ProgressFile> {
    const path = `${out}.partial.jsonl`;
    if ((await stat(path).catch(() => null)) === null) return ProgressFile.#begin(path, parameters, now);
    let startedAt: Date | null = null;
    const pulls = new Set<number>();
    let size = 0;
    for await (const { number, offset, bytes, terminated } of readLines(path)) {
      if (!terminated) break;
      if (number === 1) startedAt = checkHeader(path, bytes.toString(), parameters);
      else pulls.add(parsePull(path, number, bytes.toString()).pull);
      size = offset + bytes.length + 1;
    }
    // Killed before its header stood: nothing was read.
    if (startedAt === null) return ProgressFile.#begin(path, parameters, now);
    await truncate(path, size);
    return new ProgressFile(path, startedAt, pulls);
  }

  static async #begin(path: string, parameters: ImportParameters, now: Date): Promise<ProgressFile> {
    await writeFile(path, toLine({ version: 1, parameters, started_at: now.toISOString() }));
    return new ProgressFile(path, now, new Set());
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
    await appendFile(this.path, toLine(record));
    this.#pulls.add(pull);
  }

  /** The pull requests read, by ascending number; one at a time in memory. */
  async *records(): AsyncGenerator<PullRecord> {
    const lines = new Map<number, { readonly offset: number; readonly length: number }>();
    for await (const { number, offset, bytes } of readLines(this.path)) {
      if (number > 1) lines.set(parsePull(this.path, number, bytes.toString()).pull, { offset, length: bytes.length });
    }
    const file = await open(this.path);
    try {
      for (const [number, { offset, length }] of [...lines].sort(([a], [b]) => a - b)) {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
        yield parsePull(this.path, number, buffer.toString("utf8", 0, bytesRead));
      }
    } finally {
      await file.close();
    }
  }

  /** The output is written, or nothing was read: nothing is left to go on with. */
  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }
}

function toLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function checkHeader(path: string, text: string, asked: ImportParameters): Date {
  const { data } = headerSchema.safeParse(parseJson(text));
  if (data === undefined) throw damaged(path, 1);
  const recorded: Readonly<Record<string, string | number | null>> = data.parameters;
  const differences = Object.entries(asked)
    .filter(([name, value]) => recorded[name] !== value)
    .map(([name, value]) => `  ${name}: it has ${show(recorded[name])}, this command ${show(value)}`);
  if (differences.length === 0) return new Date(data.started_at);
  throw new ProbeError(
    "bad_input",
    `Expected the import begun in ${printable(path, 1000)} to be the one this command asks for, found another:\n` +
      `${differences.join("\n")}\nNothing was changed. Go on with it by its own parameters, name another --out, or ` +
      "remove that file.",
  );
}

function parsePull(path: string, line: number, text: string): PullRecord {
  const { data } = pullSchema.safeParse(parseJson(text));
  if (data === undefined) throw damaged(path, line);
  return data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function damaged(path: string, line: number): ProbeError {
  return new ProbeError(
    "bad_input",
    `Expected the progress of an import in ${printable(path, 1000)}, found line ${line} to be something else. Move the ` +
      "file away to begin anew.",
  );
}

function show(value: unknown): string {
  return value === null || value === undefined ? "none" : printable(String(value), 200);
}
