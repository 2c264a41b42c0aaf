import type { JsonMembers } from "../../../../web/json-pieces.js";
import type { Example } from "../../example/example.js";
import { orderName, permutationsOf } from "../../question/permutations.js";
import type { ReportData } from "../data/report-data.js";
import { AnswerColumns, probabilityBytes } from "./answer-columns.js";
import { OptionTexts, withTexts } from "./listed-texts.js";
import { optionCountOf } from "./option-count.js";
import type { PageAnswers, PageData, PageExample } from "./page/page-data.js";
import { pageCode } from "./page-code.js";
import type { ListedExample, QuestionList } from "./question-list.js";

/** Probabilities of all models may take this much of the page; where they take more, the page goes without. */
const MAX_PROBABILITY_BYTES = 10_000_000;

/** Whether the question browser shows probabilities. */
export function hasProbabilities({ models }: ReportData): boolean {
  return models.reduce((sum, model) => sum + probabilityBytes(model), 0) <= MAX_PROBABILITY_BYTES;
}

/** What the question browser shows: made when it is written, examples one at a time and models one at a time. */
export function browserData(report: ReportData, list: QuestionList): JsonMembers<PageData> {
  const options = new OptionTexts(list.questions);
  return {
    models: () => report.models.map(({ name }) => name),
    forms: () => report.forms.map((form) => ({ name: form.name, title: form.title, options: optionCountOf(form) })),
    orders: () =>
      Object.fromEntries(
        [...new Set(report.forms.map(optionCountOf))]
          .filter((count) => count > 0)
          .map((count) => [count, permutationsOf(count).map(orderName)]),
      ),
    examples: () => pageExamples(list.examples, options),
    questions: () => {
      const places = new Map(list.examples.map((example, i) => [example, i]));
      return {
        form: list.questions.map(({ form }) => report.forms.indexOf(form)),
        example: list.questions.map(({ example }) => places.get(example) ?? 0),
        options: options.inOrder().places,
      };
    },
    answers: () => pageAnswers(report, list),
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

async function* pageAnswers(report: ReportData, list: QuestionList): AsyncGenerator<PageAnswers> {
  for (const model of report.models) {
    yield await new AnswerColumns(model, list).encode(report.forms, hasProbabilities(report));
  }
}
