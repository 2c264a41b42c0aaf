import { sum } from "simple-statistics";
import { groupBy } from "../../../../base/grouping.js";
import type { Example } from "../../../../dataset/example.js";
import { formName } from "../../../../question/form.js";
import { orderName, permutationCount, permutationsOf } from "../../../../question/permutations.js";
import { isAsked } from "../../../../question/question-build.js";
import type { JsonMembers } from "../../../../web/html-page.js";
import { isExact } from "../../metric/written/scored-generation.js";
import { questionName } from "../../suite/form-floors.js";
import { readThoughts, type ShownThoughts } from "../../suite/question-traces.js";
import type { ReportForm } from "../probe-forms.js";
import type { ReportData, ReportModel } from "../report-data.js";
import { type AskedQuestion, OUTCOME, type WrittenRevision } from "../report-run.js";
import {
  NO_AGREEMENT,
  type PageAnswers,
  type PageData,
  type PageExample,
  type PageRevision,
  type PageVerdict,
  probabilityCode,
  VERDICTS,
} from "./browser/page-data.js";
import { pageCode, shownLines } from "./browser-assets.js";
import { optionCountOf } from "./page-parts.js";
import type { ListedExample, ListedQuestion, QuestionList } from "./question-list.js";

/** Probabilities of all models may take this much of the page; where they take more, the page goes without. */
const MAX_PROBABILITY_BYTES = 10_000_000;

/** Thoughts of all models may have this many characters of the page; of what is beyond, it tells how long it is. */
const MAX_THOUGHT_CHARACTERS = 10_000_000;

/** `true`: the question browser shows probabilities. */
export function hasProbabilities({ models }: ReportData): boolean {
  const numbers = models.flatMap(({ questions }) => questions.map(({ logprobs }) => logprobs?.length ?? 0));
  // Two bytes each.
  return 2 * sum(numbers) <= MAX_PROBABILITY_BYTES;
}

/** Data of the question browser. Examples are read when they are written; nothing else of the report is kept for it. */
export async function browserData(report: ReportData, list: QuestionList): Promise<JsonMembers<PageData>> {
  const answers: PageAnswers[] = [];
  const withProbabilities = hasProbabilities(report);
  for (const model of report.models) {
    const room = Math.floor(MAX_THOUGHT_CHARACTERS / report.models.length);
    const thoughts = await readThoughts(model.folder, model.run, room);
    answers.push(await new AnswerColumns(model, list, thoughts).encode(report.forms, withProbabilities));
  }
  const models = report.models.map(({ name }) => name);
  return membersOf({ models, forms: report.forms, questions: list.questions, examples: list.examples, answers });
}

interface BrowserParts extends Pick<PageData, "models" | "answers">, Pick<QuestionList, "questions" | "examples"> {
  readonly forms: readonly ReportForm[];
}

function membersOf({ models, forms, questions, examples, answers }: BrowserParts): JsonMembers<PageData> {
  const options = new OptionTexts(questions);
  return {
    models: () => models,
    forms: () => forms.map((form) => ({ name: form.name, title: form.title, options: optionCountOf(form) })),
    orders: () =>
      Object.fromEntries(
        [...new Set(forms.map(optionCountOf))]
          .filter((count) => count > 0)
          .map((count) => [count, permutationsOf(count).map(orderName)]),
      ),
    // Before all that tells of options: their texts are known once the examples have been read.
    examples: () => pageExamples(examples, options),
    questions: () => {
      const places = new Map(examples.map((example, i) => [example, i]));
      return {
        form: questions.map(({ form }) => forms.indexOf(form)),
        example: questions.map(({ example }) => places.get(example) ?? 0),
        options: options.inOrder().places,
      };
    },
    answers: () => answers,
    texts: () => options.inOrder().texts,
  };
}

/** @param options get what these examples are asked about with */
async function* pageExamples(listed: readonly ListedExample[], options: OptionTexts): AsyncGenerator<PageExample> {
  for await (const [each, example] of withTexts(listed)) {
    if (example !== null) options.add(each, example);
    yield await pageExample(each, example);
  }
}

async function pageExample(
  { id, language, changeType, missing }: ListedExample,
  example: Example | null,
): Promise<PageExample> {
  return {
    id,
    language,
    changeType,
    missing,
    review: example?.review ?? null,
    code: example === null ? null : await pageCode(example.preReviewLines, example.postReviewLines, language),
  };
}

const NO_PROBABILITY = probabilityCode(null);

/** Longest generation that the page shows, in characters. */
const MAX_WRITTEN = 20_000;

/** One model's answers in columns, in the order of the page's questions. */
class AnswerColumns {
  readonly #model: ReportModel;
  readonly #list: QuestionList;
  readonly #known: Awaited<ReturnType<typeof readThoughts>>;
  readonly #verdicts: Uint8Array;
  readonly #right: Uint8Array;
  readonly #agreement: Uint8Array;
  /** Starts of each question's orders and of its probabilities. */
  readonly #starts: readonly { readonly orders: number; readonly probabilities: number }[];
  readonly #outcomes: Uint8Array;
  readonly #probabilities: Uint16Array;
  readonly #failures: [number, number, string][] = [];
  readonly #traces: Record<string, readonly number[]> = {};
  readonly #thoughts: Record<string, readonly ShownThoughts[]> = {};
  readonly #written: Record<string, PageRevision> = {};

