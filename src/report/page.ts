import { counted } from "../base/text.js";
import { type Html, htmlPieces, type Markup, markup, wholePage } from "../web/html-page.js";
import { REPORT_STYLE } from "../web/page-style.js";
import type { Block } from "./block.js";
import { renderHtml } from "./html.js";

/** Maker of the page, as its head names it; a file that names it may be replaced by a newer page. */
export const GENERATOR = "code-review-probe report";

/** A part of a page that the contents name. */
export interface PageSection {
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

export function sectionOf({ id, title, blocks }: BlockSection): PageSection {
  return { id, title, body: renderHtml(blocks) };
}

/** Part of a report's page that one suite makes. */
export interface PagePart {
  /** Title and subject of a page with this part, whatever else is on it; absent: those of all its parts. */
  readonly head?: { readonly title: string; readonly subject: string };
  /** Above the title, such as `Code review comprehension`. */
  readonly subject: string;
  /** Names of the models. */
  readonly models: readonly string[];
  /** Below the title, in a few words each. */
  readonly facts: readonly string[];
  /** Number of runs in it; absent: none of its own. */
  readonly runs?: number;
  readonly sections: readonly PageSection[];
  /** Short names for the contents, by section. */
  readonly shortTitles: Readonly<Record<string, string>>;
  readonly style: string;
  readonly script: string;
  /** Data for the script, in pieces that are made when they are wanted; at the end of the page. */
  readonly data: (() => AsyncIterable<Markup>) | null;
}

/** Another page, as a link. */
interface PageLink {
  readonly text: string;
  readonly href: string;
}

/** The whole report as one HTML file that asks nothing of anyone. */
export function pageOf(parts: readonly PagePart[], above: PageLink | null = null): Promise<Html> {
  return wholePage(pagePieces(parts, above));
}

/**
 * The page in pieces, in their order: the data of its parts are never in memory as a whole.
 * @param above the page that this one was opened from, if any
 */
export function pagePieces(parts: readonly PagePart[], above: PageLink | null = null): AsyncGenerator<Markup> {
  const models = [...new Set(parts.flatMap((part) => part.models))];
  const head = parts.find((part) => part.head !== undefined)?.head;
  const subject = head?.subject ?? parts.map((part) => part.subject).join(" · ");
  const title = head?.title ?? modelsText(models);
  const runs = parts.reduce((sum, part) => sum + (part.runs ?? 0), 0);
  const facts = parts.flatMap((part) => part.facts);
  // A part alone that has facts says itself what it is about.
  const told = runs === 0 || (parts.length === 1 && facts.length > 0) ? facts : [counted(runs, "runs"), ...facts];
  const sections = parts.flatMap((part) => part.sections);
  const names = Object.assign({}, ...parts.map(({ shortTitles }) => shortTitles)) as Readonly<Record<string, string>>;
  const contents = sections.map((section) => {
    return markup`<li><a href="#${section.id}">${names[section.id] ?? section.title}</a></li>`;
  });
  const frame = {
    title: `${title} · ${subject.toLowerCase()}`,
    generator: GENERATOR,
    style: [REPORT_STYLE, ...parts.map(({ style }) => style)].join(""),
    script: parts.map(({ script }) => script).join("\n"),
  };
  const bodies = sections.map(({ id, title: name, body }) => {
    return markup`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${name}</h2>${body}</section>`;
  });
  const text = markup`<a class="skip" href="#${sections[0]?.id ?? ""}">Skip to the results</a>
<header class="top">${above !== null && markup`<p><a href="${above.href}">${above.text}</a></p>`}<p>${subject}</p><h1>${title}</h1><p>${told.join(" · ")}</p></header>
<nav class="contents" aria-label="Contents"><ul>${contents}</ul></nav>
<main>${bodies}</main>
`;
  return htmlPieces(frame, bodyPieces(text, parts));
}

async function* bodyPieces(text: Markup, parts: readonly PagePart[]): AsyncGenerator<Markup> {
  yield text;
  for (const { data } of parts) if (data !== null) yield* data();
}

/** The name of the only one, or how many there are. */
export function modelsText(models: readonly string[]): string {
  return models.length === 1 ? (models[0] ?? "") : `${models.length} models`;
}
