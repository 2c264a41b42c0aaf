import { badInput, isSystemError, messageOf, ProbeError } from "../../base/errors.js";
import { type Bytes, shortenLines } from "../../base/text.js";
import type { WorkIdentity } from "../identity.js";
import { type FileLine, type LinePlace, readLineBlocks, requirePlainFile } from "../text-lines.js";
import { isSealed, type JournalCodec, unsealLine } from "./codec.js";
import { type JournalForm, readForm, requireTornStart } from "./header.js";

/** A whole line behind the header. */
interface JournalLine {
  /** Line number in the file, from 1. */
  readonly number: number;
  /** Bytes from the start of the file. */
  readonly offset: number;
  /** Bytes, without the line end. */
  readonly length: number;
  readonly form: JournalForm;
  /** Without its checksum, which fits. */
  readonly text: string;
}

/** A whole line behind the header as it stands in the file. */
export interface RawLine {
  /** Line number in the file, from 1. */
  readonly number: number;
  /** Bytes from the start of the file. */
  readonly offset: number;
  /** Without the line end, with the checksum. */
  readonly bytes: Bytes;
  readonly form: JournalForm;
}

/** A record in a journal, and where it stands. */
export interface JournalEntry<T> extends JournalLine {
  readonly record: T;
}

/** Torn last line: bytes that a kill left without their line end. */
export interface TornLine {
  readonly offset: number;
  readonly length: number;
}

/** A place behind a record of a journal that was read up to there. */
export interface JournalPlace extends LinePlace {
  readonly form: JournalForm;
}

interface ReadOptions {
  /** Place to begin at; absent: the start. */
  readonly from?: JournalPlace;
  /** Identity of the work that the journal must belong to; absent: not checked. */
  readonly identity?: WorkIdentity;
  readonly onTorn?: (torn: TornLine) => void;
  /** Told how the journal is written, before its first record. */
  readonly onForm?: (form: JournalForm) => void;
}

/**
 * Streams the records of a journal in the order in which they were written; none when there is no file. A last line
 * without its line end is no record: it is handed to `onTorn` and skipped.
 * @throws ProbeError `bad_input` when a whole line is damaged, or the journal belongs to other work
 */
export async function* readJournal<T>(
  path: string,
  codec: JournalCodec<T>,
  options: ReadOptions = {},
): AsyncGenerator<JournalEntry<T>> {
  for await (const lines of readJournalBlocks(path, codec, options)) {
    for (const line of lines) yield readLine(path, codec, line);
  }
}

/** Reads the lines of a journal: checksums are checked, contents are not. */
export async function* readJournalLines<T>(
  path: string,
  codec: JournalCodec<T>,
  options: ReadOptions = {},
): AsyncGenerator<JournalLine> {
  for await (const lines of readJournalBlocks(path, codec, options)) {
    for (const line of lines) yield textOf(path, codec, line);
  }
}

/** Reads the lines of a journal, many at a time; neither checksums nor contents are checked yet. */
export async function* readJournalBlocks<T>(
  path: string,
  codec: JournalCodec<T>,
  { from, identity, onTorn, onForm }: ReadOptions = {},
): AsyncGenerator<readonly RawLine[]> {
  let form = from?.form ?? null;
  for await (const block of blocksIfThere(path, from)) {
    const lines: RawLine[] = [];
    for (const line of block) {
      const { number, offset, bytes } = line;
      if (!line.terminated) {
        requireTorn(path, codec, line, form);
        onTorn?.({ offset, length: bytes.length });
        return;
      }
      if (form === null) {
        form = readForm(path, codec, bytes, identity ?? null);
        onForm?.(form);
        if (form.hasHeader) continue;
      }
      lines.push({ number, offset, bytes, form });
    }
    yield lines;
  }
}

/**
 * That a last line without its line end is the beginning of one. A kill leaves no byte behind a whole record: that is a
 * line end that was damaged.
 */
function requireTorn<T>(path: string, codec: JournalCodec<T>, line: FileLine, form: JournalForm | null): void {
  const { number, bytes } = line;
  if (form === null) requireTornStart(path, codec, bytes);
  if (form === null || form.version === 1 || !isSealed(bytes.subarray(0, -1))) return;
  throw damaged(path, codec, number, new Error("its line end is another character"));
}

async function* blocksIfThere(path: string, from: LinePlace | undefined): AsyncGenerator<readonly FileLine[]> {
  try {
    await requirePlainFile(path);
    yield* readLineBlocks(path, from);
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return;
    if (error instanceof ProbeError) throw error;
    const found = isSystemError(error, "EISDIR")
      ? "a folder. Name the file."
      : `${messageOf(error)}. Check its rights.`;
    throw badInput(`Expected to read ${path}, found ${found}`, error);
  }
}

/**
 * The record of a line.
 * @throws ProbeError `bad_input` when the line is damaged
 */
export function readLine<T>(path: string, codec: JournalCodec<T>, raw: RawLine): JournalEntry<T> {
  const line = textOf(path, codec, raw);
  try {
    return { ...line, record: codec.decode(line.text) };
  } catch (cause) {
    throw damaged(path, codec, raw.number, cause);
  }
}

function textOf<T>(path: string, codec: JournalCodec<T>, { number, offset, bytes, form }: RawLine): JournalLine {
  const line = { number, offset, length: bytes.length, form };
  if (form.version === 1) return { ...line, text: bytes.toString("utf8") };
  try {
    return { ...line, text: unsealLine(bytes) };
  } catch (cause) {
    throw damaged(path, codec, number, cause);
  }
}

/** The number of the line that begins at `offset`: for a message; the file is read up to there. */
export async function lineNumberAt(path: string, offset: number): Promise<number> {
  let last = 0;
  for await (const lines of readLineBlocks(path)) {
    for (const line of lines) {
      if (line.offset > offset) return last;
      last = line.number;
    }
  }
  return last;
}

/** Error about a line that is no record, with the reason. */
export function damaged<T>(path: string, codec: JournalCodec<T>, number: number, cause: unknown): ProbeError {
  return badInput(
    `${path}:${number}: expected ${codec.record}, found a damaged line (${shortenLines(messageOf(cause), 300)}). ${codec.onDamage}`,
    cause,
  );
}

/**
 * That a whole, undamaged record does not belong to the work.
 * @param found such as `question 12 of 5`
 */
export function foreignRecord<T>(
  path: string,
  codec: JournalCodec<T>,
  { number }: Pick<JournalLine, "number">,
  found: string,
): ProbeError {
  return badInput(
    `${path}:${number}: expected ${codec.record} that belongs to this work, found ${found}. ${codec.onDamage}`,
  );
}
