/** Data that the page's script reads from the page. Columns of bytes are base64. */
export interface PageData {
  readonly models: readonly string[];
  readonly forms: readonly PageForm[];
  /** All orders by number of options, lexicographic, such as `["012", …]` under 3. */
  readonly orders: Readonly<Record<string, readonly string[]>>;
  readonly examples: readonly PageExample[];
  /** Texts of options, each once. */
  readonly texts: readonly string[];
  readonly questions: {
    /** Place in `forms`, by question. */
    readonly form: readonly number[];
    /** Place in `examples`, by question. */
    readonly example: readonly number[];
    /** Places in `texts`, as many a question as its form has options; -1 where the dataset is not at hand. */
    readonly options: readonly number[];
  };
  /** Answers, by model. */
  readonly answers: readonly PageAnswers[];
}

export interface PageForm {
  /** Such as `CL hard`. */
  readonly name: string;
  readonly title: string;
  /** 0 where the model writes instead of choosing. */
  readonly options: number;
}

export interface PageExample {
  readonly id: string;
  readonly language: string;
  readonly changeType: string;
  /** `null` where the dataset is not at hand; why is in `missing`. */
  readonly review: string | null;
  readonly missing: string | null;
  readonly code: PageCode | null;
}

/** Two versions of a piece of code as one diff. */
export interface PageCode {
  /** Kind of each row: ` ` in both versions, `-` in the first, `+` in the second. */
  readonly rows: string;
  readonly lines: readonly string[];
  /** Stretches to colour, by row, such as `k0.3 s5.8`: a class, start and length in base 36. */
  readonly colours: readonly string[];
}

/** One model's answers to all questions. */
export interface PageAnswers {
  /** Bytes, by question: see `VERDICTS`. */
  readonly verdicts: string;
  /** Bytes, by question: orders answered right. */
  readonly right: string;
  /** Bytes, by question: orders that chose the plurality option; 255 where not defined. */
  readonly agreement: string;
  /** Bytes, by question and order: 0–25 the letter chosen, 252 a tie, 253 an unknown letter, 254 failed, 255 not asked. */
  readonly outcomes: string;
  /** A character by question, order and letter: how probable the letter is (`probabilityCode`); `null` without any. */
  readonly probabilities: string | null;
  /** Failed answers: question, order, kind. */
  readonly failures: readonly (readonly [number, number, string])[];
  /** Percent of its answers that are right after each part of the thoughts, by question that was traced. */
  readonly traces: Readonly<Record<string, readonly number[]>>;
  /** Beginnings of thoughts by question: index of the order, of the repeat, text, characters left out. */
  readonly thoughts: Readonly<Record<string, readonly (readonly [number, number, string, number])[]>>;
  /** Written revisions, by question. */
  readonly written: Readonly<Record<string, PageRevision>>;
}

/** A revision that the model wrote. */
export interface PageRevision {
  /** End of the generation: `complete`, `truncated`, `empty`, `failed`. */
  readonly status: string;
  readonly failure: string | null;
  /** Comparisons that it passes, such as `em_no_space`. */
  readonly matches: readonly string[];
  readonly editSimilarity: number | null;
  /** The right revision, and what was written instead. */
  readonly code: PageCode | null;
}

/** Outcome of a question, by its code. `all`: right under all orders, or a match. */
export const VERDICTS = ["all", "some", "none", "lost", "not asked"] as const;
export type PageVerdict = (typeof VERDICTS)[number];

/** Code of an agreement that is not defined. */
export const NO_AGREEMENT = 255;

/** Tenths of a percent, as the page shows them; from U+0100 on, a character takes two bytes and is never escaped. */
const FIRST = 0x100;
const PARTS = 1_000;
const BELOW = FIRST + PARTS + 1;
const UNKNOWN = FIRST + PARTS + 2;

/** Stands for less than half a tenth of a percent, but more than nothing. */
const SMALL = 0.5 / PARTS;

/** The character code of a probability, as exact as the page shows it; `null` where it is unknown. */
export function probabilityCode(probability: number | null): number {
  if (probability === null) return UNKNOWN;
  return probability > 0 && probability < SMALL ? BELOW : FIRST + Math.round(probability * PARTS);
}

/** The probability that a code stands for; of what is less than is shown, some such number. */
export function probabilityOf(code: number): number | null {
  if (code === UNKNOWN) return null;
  return code === BELOW ? SMALL / 2 : (code - FIRST) / PARTS;
}
