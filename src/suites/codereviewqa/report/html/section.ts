import { Markup, markup } from "./markup.js";

/** A part of the page that the contents name. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: Markup;
}

export function sectionMarkup({ id, title, body }: Section): Markup {
  return markup`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${body}</section>`;
}

/** A cell of a table: its text, what it is sorted by, and how it looks. */
export interface TableCell {
  readonly text: string | Markup;
  readonly sort?: number | null;
  readonly isBest?: boolean;
  readonly isText?: boolean;
}

interface TableText {
  readonly caption: string;
  readonly head: readonly string[];
  /** Each row begins with its heading. */
  readonly rows: readonly (readonly (TableCell | string)[])[];
  readonly isSortable?: boolean;
}

/** A table with caption and scopes, in a frame that scrolls sideways by itself. */
export function tableMarkup({ caption, head, rows, isSortable = false }: TableText): Markup {
  const isText = (i: number) => rows.some((row) => typeof row[i] === "object" && row[i].isText === true);
  const heads = head.map(
    (title, i) => markup`<th scope="col"${isText(i) && new Markup(' class="text"')}>${title}</th>`,
  );
  const body = rows.map((row) => markup`<tr>${row.map((cell, i) => cellMarkup(cell, i === 0))}</tr>`);
  const sortable = isSortable && rows.length > 1 && new Markup(' class="sortable"');
  return markup`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table${sortable}><caption><span>${caption}</span></caption><thead><tr>${heads}</tr></thead><tbody>${body}</tbody></table></div>`;
}

function cellMarkup(cell: TableCell | string, isHeading: boolean): Markup {
  const { text, sort, isBest, isText } = typeof cell === "string" ? ({ text: cell } as TableCell) : cell;
  if (isHeading) return markup`<th scope="row">${text}</th>`;
  const classes = [isBest === true ? "best" : "", isText === true ? "text" : ""]
    .filter((name) => name !== "")
    .join(" ");
  const attributes = markup`${classes !== "" && markup` class="${classes}"`}${sort != null && markup` data-sort="${sort}"`}`;
  const spoken = isBest === true && markup`<span class="unseen">, best</span>`;
  return markup`<td${attributes}>${text}${spoken}</td>`;
}

/** The numbers of a chart, folded. */
export function numbersMarkup(...tables: readonly Markup[]): Markup {
  return markup`<details><summary>The numbers</summary>${tables}</details>`;
}
