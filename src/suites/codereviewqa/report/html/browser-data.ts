import { isAsked } from "../../question/is-asked.js";
import { orderName, permutationsOf } from "../../question/permutations.js";
import type { ReportData } from "../data/report-data.js";
import { AnswerColumns, probabilityBytes } from "./answer-columns.js";
import { optionCountOf } from "./option-count.js";
import type { PageAnswers, PageData, PageExample } from "./page/page-data.js";
import { pageCode } from "./page-code.js";
import { type ListedExample, type ListedQuestion, QuestionList } from "./question-list.js";

/** Probabilities of all models may take this much of the page; where they take more, the page goes without. */
const MAX_PROBABILITY_BYTES = 10_000_000;

/** What the question browser shows, and whether it shows probabilities. */
interface BrowserData {
  readonly data: PageData;
  readonly hasProbabilities: boolean;
}

export async function browserData(report: ReportData): Promise<BrowserData> {
  const list = new QuestionList(report);
  const bytes = report.models.reduce((sum, model) => sum + probabilityBytes(model), 0);
  const hasProbabilities = bytes <= MAX_PROBABILITY_BYTES;
  const answers: PageAnswers[] = [];
  for (const model of report.models) {
    answers.push(await new AnswerColumns(model, list).encode(report.forms, hasProbabilities));
  }
  const examples: PageExample[] = [];
  for (const example of list.examples) examples.push(await pageExample(example));
  const texts = new TextTable();
  const examplePlaces = new Map(list.examples.map((example, i) => [example, i]));
  return {
    hasProbabilities,
    data: {
      models: report.models.map(({ name }) => name),
      forms: report.forms.map((form) => ({ name: form.name, title: form.title, options: optionCountOf(form) })),
      orders: Object.fromEntries(
        [...new Set(report.forms.map(optionCountOf))]
          .filter((count) => count > 0)
          .map((count) => [count, permutationsOf(count).map(orderName)]),
      ),
      examples,
      questions: {
        form: list.questions.map(({ form }) => report.forms.indexOf(form)),
        example: list.questions.map(({ example }) => examplePlaces.get(example) ?? 0),
        options: list.questions.flatMap((question) => optionTexts(question).map((text) => texts.placeOf(text))),
      },
      answers,
      texts: texts.texts,
    },
  };
}

/** As the prompt shows them, the right one first; `null` each where the dataset is not at hand. */
function optionTexts({ form, example: { example } }: ListedQuestion): (string | null)[] {
  if (form.probe.kind !== "choice") return [];
  const { probe, difficulty } = form;
  if (example === null || !isAsked(form, example)) return Array.from({ length: probe.optionCount }, () => null);
  return [...probe.options(example, difficulty)];
}

async function pageExample({ id, language, changeType, example, missing }: ListedExample): Promise<PageExample> {
  return {
    id,
    language,
    changeType,
    missing,
    review: example?.review ?? null,
    code: example === null ? null : await pageCode(example.preReviewLines, example.postReviewLines, language),
  };
}

/** Keeps each text once. */
class TextTable {
  readonly texts: string[] = [];
  readonly #places = new Map<string, number>();

  placeOf(text: string | null): number {
    if (text === null) return -1;
    const place = this.#places.get(text) ?? this.texts.length;
    if (place === this.texts.length) this.texts.push(text);
    this.#places.set(text, place);
    return place;
  }
}
