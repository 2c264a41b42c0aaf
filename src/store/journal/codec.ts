/** What a journal is made of: how one record becomes one line, and what is said of a file that is no such journal. */
export interface JournalCodec<T> {
  /** What the header of the file calls it, such as `answers`. */
  readonly kind: string;
  /** The file, for messages: `the answers of a run`. */
  readonly journal: string;
  /** One record, for messages: `an answer of a run`. */
  readonly record: string;
  /** What to do about a damaged line, as a sentence. */
  readonly onDamage: string;
  /** How files without a header (version 1) begin: with a record, or with the flat facts and a `kind`. */
  readonly version1: "record" | "facts";
  /** The record as one line of JSON: an object with one key at least, without the line end. */
  encode(record: T): string;
  /** Throws an Error that says what is wrong with the line. */
  decode(line: string): T;
}

/** Of a journal whose records have places in the work, so that they can be found again by them. */
export interface PlacedCodec<T> extends JournalCodec<T> {
  /** The item of the work, from 0, and the place in it, from 0; `null` for a record about the whole work. */
  placeOf(record: T): { readonly item: number; readonly place: number } | null;
  /** Whether it has to be asked for again. */
  isFailed(record: T): boolean;
  /**
   * Where the record of a line stands, told without reading all of the line; `null`: only `decode` can tell. What it tells
   * is held against the record when that is read.
   */
  glance?(line: Buffer): Glance | null;
}

/** What the beginning of a line tells of its record. */
export interface Glance {
  readonly item: number;
  readonly place: number;
  readonly isFailed: boolean;
}

/** Of a journal in a work's own folder. */
export interface FolderCodec<T> extends PlacedCodec<T> {
  /** Name of the file. */
  readonly file: string;
}