  constructor(model: ReportModel, list: QuestionList, thoughts: Awaited<ReturnType<typeof readThoughts>>) {
    const count = list.questions.length;
    this.#model = model;
    this.#list = list;
    this.#known = thoughts;
    this.#verdicts = new Uint8Array(count).fill(codeOf("not asked"));
    this.#right = new Uint8Array(count);
    this.#agreement = new Uint8Array(count).fill(NO_AGREEMENT);
    let [orders, probabilities] = [0, 0];
    this.#starts = list.questions.map(({ form }) => {
      const start = { orders, probabilities };
      const options = optionCountOf(form);
      orders += options === 0 ? 0 : permutationCount(options);
      probabilities += options === 0 ? 0 : permutationCount(options) * options;
      return start;
    });
    this.#outcomes = new Uint8Array(orders).fill(OUTCOME.notAsked);
    this.#probabilities = new Uint16Array(probabilities).fill(NO_PROBABILITY);
  }

  async encode(forms: readonly ReportForm[], withProbabilities: boolean): Promise<PageAnswers> {
    const byName = new Map(forms.map((form) => [form.name, form]));
    for (const question of this.#model.questions) {
      const form = byName.get(formName(question.score));
      const place = form && this.#list.placeOf(this.#model, form, question.score.exampleId);
      if (place !== undefined) this.#add(place, question);
    }
    for (const revision of this.#model.generations) {
      const form = byName.get(revision.task);
      const place = form && this.#list.placeOf(this.#model, form, revision.exampleId);
      if (place !== undefined) await this.#addRevision(place, revision);
    }
    const hasProbabilities = withProbabilities && this.#probabilities.some((code) => code !== NO_PROBABILITY);
    return {
      verdicts: base64Of(this.#verdicts),
      right: base64Of(this.#right),
      agreement: base64Of(this.#agreement),
      outcomes: base64Of(this.#outcomes),
      probabilities: hasProbabilities ? new TextDecoder("utf-16le").decode(this.#probabilities) : null,
      failures: this.#failures,
      traces: this.#traces,
      thoughts: this.#thoughts,
      written: this.#written,
    };
  }

  #add(place: number, { score, outcomes, logprobs, failures }: AskedQuestion): void {
    const start = this.#starts[place];
    if (start === undefined) return;
    this.#verdicts[place] = codeOf(verdictOf(score));
    this.#right[place] = score.correctPermutations;
    if (score.pluralityAgreement !== null) {
      this.#agreement[place] = Math.round(score.pluralityAgreement * score.permutations);
    }
    this.#outcomes.set(outcomes, start.orders);
    for (const [i, logprob] of (logprobs ?? []).entries()) {
      this.#probabilities[start.probabilities + i] = probabilityCode(Number.isNaN(logprob) ? null : Math.exp(logprob));
    }
    if (score.trace !== undefined) {
      this.#traces[String(place)] = score.trace.rightAt.map((share) => Math.round(share * 100));
    }
    const thoughts = this.#known.get(questionName(score));
    if (thoughts !== undefined) this.#thoughts[String(place)] = thoughts;
    for (const [order, kind] of failures) this.#failures.push([place, order, kind]);
  }

  async #addRevision(place: number, revision: WrittenRevision): Promise<void> {
    const { measured, text, status, failure, reference, language } = revision;
    const matches = MATCHES.filter(([key]) => (key === "em" ? isExact(revision) : measured?.score[key] === true)).map(
      ([, name]) => name,
    );
    this.#verdicts[place] = codeOf(text === null ? "lost" : isExact(revision) ? "all" : "none");
    this.#written[place] = {
      status,
      failure,
      matches,
      editSimilarity: measured?.score.editSimilarity ?? null,
      code: text === null ? null : await pageCode(reference.split("\n"), shownLines(text, MAX_WRITTEN), language),
    };
  }
}

const MATCHES = [
  ["em", "exact match"],
  ["emTrim", "trim"],
  ["emNoSpace", "no space"],
  ["emNoComment", "no comment"],
] as const;

function verdictOf({ invariantCorrect, lost, correctPermutations }: AskedQuestion["score"]): PageVerdict {
  if (invariantCorrect) return "all";
  if (lost) return "lost";
  return correctPermutations > 0 ? "some" : "none";
}

function codeOf(verdict: PageVerdict): number {
  return VERDICTS.indexOf(verdict);
}

/** Each example with its texts, read from its file now; `null` where they are not at hand. One at a time. */
async function* withTexts(listed: readonly ListedExample[]): AsyncGenerator<readonly [ListedExample, Example | null]> {
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
class OptionTexts {
  readonly #questions: readonly ListedQuestion[];
  /** The questions about an example, with their places. */
  readonly #about: ReadonlyMap<ListedExample, readonly (readonly [number, ListedQuestion])[]>;
  /** Places of each question's options in `#known`; absent where they are not at hand. */
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

/** Bytes as text that a page can hold. */
function base64Of(values: Uint8Array): string {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString("base64");
}
