import { numberText } from "../../../../../report/number-text.js";
import { element } from "../../../curate/review/page/dom.js";
import { LETTERS, type OrderView } from "./store.js";

/** What a model chose in each order, with its probabilities; a row can be marked. */
export function ordersTable(orders: readonly OrderView[]): { readonly table: HTMLElement; mark(order: number): void } {
  const rows = orders.map(orderRow);
  const mark = (place: number) => {
    for (const [i, row] of rows.entries()) row.classList.toggle("marked", i === place);
    rows[place]?.scrollIntoView({ block: "nearest", behavior: "smooth" });
  };
  return { table: tableOf(orders, rows), mark };
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
