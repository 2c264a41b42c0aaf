import type { JsonMembers } from "../../../../web/json-pieces.js";
import type { Example } from "../../example/example.js";
import { orderName, permutationsOf } from "../../question/permutations.js";
import type { ReportForm } from "../data/probe-forms.js";
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

/** What the question browser shows. Examples are read when they are written; of the report nothing else is kept for it. */
export async function browserData(report: ReportData, list: QuestionList): Promise<JsonMembers<PageData>> {
  const answers: PageAnswers[] = [];
  const withProbabilities = hasProbabilities(report);
  for (const model of report.models) {
    answers.push(await new AnswerColumns(model, list).encode(report.forms, withProbabilities));
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
