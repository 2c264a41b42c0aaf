import { numberText } from "../../../../../report/number-text.js";
import { dataText, element } from "../../../curate/review/page/dom.js";
import { codeView } from "./code-view.js";
import { ordersView } from "./orders-view.js";
import type { PageRevision } from "./page-data.js";
import { LETTERS, type OrderView, type QuestionView, type Store } from "./store.js";

/** One question: comment, code, options, and what a model chose in every order. */
export function detailView(store: Store, model: number, index: number): Node[] {
  const question = store.question(index);
  const { form, example } = question;
  return [
    heading("title", form.name, ` · ${example.language} · ${example.changeType} · `, dataText(example.id)),
    element("p", "soft", form.title),
    ...exampleView(question),
    ...(form.options === 0 ? revisionView(store.revision(model, index)) : choiceView(store, model, question)),
    ...(store.data.models.length > 1 ? allModels(store, index) : []),
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
  const orders = store.orders(model, question.index);
  const { right, orders: count, agreement } = store.counts(model, question.index);
  const agreed =
    agreement === null ? "agreement not defined" : `agreement ${numberText(agreement / count, "fraction")}`;
  return [
    heading("", "Options"),
    optionList(question, orders),
    heading("", `What the model chose: right under ${right} of ${count} orders; ${agreed}`),
    ...ordersView(orders),
  ];
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

const WORDS = {
  all: "right under all",
  some: "right under some",
  none: "right under none",
  lost: "lost: undecided or failed",
  "not asked": "not asked",
} as const;

const WRITTEN_WORDS = { ...WORDS, all: "match", none: "no match", lost: "failed" } as const;

function allModels(store: Store, index: number): Node[] {
  const head = element("tr");
  for (const title of ["model", "orders right", "agreement", ""]) {
    const th = element("th", "", title);
    th.setAttribute("scope", "col");
    head.append(th);
  }
  const rows = store.data.models.map((name, model) => {
    const { right, orders, agreement } = store.counts(model, index);
    const verdict = store.verdict(model, index);
    const th = element("th", "", dataText(name));
    th.setAttribute("scope", "row");
    return element(
      "tr",
      "",
      th,
      element("td", "", orders === 0 || verdict === "not asked" ? "–" : `${right}/${orders}`),
      element("td", "", agreement === null ? "–" : numberText(agreement / orders, "fraction")),
      element("td", "text", (orders === 0 ? WRITTEN_WORDS : WORDS)[verdict]),
    );
  });
  const table = element("table", "", element("thead", "", head), element("tbody", "", ...rows));
  return [heading("", "All models"), element("div", "scroll", table)];
}
