const CHARACTERS_A_WRITE = 1 << 18;

/** Hands lines to a file in large blocks, each line ended by `\n`. */
export class LineWriter {
  readonly #append: (text: string) => Promise<void>;
  #block: string[] = [];
  #characters = 0;

  constructor(append: (text: string) => Promise<void>) {
    this.#append = append;
  }

  /** @param text one line; a `\r` at its end is taken for part of the line end, and dropped */
  async write(text: string): Promise<void> {
    const line = text.endsWith("\r") ? text.slice(0, -1) : text;
    this.#block.push(line, "\n");
    this.#characters += line.length + 1;
    if (this.#characters >= CHARACTERS_A_WRITE) await this.flush();
  }

  /** To be called after the last line. */
  async flush(): Promise<void> {
    const block = this.#block.join("");
    this.#block = [];
    this.#characters = 0;
    if (block !== "") await this.#append(block);
  }
}
