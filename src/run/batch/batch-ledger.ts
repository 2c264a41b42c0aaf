import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { badInput } from "../../base/errors.js";
import { sha256 } from "../../base/sha256.js";
import type { SentBatch } from "../../model/batch/batch-api.js";
import { writeAtomically } from "../../store/atomic-write.js";
import { makeFolder } from "../../store/folder/work-folder.js";
import { type JournalCodec, jsonRecord } from "../../store/journal/codec.js";
import { JournalWriter } from "../../store/journal/journal-writer.js";
import { readJournal } from "../../store/journal/read-journal.js";

const text = z.string();
const count = z.int().nonnegative();
const amount = z.number().nonnegative();

const submitting = z.strictObject({
  event: z.literal("submitting"),
  batch: count,
  mark: text.regex(/^[\w-]{1,40}$/),
  path: text,
  requests: count,
  sha256: text,
  /** The most that it may cost; `null` where the price is not known. */
  cost_bound: amount.nullable(),
  at: z.iso.datetime(),
});
const submitted = z.strictObject({ event: z.literal("submitted"), batch: count, id: text, at: z.iso.datetime() });
const collected = z.strictObject({
  event: z.literal("collected"),
  batch: count,
  answered: count,
  failed: count,
  expired: count,
  cancelled: count,
  /** Answers that say nothing, and are asked for again. */
  faulty: count,
  missing: count,
  /** Requests of a batch that was refused as a whole. */
  refused: count,
  /** Results with an id that is none of the batch's, or one that came before. */
  foreign: count,
  doubles: count,
  /** The most that answers may have cost that no journal has. */
  cost_bound: amount,
  at: z.iso.datetime(),
});

type LedgerEvent = z.infer<typeof submitting> | z.infer<typeof submitted> | z.infer<typeof collected>;
/** Results of a batch, counted. */
export type BatchCounts = Omit<z.infer<typeof collected>, "event" | "batch" | "at" | "cost_bound">;

export const NO_RESULTS: BatchCounts = {
  answered: 0,
  failed: 0,
  expired: 0,
  cancelled: 0,
  faulty: 0,
  missing: 0,
  refused: 0,
  foreign: 0,
  doubles: 0,
};

const LEDGER: JournalCodec<LedgerEvent> & { readonly file: string } = {
  file: "batches.jsonl",
  kind: "batches",
  journal: "the batches of a run",
  record: "an event of a batch",
  onDamage: "Restore it: without it, what is under way would be asked again.",
  version1: "record",
  ...jsonRecord(z.discriminatedUnion("event", [submitting, submitted, collected])),
};

const requestId = z.looseObject({ custom_id: text });

/** A batch of the run whose results are not there yet. */
export interface OpenBatch extends SentBatch {
  /** From 1. */
  readonly number: number;
  readonly costBound: number | null;
  /** Id at the service; `null` where it may not have been sent. */
  readonly id: string | null;
}

/** A batch that is about to be sent. */
export interface NewBatch {
  readonly number: number;
  readonly mark: string;
  readonly path: string;
  readonly lines: readonly string[];
  /** The most that it may cost; `null` where the price is not known. */
  readonly costBound: number | null;
}

/**
 * The batches of a run, in its folder: `batches/1.jsonl` … are what was sent, to the byte; `batches.jsonl` says what became
 * of each. Both are written before anything is sent, so that a session after a kill knows what to look for.
 */
export class BatchLedger {
  readonly #folder: string;
  readonly #fingerprint: string;
  readonly #writer: JournalWriter<LedgerEvent>;
  readonly #open = new Map<number, OpenBatch>();
  readonly #ids = new Set<string>();
  #last = 0;
  #lost = 0;

  private constructor(folder: string, fingerprint: string, writer: JournalWriter<LedgerEvent>) {
    this.#folder = folder;
    this.#fingerprint = fingerprint;
    this.#writer = writer;
  }

