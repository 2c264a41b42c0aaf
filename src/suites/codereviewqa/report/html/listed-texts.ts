import { groupBy } from "../../../../base/group-by.js";
import type { Example } from "../../example/example.js";
import { isAsked } from "../../question/is-asked.js";
import { optionCountOf } from "./option-count.js";
import type { ListedExample, ListedQuestion } from "./question-list.js";

/** Each example with its texts, read from its file now; `null` where they are not at hand. One at a time. */
export async function* withTexts(
  listed: readonly ListedExample[],
): AsyncGenerator<readonly [ListedExample, Example | null]> {
  for (let start = 0; start < listed.length; ) {
    const shelf = listed[start]?.shelf ?? null;
    let end = start + 1;
    while (end < listed.length && (listed[end]?.shelf ?? null) === shelf) end++;
    const stretch = listed.slice(start, end);
    if (shelf !== null) yield* shelf.read(stretch);
    else for (const each of stretch) yield [each, null];
    start = end;
  }
}

/** The texts of all questions' options, each once: known example by example, numbered question by question. */
export class OptionTexts {
  readonly #questions: readonly ListedQuestion[];
  /** The questions about an example, with their places. */
  readonly #about: ReadonlyMap<ListedExample, readonly (readonly [number, ListedQuestion])[]>;
  /** By question: where its options' texts are in `#known`; absent where they are not at hand. */
  readonly #found: (readonly number[] | undefined)[];
  /** Each text, and how many came before it. */
  readonly #known = new Map<string, number>();

  constructor(questions: readonly ListedQuestion[]) {
    this.#questions = questions;
    this.#about = groupBy(questions.entries(), ([, { example }]) => example);
    this.#found = questions.map(() => undefined);
  }

  /** Keeps the texts of the questions about an example: as the prompt shows them, the right one first. */
  add(listed: ListedExample, example: Example): void {
    for (const [place, { form }] of this.#about.get(listed) ?? []) {
      const { probe, difficulty } = form;
      if (probe.kind !== "choice" || !isAsked({ probe, difficulty }, example)) continue;
      this.#found[place] = probe.options(example, difficulty).map((text) => this.#numberOf(text));
    }
  }

  #numberOf(text: string): number {
    const number = this.#known.get(text) ?? this.#known.size;
    this.#known.set(text, number);
    return number;
  }

  /** The texts in the order in which questions first have them, and where each question's are: -1 where that is not known. */
  inOrder(): { readonly texts: readonly string[]; readonly places: readonly number[] } {
    const known = [...this.#known.keys()];
    const texts: string[] = [];
    const order = new Map<number, number>();
    const placeOf = (number: number) => {
      const place = order.get(number) ?? order.size;
      if (place === texts.length) texts.push(known[number] ?? "");
      order.set(number, place);
      return place;
    };
    const places = this.#questions.flatMap(
      ({ form }, i) => this.#found[i]?.map(placeOf) ?? Array.from({ length: optionCountOf(form) }, () => -1),
    );
    return { texts, places };
  }
}
