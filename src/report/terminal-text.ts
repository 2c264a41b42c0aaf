/**
 * Text that a terminal may obey: it may hold codes for colour and for moving about. Made by the terminal renderer
 * alone, of which nothing else is obeyed: what it puts into it is made visible first.
 */
export class TerminalText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** The text, codes and all. */
  toString(): string {
    return this.text;
  }
}
