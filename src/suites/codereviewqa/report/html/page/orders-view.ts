import { numberText } from "../../../../../report/number-text.js";
import { element } from "../../../curate/review/page/dom.js";
import { LETTERS, type OrderView } from "./store.js";

const SIGNS: Readonly<Record<OrderView["state"], string>> = {
  right: " ✓",
  wrong: "",
  undecided: "?",
  failed: "!",
  "not asked": "·",
};

/** The map of all orders and, below it, what the model chose in each, with its probabilities. */
export function ordersView(orders: readonly OrderView[]): HTMLElement[] {
  const rows = orders.map(orderRow);
  const cells = orders.map((order, i) => cell(order, () => mark(i)));
  const mark = (place: number) => {
    for (const [i, row] of rows.entries()) row.classList.toggle("marked", i === place);
    for (const [i, button] of cells.entries()) button.setAttribute("aria-pressed", String(i === place));
    rows[place]?.scrollIntoView({ block: "nearest", behavior: "smooth" });
  };
  return [mapOf(orders, cells), tableOf(orders, rows)];
}

/** A row a letter at which the right option stands. */
function mapOf(orders: readonly OrderView[], cells: readonly HTMLElement[]): HTMLElement {
  const letters = [...new Set(orders.map(({ rightLetter }) => rightLetter))].sort();
  const map = element("div", "cells");
  map.setAttribute("role", "group");
  map.setAttribute("aria-label", "Permutation map: orders by the letter at which the right option stands");
  map.style.setProperty("--cells", String(orders.length / Math.max(letters.length, 1)));
  for (const letter of letters) {
    map.append(element("span", "", `right at ${letter}`));
    map.append(...cells.filter((_, i) => orders[i]?.rightLetter === letter));
  }
  return map;
}

function cell(order: OrderView, onPick: () => void): HTMLElement {
  const { state, chosen, options } = order;
  const button = element("button", state === "not asked" ? "none" : state, `${chosen ?? ""}${SIGNS[state]}`);
  const name = `order ${options.join("")}: ${chosen === null ? order.reason : `chose ${chosen}`}, ${state}`;
  button.setAttribute("aria-label", name);
  button.setAttribute("aria-pressed", "false");
  button.title = name;
  button.addEventListener("click", onPick);
  return button;
}

function tableOf(orders: readonly OrderView[], rows: readonly HTMLElement[]): HTMLElement {
  const letters = (orders[0]?.options ?? []).map((_, i) => LETTERS[i] ?? "");
  const hasProbabilities = orders.some(({ probabilities }) => probabilities.length > 0);
  const head = element("tr");
  for (const title of [
    "order",
    ...(hasProbabilities ? letters.map((letter) => `P(${letter})`) : letters),
    "chose",
    "",
  ]) {
    const th = element("th", "", title);
    th.setAttribute("scope", "col");
    head.append(th);
  }
  const words = hasProbabilities
    ? "The option at each letter, and the probability of that letter; ✓ where the right one stands"
    : "The option at each letter; ✓ where the right one stands. No probabilities are known";
  const table = element(
    "table",
    "orders",
    element("caption", "", element("small", "", words)),
    element("thead", "", head),
  );
  table.append(element("tbody", "", ...rows));
  const frame = element("div", "scroll", table);
  frame.tabIndex = 0;
  frame.setAttribute("role", "region");
  frame.setAttribute("aria-label", "Answers in every order");
  return frame;
}

function orderRow({ options, chosen, state, reason, probabilities }: OrderView): HTMLElement {
  const row = element("tr");
  const heading = element("th", "mono", options.join(""));
  heading.setAttribute("scope", "row");
  row.append(heading);
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
  row.append(element("td", isDecided ? `is-${state}` : "is-undecided", isDecided ? state : `${state}: ${reason}`));
  return row;
}

/** In percent; more digits for what is small. */
function percent(share: number | null): string {
  if (share === null) return "unknown";
  if (share > 0 && share < 0.0005) return "<0.1 %";
  return numberText(share, "fraction");
}
