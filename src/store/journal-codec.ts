/** What a journal is made of: how one record becomes one line, and which item of the run it is about. */
export interface JournalCodec<T> {
  /** Name of the file in the run's folder. */
  readonly file: string;
  /** One record, for messages: `an answer of a run`. */
  readonly record: string;
  /** Records an item has at most, such as the 24 orders of a question. */
  readonly places: number;
  /** The record as one line of JSON, without the line end. */
  encode(record: T): string;
  /** Throws an Error that says what is wrong with the line. */
  decode(line: string): T;
  /** The item of the run, from 0, and the place in it, from 0. */
  placeOf(record: T): { readonly item: number; readonly place: number };
  /** Whether it has to be asked for again. */
  isFailed(record: T): boolean;
}
