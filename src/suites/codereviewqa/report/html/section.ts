import type { Block } from "../../../../report/block.js";
import { renderHtml } from "../../../../report/html.js";
import { type Markup, markup } from "../../../../web/markup.js";

/** A part of the page that the contents name. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: Markup;
}

/** A section that blocks say all of. */
export interface BlockSection {
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
}

export function sectionOf({ id, title, blocks }: BlockSection): Section {
  return { id, title, body: renderHtml(blocks) };
}

export function sectionMarkup({ id, title, body }: Section): Markup {
  return markup`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${body}</section>`;
}
