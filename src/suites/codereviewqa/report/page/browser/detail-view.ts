import { groupName } from "../../../../../base/language.js";
import { numberText } from "../../../../../report/number-text.js";
import { attributed, coloured, dataText, element } from "../../../../../review/page/dom.js";
import { linkOf } from "./filter.js";
import { type ModelOrders, mapsView, traceView } from "./maps-view.js";
import type { PageCode, PageRevision } from "./page-data.js";
import { LETTERS, type OrderView, type QuestionView, type Store, type ThoughtsView } from "./store.js";

/** One question: comment, code, options, and what every model chose in every order. */
export function detailView(store: Store, model: number, index: number): Node[] {
  const question = store.question(index);
  const { form, example } = question;
  const about = ` · ${groupName(example.language)} · ${example.changeType} · `;
  const target = { href: linkOf(store, index), "aria-label": "Link to this question" };
  const link = attributed(element("a", "link", "link"), target);
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
    ...alongThoughts(store.trace(model, index)),
    details,
    ...thoughtsView(store.thoughts(model, index)),
  ];
}

/** What the model thought before it chose, closed, one an order and repeat. */
function thoughtsView(thoughts: readonly ThoughtsView[]): Node[] {
  if (thoughts.length === 0) return [];
  const isRepeated = thoughts.some(({ repeat }) => repeat > 0);
  const all = thoughts.map(({ order, repeat, text, left }) => {
    const title = isRepeated ? `Order ${order}, time ${repeat + 1}` : `Order ${order}`;
    const rest = left === 0 ? "" : `… (characters left out: ${left}; thoughts.jsonl has all)`;
    const body = element("blockquote", "comment", dataText(text), rest);
    return element("details", "", element("summary", "", title), body);
  });
  return [heading("", "What it thought in every order"), ...all];
}

/** The answer along the thoughts, where they were traced. */
function alongThoughts(percents: readonly number[]): Node[] {
  if (percents.length === 0) return [];
  return [heading("", "Right along the thoughts, over all orders"), traceView(percents)];
}

function countsText(store: Store, model: number, index: number): string {
  const { right, orders, agreement } = store.counts(model, index);
  const agreed =
    agreement === null ? "agreement not defined" : `agreement ${numberText(agreement / orders, "fraction")}`;
  return `right under ${right} of ${orders} orders asked; ${agreed}`;
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
  all: "match",
  some: "match in part",
  none: "no match",
  lost: "failed",
  "not asked": "not asked",
} as const;

function allModels(store: Store, index: number): Node[] {
  const rows = store.data.models.map((name, model) => {
    const head = attributed(element("th", "", dataText(name)), { scope: "row" });
    return element("tr", "", head, element("td", "text", WRITTEN_WORDS[store.verdict(model, index)]));
  });
  const table = element("table", "", headOf(["model", "what it wrote"]), element("tbody", "", ...rows));
  return [heading("", "All models"), element("div", "scroll", table)];
}

function headOf(titles: readonly string[]): HTMLElement {
  const cells = titles.map((title) => attributed(element("th", "", title), { scope: "col" }));
  return element("thead", "", element("tr", "", ...cells));
}

const KINDS: Readonly<Record<string, readonly [string, string]>> = {
  " ": ["", ""],
  "-": ["deleted", "deleted"],
  "+": ["added", "added"],
};

/** Code as a diff, with line numbers of both versions and syntax colours. */
function codeView({ rows, lines, colours }: PageCode, titles: readonly [string, string]): HTMLElement {
  const body = element("tbody");
  let [before, after] = [0, 0];
  for (const [i, sign] of [...rows].entries()) {
    const [className, spoken] = KINDS[sign] ?? ["", ""];
    if (sign !== "+") before++;
    if (sign !== "-") after++;
    const mark = element("td", "sign", sign);
    if (spoken !== "") mark.setAttribute("aria-label", spoken);
    const code = element("code", "", ...coloured(lines[i] ?? "", colours[i] ?? ""));
    body.append(
      element(
        "tr",
        className,
        element("td", "number", sign === "+" ? "" : String(before)),
        element("td", "number", sign === "-" ? "" : String(after)),
        mark,
        element("td", "", code),
      ),
    );
  }
  const head = element("tr", "", ...[...titles, "change", "code"].map((title) => element("th", "", title)));
  return element("table", "code", element("thead", "unseen", head), body);
}

/** A model's choice in each order, with its probabilities; a row can be marked. */
function ordersTable(orders: readonly OrderView[]): { readonly table: HTMLElement; mark(order: number): void } {
  const rows = orders.map(orderRow);
  const mark = (place: number) => {
    for (const [i, row] of rows.entries()) row.classList.toggle("marked", i === place);
    rows[place]?.scrollIntoView({ block: "nearest", behavior: "smooth" });
  };
  return { table: tableOf(orders, rows), mark };
}

function tableOf(orders: readonly OrderView[], rows: readonly HTMLElement[]): HTMLElement {
  const hasProbabilities = orders.some(({ probabilities }) => probabilities.length > 0);
  const letters = (orders[0]?.options ?? []).map((_, i) =>
    hasProbabilities ? `P(${LETTERS[i]})` : (LETTERS[i] ?? ""),
  );
  const words = hasProbabilities
    ? "The option at each letter, and the probability of that letter; ✓ where the right one stands"
    : "The option at each letter; ✓ where the right one stands. No probabilities are known";
  const caption = element("caption", "", element("small", "", words));
  const head = headOf(["order", ...letters, "chose", ""]);
  const table = element("table", "orders", caption, head, element("tbody", "", ...rows));
  const attributes = { tabindex: 0, role: "region", "aria-label": "Answers in every order" };
  return attributed(element("div", "scroll", table), attributes);
}

function orderRow({ options, chosen, state, reason, probabilities }: OrderView): HTMLElement {
  const row = element("tr", "", attributed(element("th", "mono", options.join("")), { scope: "row" }));
  for (const [i, option] of options.entries()) {
    const isChosen = chosen === LETTERS[i];
    const names = ["share", ...(isChosen ? ["chosen"] : []), ...(option === 0 ? ["here"] : [])];
    const share = probabilities[i];
    const td = element("td", names.join(" "), String(option));
    if (share !== undefined) {
      td.append(" · ", percent(share));
      const bar = element("span", "bar");
      bar.style.width = `${100 * (share ?? 0)}%`;
      td.append(bar);
    }
    row.append(td);
  }
  const isDecided = state === "right" || state === "wrong";
  row.append(element("td", "", chosen ?? "–"));
  row.append(element("td", isDecided ? `is-${state}` : "is-undecided", reason === "" ? state : `${state}: ${reason}`));
  return row;
}

/** A share in percent; more digits for what is small. */
function percent(share: number | null): string {
  if (share === null) return "unknown";
  if (share > 0 && share < 0.0005) return "<0.1 %";
  return numberText(share, "fraction");
}
