import { constants } from "node:fs";
import { type FileHandle, open, stat, truncate } from "node:fs/promises";
import { isSystemError, messageOf, ProbeError } from "../../../../base/errors.js";
import { printable } from "../../../../base/text.js";
import { writeAtomically } from "../../../../store/atomic-write.js";
import { takeLock } from "../../../../store/lock.js";
import type { Choice, Decision, Note, ReviewHeader } from "./decision.js";
import { type DecisionsFile, readDecisions } from "./decisions-file.js";

interface StoreRequest {
  readonly path: string;
  readonly dataset: ReviewHeader["dataset"];
  readonly annotator: string;
  readonly now: () => Date;
}

/** The decisions of one annotator, on disk as soon as they are made. */
export class DecisionStore {
  readonly path: string;
  /** What a kill had left of a last line, in bytes; it was cut off. */
  readonly droppedBytes: number;
  readonly #annotator: string;
  readonly #now: () => Date;
  readonly #decisions: Map<string, Decision>;
  readonly #notes: Map<string, string>;
  readonly #unlock: () => Promise<void>;
  /** Bytes of whole lines. */
  #length: number;
  /** Whether a write failed, so that a part of a line may follow them. */
  #mayBeTorn = false;
  #writes: Promise<unknown> = Promise.resolve();

  private constructor(file: DecisionsFile, now: () => Date, unlock: () => Promise<void>) {
    this.path = file.path;
    this.droppedBytes = file.tornBytes;
    this.#annotator = file.header.annotator;
    this.#now = now;
    this.#decisions = new Map(file.decisions);
    this.#notes = new Map(file.notes);
    this.#length = file.length;
    this.#unlock = unlock;
  }

  /**
   * Goes on with the file at `path`, or begins it.
   * @throws ProbeError `bad_input` when it belongs to another dataset or annotator, when another process writes it, or
   * when it cannot be written
   */
  static async open(request: StoreRequest): Promise<DecisionStore> {
    const { path } = request;
    const unlock = await writable(path, () =>
      takeLock(`${path}.lock`, { name: path, advice: "end that review with Ctrl-C" }),
    );
    try {
      if (!(await exists(path))) await writable(path, () => begin(request));
      const file = await readDecisions(path);
      requireSame(file, request);
      if (file.tornBytes > 0) await writable(path, () => truncate(path, file.length));
      return new DecisionStore(file, request.now, unlock);
    } catch (error) {
      await unlock();
      throw error;
    }
  }

  /** By example. */
  get decisions(): ReadonlyMap<string, Decision> {
    return this.#decisions;
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
    await this.#append(decision);
    this.#decisions.set(exampleId, decision);
    this.#notes.delete(exampleId);
    return decision;
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
    await this.#append(record);
    this.#notes.set(exampleId, note);
  }

  /** Waits for what is being written, then lets another process have the file. */
  async close(): Promise<void> {
    await this.#writes;
    await this.#unlock();
  }

  /** One line at a time. */
  #append(record: Decision | Note): Promise<void> {
    const write = this.#writes.then(() => this.#write(`${JSON.stringify(record)}\n`));
    this.#writes = write.catch(() => undefined);
    return write;
  }

  async #write(line: string): Promise<void> {
    // Opened each time, and never created: decisions must not go to a file that was moved or deleted.
    const file = await open(this.path, constants.O_WRONLY | constants.O_APPEND);
    try {
      await this.#requireOurs(file);
      this.#mayBeTorn = true;
      await file.appendFile(line);
      await file.datasync();
      this.#mayBeTorn = false;
      this.#length += Buffer.byteLength(line);
    } finally {
      await file.close();
    }
  }

  async #requireOurs(file: FileHandle): Promise<void> {
    const { size } = await file.stat();
    if (size === this.#length) return;
    if (!this.#mayBeTorn || size < this.#length) {
      throw new Error(`expected a file of ${this.#length} bytes, found ${size}: another program changed it`);
    }
    await file.truncate(this.#length);
  }
}

async function begin({ path, dataset, annotator, now }: StoreRequest): Promise<void> {
  const header: ReviewHeader = {
    kind: "review",
    schema_version: 1,
    dataset,
    annotator,
    started_at: now().toISOString(),
  };
  await writeAtomically(path, (append) => append(`${JSON.stringify(header)}\n`));
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return false;
    throw error;
  }
}

async function writable<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    if (cause instanceof ProbeError || !(cause instanceof Error && "code" in cause)) throw cause;
    throw new ProbeError(
      "bad_input",
      `Expected to write decisions to ${printable(path, 1000)}, found ${printable(messageOf(cause), 1000)}. ` +
        "Name another file with --out.",
      { cause },
    );
  }
}

function requireSame({ path, header }: DecisionsFile, { dataset, annotator }: StoreRequest): void {
  const pairs = [
    ["dataset sha256", header.dataset.sha256, dataset.sha256],
    ["annotator", header.annotator, annotator],
  ] as const;
  const differences = pairs
    .filter(([, recorded, asked]) => recorded !== asked)
    .map(([name, recorded, asked]) => `  ${name}: the file has "${printable(recorded)}", this command "${asked}"`);
  if (differences.length === 0) return;
  throw new ProbeError(
    "bad_input",
    `Expected the decisions in ${printable(path, 1000)} to be those this command asks for, found different ones:\n` +
      `${differences.join("\n")}\nNothing was changed. Name another file with --out.`,
  );
}
