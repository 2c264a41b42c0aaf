import { LANGUAGES, languageName } from "../../../../../base/language.js";
import { numberText } from "../../../../../report/number-text.js";
import { dataText, element } from "../../../curate/review/page/dom.js";
import { codeView } from "./code-view.js";
import { linkOf } from "./links.js";
import { type ModelOrders, mapsView } from "./maps-view.js";
import { ordersTable } from "./orders-view.js";
import type { PageRevision } from "./page-data.js";
import { LETTERS, type OrderView, type QuestionView, type Store } from "./store.js";

/** One question: comment, code, options, and what every model chose in every order. */
export function detailView(store: Store, model: number, index: number): Node[] {
  const question = store.question(index);
  const { form, example } = question;
  const language = LANGUAGES.find((each) => each === example.language);
  const about = ` · ${language === undefined ? example.language : languageName(language)} · ${example.changeType} · `;
  const link = element("a", "link", "link");
  link.setAttribute("href", linkOf(store, index));
  link.setAttribute("aria-label", "Link to this question");
  return [
    heading("title", form.name, about, dataText(example.id), " ", link),
    element("p", "soft", form.title),
    ...exampleView(question),
    ...(form.options === 0 ? revisionView(store.revision(model, index)) : choiceView(store, model, question)),
    ...(form.options === 0 && store.data.models.length > 1 ? allModels(store, index) : []),
  ];
}

function heading(className: string, ...content: (Node | string)[]): HTMLElement {
  return element("h3", className, ...content);
}

function exampleView({ example }: QuestionView): Node[] {
  if (example.review === null || example.code === null) {
    return [element("p", "notice", "The code and the options are not shown: ", dataText(example.missing ?? ""))];
  }
  return [
    heading("", "Review comment"),
    element("blockquote", "comment", dataText(example.review)),
    heading("", "Code, and the right revision"),
    codeView(example.code, ["line before", "line after"]),
  ];
}

function choiceView(store: Store, model: number, question: QuestionView): Node[] {
  const { index } = question;
  const own = store.orders(model, index);
  const { table, mark } = ordersTable(own);
  const details = element(
    "details",
    "",
    element("summary", "", "What it chose in every order, with probabilities"),
    table,
  );
  const shown = store.data.models.flatMap((_, i) => (store.verdict(i, index) === "not asked" ? [] : [i]));
  const maps = shown.map((i): ModelOrders => {
    return { name: store.data.models[i] ?? "", words: countsText(store, i, index), orders: store.orders(i, index) };
  });
  const pick = (place: number, order: number) => {
    if (shown[place] !== model) return;
    details.setAttribute("open", "");
    mark(order);
  };
  return [
    heading("", "Options"),
    optionList(question, own),
    heading("", shown.length > 1 ? "What the models chose" : "What the model chose"),
    ...mapsView(maps, pick),
    details,
  ];
}

function countsText(store: Store, model: number, index: number): string {
  const { right, orders, agreement } = store.counts(model, index);
  const agreed =
    agreement === null ? "agreement not defined" : `agreement ${numberText(agreement / orders, "fraction")}`;
  return `right under ${right} of ${orders} orders; ${agreed}`;
}

function optionList({ options }: QuestionView, orders: readonly OrderView[]): HTMLElement {
  const list = element("ul", "options");
  for (const [i, text] of options.entries()) {
    const times = orders.filter(
      ({ chosen, options: order }) => chosen !== null && order[LETTERS.indexOf(chosen)] === i,
    );
    const shown = text === null ? `option ${i}` : text;
    list.append(
      element(
        "li",
        i === 0 ? "right" : "",
        element("span", "number", `${i}${i === 0 ? " ✓" : ""}`),
        element("code", "", dataText(shown)),
        element("small", "", `chosen in ${times.length}`),
      ),
    );
  }
  return list;
}

function revisionView(revision: PageRevision | undefined): Node[] {
  if (revision === undefined) return [element("p", "notice", "Nothing was asked.")];
  const { status, failure, matches, editSimilarity, code } = revision;
  const facts = [
    status,
    ...(failure === null ? [] : [failure]),
    matches.length === 0 ? "matches in no comparison" : `matches: ${matches.join(", ")}`,
    ...(editSimilarity === null ? [] : [`edit similarity ${numberText(editSimilarity, "fraction")}`]),
  ];
  const title = heading("", "What the model wrote: ", dataText(facts.join("; ")));
  if (code === null) return [title];
  const words = element("p", "soft", "Against the right revision: − is missing, + is not in it.");
  return [title, words, codeView(code, ["line of the right revision", "line written"])];
}

const WRITTEN_WORDS = {
  ...{ all: "match", some: "match in part", none: "no match" },
  ...{ lost: "failed", "not asked": "not asked" },
} as const;

function allModels(store: Store, index: number): Node[] {
  const head = element("tr");
  for (const title of ["model", "what it wrote"]) {
    const th = element("th", "", title);
    th.setAttribute("scope", "col");
    head.append(th);
  }
  const rows = store.data.models.map((name, model) => {
    const th = element("th", "", dataText(name));
    th.setAttribute("scope", "row");
    return element("tr", "", th, element("td", "text", WRITTEN_WORDS[store.verdict(model, index)]));
  });
  const table = element("table", "", element("thead", "", head), element("tbody", "", ...rows));
  return [heading("", "All models"), element("div", "scroll", table)];
}
