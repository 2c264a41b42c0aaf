import type { DrawInteger } from "../base/random.js";

const CONSONANTS = "bdfgklmnprstvz";
const VOWELS = "aeiou";
const TRIES = 100;

/**
 * Makes up words that can be pronounced, none twice and none that is taken.
 * @param taken in lower case
 */
export class MadeUpWords {
  readonly #taken: Set<string>;
  readonly #draw: DrawInteger;

  constructor(taken: Iterable<string>, draw: DrawInteger) {
    this.#taken = new Set(taken);
    this.#draw = draw;
  }

  /** A new word in lower case; `null` when none of this length was found. */
  next(length: number): string | null {
    for (let i = 0; i < TRIES; i++) {
      const word = this.#spell(length);
      if (this.#taken.has(word)) continue;
      this.#taken.add(word);
      return word;
    }
    return null;
  }

  /** Consonants and vowels in turn. */
  #spell(length: number): string {
    const offset = this.#draw(0, 1);
    return Array.from({ length }, (_, i) => this.#letterOf((i + offset) % 2 === 0 ? CONSONANTS : VOWELS)).join("");
  }

  #letterOf(alphabet: string): string {
    return alphabet[this.#draw(0, alphabet.length - 1)] ?? "";
  }
}
