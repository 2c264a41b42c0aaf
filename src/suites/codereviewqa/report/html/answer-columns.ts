import { formName } from "../../example/form.js";
import { isExact } from "../../metric/generation-summary.js";
import { permutationCount } from "../../question/permutations.js";
import { type AskedQuestion, OUTCOME } from "../data/asked-question.js";
import type { ReportForm } from "../data/probe-forms.js";
import type { ReportModel } from "../data/report-data.js";
import type { WrittenRevision } from "../data/report-run.js";
import { base64Of, textOf } from "./columns.js";
import { optionCountOf } from "./option-count.js";
import { NO_AGREEMENT, type PageAnswers, type PageRevision, type PageVerdict, VERDICTS } from "./page/page-data.js";
import { probabilityCode } from "./page/probability-code.js";
import { pageCode, shownLines } from "./page-code.js";
import type { QuestionList } from "./question-list.js";

/** Bytes that a model's probabilities take in a page: two each. */
export function probabilityBytes({ questions }: ReportModel): number {
  return questions.reduce((sum, { logprobs }) => sum + 2 * (logprobs?.length ?? 0), 0);
}

const NO_PROBABILITY = probabilityCode(null);

/** Longest generation that the page shows, in characters. */
const MAX_WRITTEN = 20_000;

/** One model's answers in columns, in the order of the page's questions. */
export class AnswerColumns {
  readonly #model: ReportModel;
  readonly #list: QuestionList;
  readonly #verdicts: Uint8Array;
  readonly #right: Uint8Array;
  readonly #agreement: Uint8Array;
  /** By question: where its orders begin, and where its probabilities do. */
  readonly #starts: readonly { readonly orders: number; readonly probabilities: number }[];
  readonly #outcomes: Uint8Array;
  readonly #probabilities: Uint16Array;
  readonly #failures: [number, number, string][] = [];
  readonly #written: Record<string, PageRevision> = {};

  constructor(model: ReportModel, list: QuestionList) {
    const count = list.questions.length;
    this.#model = model;
    this.#list = list;
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
      probabilities: hasProbabilities ? textOf(this.#probabilities) : null,
      failures: this.#failures,
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
