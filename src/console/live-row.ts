import { visibleLine } from "../base/text.js";

/** What a row is drawn on: a terminal. */
interface RowStream {
  /** Takes text as it is, controls included. */
  readonly write: (text: string) => unknown;
  /** Characters a line. */
  readonly columns?: number;
}

/** Room behind the row for what a terminal echoes there, such as `^C`: it must not begin a line of its own. */
const ECHO = 6;

const USUAL_WIDTH = 80;

/**
 * The last row of a terminal, which changes while work goes on. What else is written there goes through `above`: the row is
 * taken away for it and put back below, so that neither spoils the other.
 */
export class LiveRow {
  readonly #stream: RowStream;
  #text: string | null = null;
  /** Characters of it that stand there. */
  #length = 0;

  constructor(stream: RowStream) {
    this.#stream = stream;
  }

  /** Characters that are seen of it. */
  get width(): number {
    return Math.max(0, this.#columns - ECHO);
  }

  get #columns(): number {
    return this.#stream.columns || USUAL_WIDTH;
  }

  /** Draws it, or draws it anew. */
  show(text: string): void {
    const taken = this.#taken();
    this.#text = text;
    this.#stream.write(`${taken}${this.#drawn()}`);
  }

  /** Takes it away for good. */
  end(): void {
    if (this.#text === null) return;
    this.#stream.write(this.#taken());
    this.#text = null;
  }

  /** Writes whole lines where the row stands, and puts it below them. */
  above(write: () => void): void {
    if (this.#text !== null) this.#stream.write(this.#taken());
    write();
    if (this.#text !== null) this.#stream.write(this.#drawn());
  }

  /** What draws it. */
  #drawn(): string {
    const text = visibleLine(this.#text ?? "").slice(0, this.width);
    this.#length = text.length;
    return text;
  }

  /** What takes it away: a terminal that was made narrower since has broken it into several rows. */
  #taken(): string {
    const above = Math.ceil(this.#length / this.#columns) - 1;
    this.#length = 0;
    return `\r${above > 0 ? `\u001b[${above}A` : ""}\u001b[J`;
  }
}
