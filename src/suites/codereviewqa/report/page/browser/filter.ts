import type { PageExample, PageVerdict } from "./page-data.js";
import type { Store } from "./store.js";

/** Choice of the questions in the list; empty text: all. */
export interface Filter {
  readonly text: string;
  /** Name of a form, or of a task with all its difficulties. */
  readonly task: string;
  readonly language: string;
  readonly changeType: string;
  readonly verdict: "" | PageVerdict;
  /** A model that is right under all orders, or matches; empty: any. */
  readonly right: string;
  /** A model that was asked and is not. */
  readonly wrong: string;
}

export const NO_FILTER: Filter = {
  text: "",
  task: "",
  language: "",
  changeType: "",
  verdict: "",
  right: "",
  wrong: "",
};

/** The questions that a model was asked and that pass the filter, in their order. */
export function filterQuestions(store: Store, model: number, filter: Filter): number[] {
  const words = filter.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const forms = store.data.forms.map(
    ({ name }) => filter.task === "" || name === filter.task || name.split(" ")[0] === filter.task,
  );
  const found: number[] = [];
  for (let i = 0; i < store.count; i++) {
    const own = store.verdict(model, i);
    const other = filter.wrong === "" ? null : store.verdict(Number(filter.wrong), i);
    const passes =
      forms[store.formOf(i)] === true &&
      isOfKind(store.exampleOf(i), filter) &&
      (filter.verdict === "" ? own !== "not asked" : own === filter.verdict) &&
      (filter.right === "" || store.verdict(Number(filter.right), i) === "all") &&
      other !== "all" &&
      other !== "not asked" &&
      store.matches(i, words);
    if (passes) found.push(i);
  }
  return found;
}

function isOfKind(example: PageExample | undefined, { language, changeType }: Filter): boolean {
  const isOf = (wanted: string, is: string | undefined) => wanted === "" || is === wanted;
  return isOf(language, example?.language) && isOf(changeType, example?.changeType);
}
