import { isSystemError, messageOf, ProbeError } from "../../base/errors.js";
import { shortenLines } from "../../base/text.js";
import type { WorkIdentity } from "../identity.js";
import { type FileLine, type LinePlace, readLines } from "../lines.js";
import type { JournalCodec } from "./codec.js";
import { type JournalForm, readForm, requireTornStart } from "./header.js";
import { isSealed, unsealLine } from "./sealed-line.js";

/** A whole line behind the header. */
export interface JournalLine {
  /** Of the file, from 1. */
  readonly number: number;
  /** In bytes from the start of the file. */
  readonly offset: number;
  /** In bytes, without the line end. */
  readonly length: number;
  readonly form: JournalForm;
  /** Without its checksum, which fits. */
  readonly text: string;
}

/** A record in a journal, and where it stands. */
export interface JournalEntry<T> extends JournalLine {
  readonly record: T;
}

/** What a torn last line was: bytes that a kill left without their line end. */
export interface TornLine {
  readonly offset: number;
  readonly length: number;
}

/** A place behind a record of a journal that was read up to there. */
export interface JournalPlace extends LinePlace {
  readonly form: JournalForm;
}

export interface ReadOptions {
  /** Where to begin; without it, at the start. */
  readonly from?: JournalPlace;
  /** Of the work that the journal must belong to; without it, that is not checked. */
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
  for await (const line of readJournalLines(path, codec, options)) {
    yield { ...line, record: decodeLine(path, codec, line) };
  }
}

/** Likewise, but the lines as they are: their checksums are checked, what they say is not looked at. */
export async function* readJournalLines<T>(
  path: string,
  codec: JournalCodec<T>,
  { from, identity, onTorn, onForm }: ReadOptions = {},
): AsyncGenerator<JournalLine> {
  let form = from?.form ?? null;
  for await (const line of linesIfThere(path, from)) {
    const { number, offset, bytes } = line;
    if (!line.terminated) {
      if (form === null) requireTornStart(path, codec, bytes);
      else requireTorn(path, codec, line, form);
      onTorn?.({ offset, length: bytes.length });
      return;
    }
    if (form === null) {
      form = readForm(path, codec, bytes, identity ?? null);
      onForm?.(form);
      if (form.hasHeader) continue;
    }
    yield { number, offset, length: bytes.length, form, text: textOf(path, codec, number, bytes, form) };
  }
}

/**
 * That a last line without its line end is the beginning of one. A kill leaves no byte behind a whole record: that is a
 * line end that was damaged.
 */
function requireTorn<T>(path: string, codec: JournalCodec<T>, { number, bytes }: FileLine, form: JournalForm): void {
  if (form.version === 1 || !isSealed(bytes.subarray(0, -1))) return;
  throw damaged(path, codec, number, new Error("its line end is another character"));
}

async function* linesIfThere(path: string, from: LinePlace | undefined): AsyncGenerator<FileLine> {
  try {
    yield* readLines(path, from);
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return;
    if (error instanceof ProbeError || !(error instanceof Error && "code" in error)) throw error;
    throw new ProbeError("bad_input", `Expected to read ${path}, found ${messageOf(error)}. Check its rights.`, {
      cause: error,
    });
  }
}

/** What stands at an entry's place when it is read again. */
export function lineText<T>(path: string, codec: JournalCodec<T>, bytes: Buffer, form: JournalForm): string {
  return textOf(path, codec, null, bytes, form);
}

function textOf<T>(
  path: string,
  codec: JournalCodec<T>,
  number: number | null,
  bytes: Buffer,
  form: JournalForm,
): string {
  if (form.version === 1) return bytes.toString("utf8");
  try {
    return unsealLine(bytes);
  } catch (cause) {
    throw damaged(path, codec, number, cause);
  }
}

function decodeLine<T>(path: string, codec: JournalCodec<T>, { number, text }: JournalLine): T {
  try {
    return codec.decode(text);
  } catch (cause) {
    throw damaged(path, codec, number, cause);
  }
}

function damaged<T>(path: string, codec: JournalCodec<T>, number: number | null, cause: unknown): ProbeError {
  const place = `${path}${number === null ? "" : `:${number}`}`;
  return new ProbeError(
    "bad_input",
    `${place}: expected ${codec.record}, found a damaged line (${shortenLines(messageOf(cause), 300)}). ${codec.onDamage}`,
    { cause },
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
  return new ProbeError(
    "bad_input",
    `${path}:${number}: expected ${codec.record} that belongs to this work, found ${found}. ${codec.onDamage}`,
  );
}
