import { byId, element } from "../../../../../review/page/dom.js";
import { detailView } from "./detail-view.js";
import { type Filter, filterQuestions, linkedQuestion, NO_FILTER } from "./filter.js";
import { ListView } from "./list-view.js";
import { offerPlots } from "./maps-view.js";
import type { PageData } from "./page-data.js";
import { Store } from "./store.js";

/** Makes the headings of tables that ask for it sort their column: by click, and by keyboard as any button. */
function sortTables(): void {
  for (const table of document.querySelectorAll<HTMLTableElement>("table.sortable")) {
    for (const [column, heading] of [...(table.tHead?.rows[0]?.cells ?? [])].entries()) {
      const button = element("button", "", ...heading.childNodes);
      button.setAttribute("type", "button");
      button.addEventListener("click", () => sortBy(table, column));
      heading.replaceChildren(button);
    }
  }
}

/** Numbers from high to low first, texts from A; again: the other way. Absent values stay at the end. */
function sortBy(table: HTMLTableElement, column: number): void {
  const body = table.tBodies[0];
  const headings = [...(table.tHead?.rows[0]?.cells ?? [])];
  const heading = headings[column];
  if (body === undefined || heading === undefined) return;
  const first = column === 0 ? "ascending" : "descending";
  const second = column === 0 ? "descending" : "ascending";
  const direction = heading.ariaSort === first ? second : first;
  for (const each of headings) each.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", direction);
  const sign = direction === "ascending" ? 1 : -1;
  const rows = [...body.rows].sort((a, b) => compareCells(a.cells[column], b.cells[column], column === 0, sign));
  body.replaceChildren(...rows);
}

function compareCells(
  a: HTMLTableCellElement | undefined,
  b: HTMLTableCellElement | undefined,
  isText: boolean,
  sign: number,
): number {
  if (isText) return sign * (a?.textContent ?? "").localeCompare(b?.textContent ?? "");
  const [left, right] = [a?.dataset["sort"], b?.dataset["sort"]];
  if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
  return sign * (Number(left) - Number(right));
}

/** While typing, the list waits this long for the next letter. */
const TYPING_MS = 120;

const store = new Store(JSON.parse(byId("data").textContent ?? "") as PageData);
const model = byId("filter-model") as HTMLSelectElement;
const search = byId("filter-text") as HTMLInputElement;
const FIELDS = ["task", "language", "changeType", "verdict", "right", "wrong"] as const;
const detail = byId("detail");
let shown = -1;

const list = new ListView(byId("list"), store, (index) => {
  shown = index;
  detail.replaceChildren(...detailView(store, Number(model.value), index));
});

function field(name: string): HTMLSelectElement {
  return byId(`filter-${name}`) as HTMLSelectElement;
}

function refresh(): void {
  const chosen = Object.fromEntries(FIELDS.map((name) => [name, field(name).value]));
  const filter: Filter = { ...NO_FILTER, ...chosen, text: search.value };
  const found = filterQuestions(store, Number(model.value), filter);
  byId("count").textContent = `${found.length} of ${store.count} questions`;
  if (found.length === 0) {
    shown = -1;
    detail.replaceChildren(element("p", "notice", "No question passes these filters."));
  }
  list.show(found, Number(model.value));
}

let timer = 0;
search.addEventListener("input", () => {
  clearTimeout(timer);
  timer = window.setTimeout(refresh, TYPING_MS);
});
for (const name of [...FIELDS, "model"]) field(name).addEventListener("change", refresh);
byId("previous").addEventListener("click", () => list.move(-1));
byId("next").addEventListener("click", () => list.move(1));
byId("reset").addEventListener("click", reset);

function reset(): void {
  search.value = "";
  for (const name of FIELDS) field(name).value = "";
  refresh();
}

/** The question that the address names, whatever the filters are. */
function follow(): void {
  const linked = linkedQuestion(store, location.hash);
  if (linked === null) return;
  const asked = store.data.models.findIndex((_, i) => store.verdict(i, linked) !== "not asked");
  if (store.verdict(Number(model.value), linked) === "not asked") model.value = String(asked);
  if (!list.find(linked)) {
    reset();
    list.find(linked);
  }
  byId("questions").scrollIntoView();
}

byId("questions-live").hidden = false;
sortTables();
offerPlots();
refresh();
follow();
window.addEventListener("hashchange", follow);
document.documentElement.dataset["ready"] = String(shown);
