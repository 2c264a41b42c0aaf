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

const START = "#question=";

/** The fragment that names a question, such as `#question=CL%20hard/c-tile-short-read`. */
export function questionAnchor(form: string, exampleId: string): string {
  return `${START}${encoded(form)}/${encoded(exampleId)}`;
}

export function linkOf(store: Store, index: number): string {
  const { form, example } = store.question(index);
  return questionAnchor(form.name, example.id);
}

/** The question that a fragment names; `null`: none. */
export function linkedQuestion(store: Store, fragment: string): number | null {
  if (!fragment.startsWith(START)) return null;
  const [form, id] = fragment.slice(START.length).split("/").map(decoded);
  for (let i = 0; i < store.count; i++) {
    if (store.data.forms[store.formOf(i)]?.name !== form) continue;
    if (store.exampleOf(i)?.id.toWellFormed() === id) return i;
  }
  return null;
}

/** Half a character of two has no place in an address. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
