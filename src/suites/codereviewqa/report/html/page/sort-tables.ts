import { element } from "../../../curate/review/page/dom.js";

/** Makes the headings of tables that ask for it sort their column: by click, and by keyboard as any button. */
export function sortTables(): void {
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
