import type { Example } from "../../../../dataset/example.js";
import type { ExampleShelf } from "../../../../dataset/example-shelf.js";
import { formName } from "../../../../question/form.js";
import type { ReportForm } from "../probe-forms.js";
import type { ReportData, ReportModel } from "../report-data.js";

/** An example that at least one of the runs was asked about. */
export interface ListedExample {
  readonly key: string;
  readonly id: string;
  readonly language: Example["language"];
  readonly changeType: Example["changeType"];
  /** Shelf of its texts; `null` where they are not at hand: the reason is in `missing`. */
  readonly shelf: ExampleShelf | null;
  readonly missing: string | null;
}

export interface ListedQuestion {
  readonly form: ReportForm;
  readonly example: ListedExample;
}

/** Every question of all runs once: form by form, in the order of the runs. Two datasets never share a question. */
export class QuestionList {
  readonly questions: ListedQuestion[] = [];
  readonly examples: ListedExample[] = [];
  /** Places by form, then by key of the example. */
  readonly #places = new Map<ReportForm, Map<string, number>>();

  constructor({ models, forms, examples }: ReportData) {
    const listed = new Map<string, ListedExample>();
    for (const form of forms) {
      for (const model of models) {
        const found = examples.get(model.run.dataset.sha256);
        for (const asked of askedIn(model, form)) {
          const key = exampleKey(model, asked.exampleId);
          const example = listed.get(key) ?? { key, ...identify(asked, found) };
          if (!listed.has(key)) this.examples.push(example);
          listed.set(key, example);
          this.#add({ form, example });
        }
      }
    }
  }

  #add(question: ListedQuestion): void {
    const { form, example } = question;
    const places = this.#places.get(form) ?? new Map<string, number>();
    if (places.has(example.key)) return;
    places.set(example.key, this.questions.length);
    this.#places.set(form, places);
    this.questions.push(question);
  }

  /** The place of a model's question. */
  placeOf(model: ReportModel, form: ReportForm, exampleId: string): number | undefined {
    return this.#places.get(form)?.get(exampleKey(model, exampleId));
  }
}

interface Asked {
  readonly exampleId: string;
  readonly language: Example["language"];
  readonly changeType: Example["changeType"];
}

function askedIn({ questions, generations }: ReportModel, form: ReportForm): Asked[] {
  if (form.probe.kind === "generation") return generations.filter(({ task }) => task === form.task);
  return questions.map(({ score }) => score).filter((score) => formName(score) === form.name);
}

function identify(
  { exampleId: id, language, changeType }: Asked,
  found: ReturnType<ReportData["examples"]["get"]>,
): Omit<ListedExample, "key"> {
  if (found?.status !== "found") {
    return { id, language, changeType, shelf: null, missing: found?.reason ?? "the dataset was not found" };
  }
  const { examples: shelf } = found;
  if (shelf.has(id)) return { id, language, changeType, shelf, missing: null };
  return { id, language, changeType, shelf: null, missing: "the dataset has no such example" };
}

function exampleKey({ run }: ReportModel, exampleId: string): string {
  return `${run.dataset.sha256} ${exampleId}`;
}
