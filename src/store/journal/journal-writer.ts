import { type FileHandle, open, stat, truncate } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { badInput } from "../../base/errors.js";
import { onDisk } from "../atomic-write.js";
import type { WorkIdentity } from "../identity.js";
import { MOST_TEXT_BYTES } from "../text-lines.js";
import { type JournalCodec, sealLine } from "./codec.js";
import { headerLine, type JournalForm } from "./header.js";
import { readJournalLines, type TornLine } from "./read-journal.js";

interface WriteOptions {
  /** True if each record has to outlive a failure of power, not only of this process. */
  readonly isDurable?: boolean;
}

/** A journal as it was found. */
interface FoundJournal {
  readonly version: JournalForm["version"];
  readonly records: number;
  readonly torn: TornLine | null;
}

/**
 * Appends records to a journal. Records that arrive while a write is under way go out together in the next one.
 * Memory: what arrives during one write. To be opened under a lock.
 */
export class JournalWriter<T> {
  readonly path: string;
  /** Remains of a last line after a kill, which were cut off; `null`: none. */
  readonly torn: TornLine | null;
  readonly #file: FileHandle;
  readonly #codec: JournalCodec<T>;
  readonly #version: JournalForm["version"];
  readonly #isDurable: boolean;
  /** Bytes of whole lines. */
  #length: number;
  readonly #inode: bigint;
  #records: number;
  /** True after a failed write: a part of it may follow the whole lines. */
  #mayBeTorn = false;
  #pending: string[] = [];
  /** The write that pending lines go out in; `null`: none is pending. */
  #gathering: Promise<void> | null = null;
  /** The write behind which the next one goes. */
  #last: Promise<void> = Promise.resolve();

  private constructor(
    path: string,
    codec: JournalCodec<T>,
    { version, records, torn }: FoundJournal,
    { file, length, inode, isDurable }: { file: FileHandle; length: number; inode: bigint; isDurable: boolean },
  ) {
    this.path = path;
    this.torn = torn;
    this.#codec = codec;
    this.#version = version;
    this.#records = records;
    this.#file = file;
    this.#length = length;
    this.#inode = inode;
    this.#isDurable = isDurable;
  }

  /**
   * Goes on with the journal at `path` behind its last whole line, in the version in which it is written, or begins it.
   * @throws ProbeError `bad_input` when it belongs to other work, naming the differences, when a line's checksum does not
   * fit, or when it cannot be written
   */
  static async open<T>(
    path: string,
    codec: JournalCodec<T>,
    identity: WorkIdentity,
    { isDurable = false }: WriteOptions = {},
  ): Promise<JournalWriter<T>> {
    const found = await findJournal(path, codec, identity);
    const { torn } = found;
    if (torn !== null) await onDisk(path, () => truncate(path, torn.offset));
    const file = await onDisk(path, () => open(path, "a"));
    try {
      const { size, ino } = await file.stat({ bigint: true });
      const options = { file, length: Number(size), inode: ino, isDurable };
      const journal = new JournalWriter(path, codec, found, options);
      if (size === 0n) await journal.#write(`${headerLine(codec.kind, identity)}\n`);
      return journal;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Count of its records. */
  get records(): number {
    return this.#records;
  }

  /** Resolves when the record is in the file, where a kill of this process cannot lose it. */
  async append(record: T): Promise<void> {
    const text = this.#codec.encode(record);
    const line = this.#version === 1 ? text : sealLine(text);
    this.#requireReadable(line);
    this.#pending.push(`${line}\n`);
    if (this.#gathering === null) {
      this.#gathering = this.#writeNext(this.#last);
      this.#last = this.#gathering;
    }
    await this.#gathering;
  }

  /** A line that no program would read again is not written: the records before it stay. */
  #requireReadable(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (bytes <= MOST_TEXT_BYTES) return;
    throw badInput(
      `Expected each record of ${this.path} to have at most ${MOST_TEXT_BYTES} bytes, found one of ${bytes}. What came before it is kept.`,
    );
  }

  /**
   * Writes what is pending behind the write before, whatever became of that one. What comes until then, such as the answers
   * under all orders of a question, which come in one turn, goes out with it.
   */
  async #writeNext(before: Promise<void>): Promise<void> {
    await nextTurn();
    await before.catch(() => undefined);
    const lines = this.#pending;
    this.#pending = [];
    this.#gathering = null;
    await this.#write(lines.join(""));
    this.#records += lines.length;
  }

  async #write(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    await onDisk(this.path, async () => {
      await this.#requireOurs();
      this.#mayBeTorn = true;
      await this.#file.appendFile(bytes);
      if (this.#isDurable) await this.#file.datasync();
    });
    this.#mayBeTorn = false;
    this.#length += bytes.length;
  }

  /** Records must not go to a file that was moved or deleted, nor behind what somebody else wrote. */
  async #requireOurs(): Promise<void> {
    const { size, ino } = await stat(this.path, { bigint: true });
    if (ino === this.#inode && size === BigInt(this.#length)) return;
    if (ino === this.#inode && this.#mayBeTorn && size > this.#length) {
      await this.#file.truncate(this.#length);
      return;
    }
    const found = ino === this.#inode ? `${size} bytes` : "another file in its place";
    throw badInput(
      `Expected ${this.path} to have ${this.#length} bytes, found ${found}: another program changed it. ` +
        "End that program, then give the same command again.",
    );
  }

  /** Waits for what is being written; the file, if there still is one, is left for the next time. */
  async close(): Promise<void> {
    let last: Promise<void> | null = null;
    while (last !== this.#last) {
      last = this.#last;
      await last.catch(() => undefined);
    }
    try {
      await onDisk(this.path, () => this.#file.sync());
    } finally {
      await this.#file.close();
    }
  }
}

async function findJournal<T>(path: string, codec: JournalCodec<T>, identity: WorkIdentity): Promise<FoundJournal> {
  let version: JournalForm["version"] = 2;
  let torn: TornLine | null = null;
  let records = 0;
  const lines = readJournalLines(path, codec, {
    identity,
    onForm: (found) => {
      version = found.version;
    },
    onTorn: (found) => {
      torn = found;
    },
  });
  for await (const _ of lines) records++;
  return { version, torn, records };
}
