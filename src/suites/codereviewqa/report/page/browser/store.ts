import {
  NO_AGREEMENT,
  type PageData,
  type PageExample,
  type PageForm,
  type PageRevision,
  type PageVerdict,
  probabilityOf,
  VERDICTS,
} from "./page-data.js";

export const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Outcome of one order of a question. */
export interface OrderView {
  /** Option at A, B, C, D. */
  readonly options: readonly number[];
  /** The letter at which the right option stands. */
  readonly rightLetter: string;
  /** The letter that was chosen; `null` when none was. */
  readonly chosen: string | null;
  readonly state: "right" | "wrong" | "undecided" | "failed" | "not asked";
  /** Reason of an empty choice; empty where the state says it all. */
  readonly reason: string;
  /** Probability of each letter; `null` where unknown. Empty without log probabilities. */
  readonly probabilities: readonly (number | null)[];
}

/** Thoughts before one answer. */
export interface ThoughtsView {
  /** The order, such as `012`. */
  readonly order: string;
  /** Position among the times that the order was asked, from 0. */
  readonly repeat: number;
  /** The beginning; empty where the page has no room for it. */
  readonly text: string;
  /** Characters that are left out. */
  readonly left: number;
}

/** A question of the page, without the model's answers. */
export interface QuestionView {
  readonly index: number;
  readonly form: PageForm;
  readonly example: PageExample;
  /** The right one first; `null` where the text is not known. */
  readonly options: readonly (string | null)[];
}

interface Columns {
  readonly verdicts: Uint8Array;
  readonly right: Uint8Array;
  readonly agreement: Uint8Array;
  readonly outcomes: Uint8Array;
}

/** The page's data, read when it is needed. */
export class Store {
  readonly data: PageData;
  readonly count: number;
  readonly #columns = new Map<number, Columns>();
  readonly #starts: { readonly orders: number; readonly probabilities: number; readonly options: number }[] = [];
  #haystacks: string[] | null = null;

  constructor(data: PageData) {
    this.data = data;
    this.count = data.questions.form.length;
    let [orders, probabilities, options] = [0, 0, 0];
    for (const form of data.questions.form) {
      this.#starts.push({ orders, probabilities, options });
      const count = data.forms[form]?.options ?? 0;
      const permutations = this.#ordersOf(count).length;
      orders += permutations;
      probabilities += permutations * count;
      options += count;
    }
  }

  #ordersOf(options: number): readonly string[] {
    return this.data.orders[String(options)] ?? [];
  }

  question(index: number): QuestionView {
    const { questions, forms, examples, texts } = this.data;
    const form = forms[questions.form[index] ?? 0];
    const example = examples[questions.example[index] ?? 0];
    if (form === undefined || example === undefined) throw new Error(`No question ${index}.`);
    const start = this.#starts[index]?.options ?? 0;
    const options = questions.options.slice(start, start + form.options).map((place) => texts[place] ?? null);
    return { index, form, example, options };
  }

  formOf(index: number): number {
    return this.data.questions.form[index] ?? 0;
  }

  exampleOf(index: number): PageExample | undefined {
    return this.data.examples[this.data.questions.example[index] ?? 0];
  }

  verdict(model: number, index: number): PageVerdict {
    return VERDICTS[this.#of(model).verdicts[index] ?? 0] ?? "not asked";
  }

  /** Orders that were asked, that were answered right, and that agree on an option; `null` where that is not defined. */
  counts(model: number, index: number): { right: number; orders: number; agreement: number | null } {
    const { right, agreement, outcomes } = this.#of(model);
    const agreed = agreement[index] ?? NO_AGREEMENT;
    const start = this.#starts[index]?.orders ?? 0;
    const own = outcomes.subarray(start, this.#starts[index + 1]?.orders);
    const orders = own.filter((outcome) => outcome !== NOT_ASKED).length;
    return { right: right[index] ?? 0, orders, agreement: agreed === NO_AGREEMENT ? null : agreed };
  }

  revision(model: number, index: number): PageRevision | undefined {
    return this.data.answers[model]?.written[String(index)];
  }

  /** Percent of the answers right after each part of the thoughts; empty where they were not traced. */
  trace(model: number, index: number): readonly number[] {
    return this.data.answers[model]?.traces[String(index)] ?? [];
  }

  /** The beginnings of the thoughts, in the order of orders and repeats; empty where none are known. */
  thoughts(model: number, index: number): ThoughtsView[] {
    const names = this.#ordersOf(this.data.forms[this.formOf(index)]?.options ?? 0);
    const known = this.data.answers[model]?.thoughts[String(index)] ?? [];
    return known.map(([order, repeat, text, left]) => ({ order: names[order] ?? "", repeat, text, left }));
  }

  orders(model: number, index: number): OrderView[] {
    const count = this.data.forms[this.formOf(index)]?.options ?? 0;
    const start = this.#starts[index];
    if (start === undefined) return [];
    const { outcomes } = this.#of(model);
    const codes = this.data.answers[model]?.probabilities ?? null;
    const kinds = new Map(
      (this.data.answers[model]?.failures ?? []).filter(([place]) => place === index).map(([, i, kind]) => [i, kind]),
    );
    return this.#ordersOf(count).map((name, i): OrderView => {
      const options = [...name].map(Number);
      const outcome = outcomes[start.orders + i] ?? NOT_ASKED;
      const position = options.indexOf(0);
      const at = start.probabilities + i * count;
      return {
        options,
        rightLetter: LETTERS[position] ?? "",
        chosen: outcome < count ? (LETTERS[outcome] ?? null) : null,
        state: stateOf(outcome, position),
        reason: kinds.get(i) ?? REASONS[outcome] ?? "",
        probabilities: codes === null ? [] : options.map((_, letter) => probabilityOf(codes.charCodeAt(at + letter))),
      };
    });
  }

  /** `true`: an example holds all words, in its id, comment or code. */
  matches(index: number, words: readonly string[]): boolean {
    if (words.length === 0) return true;
    this.#haystacks ??= this.data.examples.map(({ id, review, code }) =>
      [id, review ?? "", ...(code?.lines ?? [])].join("\n").toLowerCase(),
    );
    const haystack = this.#haystacks[this.data.questions.example[index] ?? 0] ?? "";
    return words.every((word) => haystack.includes(word));
  }

  #of(model: number): Columns {
    const found = this.#columns.get(model);
    if (found !== undefined) return found;
    const answers = this.data.answers[model];
    if (answers === undefined) throw new Error(`No model ${model}.`);
    const columns = {
      verdicts: bytesOf(answers.verdicts),
      right: bytesOf(answers.right),
      agreement: bytesOf(answers.agreement),
      outcomes: bytesOf(answers.outcomes),
    };
    this.#columns.set(model, columns);
    return columns;
  }
}

const NOT_ASKED = 255;

const REASONS: Readonly<Record<number, string>> = { 252: "tie", 253: "unknown letter" };

function stateOf(outcome: number, position: number): OrderView["state"] {
  if (outcome === 254) return "failed";
  if (outcome === NOT_ASKED) return "not asked";
  if (outcome >= 252) return "undecided";
  return outcome === position ? "right" : "wrong";
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