  /** @throws ProbeError `bad_input` where it is damaged, or of another run */
  static async open(folder: string, fingerprint: string): Promise<BatchLedger> {
    const path = join(folder, LEDGER.file);
    const events: LedgerEvent[] = [];
    for await (const { record } of readJournal(path, LEDGER, { identity: { fingerprint } })) events.push(record);
    const writer = await JournalWriter.open(path, LEDGER, { fingerprint }, { isDurable: true });
    const ledger = new BatchLedger(folder, fingerprint, writer);
    for (const event of events) ledger.#note(event);
    return ledger;
  }

  #note(event: LedgerEvent): void {
    const known = this.#open.get(event.batch);
    switch (event.event) {
      case "submitting": {
        const { batch: number, mark, path, requests, sha256: hash, cost_bound: costBound, at } = event;
        this.#last = Math.max(this.#last, number);
        this.#open.set(number, { number, mark, path, requests, sha256: hash, costBound, at: Date.parse(at), id: null });
        return;
      }
      case "submitted":
        this.#ids.add(event.id);
        if (known !== undefined) this.#open.set(known.number, { ...known, id: event.id });
        return;
      case "collected":
        this.#lost += event.cost_bound;
        this.#open.delete(event.batch);
    }
  }

  async #add(event: LedgerEvent): Promise<void> {
    await this.#writer.append(event);
    this.#note(event);
  }

  /** Batches whose results are not there yet, in their order. */
  get open(): readonly OpenBatch[] {
    return [...this.#open.values()];
  }

  /** Ids of all batches of the run. */
  get ids(): ReadonlySet<string> {
    return this.#ids;
  }

  /** The most that answers may have cost that no journal has. */
  get lostCost(): number {
    return this.#lost;
  }

  /** Number and mark of the next batch: it names the run, and no other batch has it, be it of a run that asks the same. */
  next(): Pick<NewBatch, "number" | "mark"> {
    const number = this.#last + 1;
    return { number, mark: `probe-${this.#fingerprint.slice(0, 8)}-${randomBytes(6).toString("hex")}-${number}` };
  }

  /** Writes what is about to be sent, and that it is. */
  async submitting({ number, mark, path, lines, costBound }: NewBatch, now: Date): Promise<OpenBatch> {
    const file = `${lines.join("\n")}\n`;
    await makeFolder(join(this.#folder, "batches"));
    await writeAtomically(this.#pathOf(number), (append) => append(file));
    await this.#add({
      event: "submitting",
      batch: number,
      mark,
      path,
      requests: lines.length,
      sha256: sha256(file),
      cost_bound: costBound,
      at: now.toISOString(),
    });
    const batch = this.#open.get(number);
    if (batch === undefined) throw new Error(`Expected the batch ${number}.`);
    return batch;
  }

  submitted({ number: batch }: OpenBatch, id: string, now: Date): Promise<void> {
    return this.#add({ event: "submitted", batch, id, at: now.toISOString() });
  }

  collected({ number: batch }: OpenBatch, counts: BatchCounts, lostCost: number, now: Date): Promise<void> {
    return this.#add({ event: "collected", batch, ...counts, cost_bound: lostCost, at: now.toISOString() });
  }

  /**
   * What was sent, to the byte.
   * @throws ProbeError `bad_input` where it is gone, or was changed
   */
  async fileOf({ number, sha256: expected }: OpenBatch): Promise<string> {
    const path = this.#pathOf(number);
    const file = await readFile(path, "utf8").catch(() => null);
    if (file !== null && sha256(file) === expected) return file;
    const found = file === null ? "none that can be read" : "other content";
    throw badInput(
      `Expected ${path} as it was sent, found ${found}: it says what the batch asks. Restore it, or begin another run.`,
    );
  }

  /** Names of the requests of a batch in the run. */
  async keysOf(batch: OpenBatch): Promise<ReadonlySet<string>> {
    const lines = (await this.fileOf(batch)).split("\n").filter((line) => line !== "");
    return new Set(lines.map((line) => requestId.parse(JSON.parse(line)).custom_id.slice(batch.mark.length + 1)));
  }

  #pathOf(number: number): string {
    return join(this.#folder, "batches", `${number}.jsonl`);
  }

  close(): Promise<void> {
    return this.#writer.close();
  }
}
