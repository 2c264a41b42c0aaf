import { createHash } from "node:crypto";
import type { Brand } from "../base/symbol.js";
import { shorten, visible, visibleLine } from "../base/text.js";

/** A whole page in which all text is escaped; made here alone. */
export type Html = Brand<string, "Html">;

interface PageContent {
  readonly title: string;
  /** Maker of the page, in its head. */
  readonly generator: string;
  readonly style: string;
  /** Runs at the end of the page. */
  readonly script: string;
  readonly body: Markup;
  /** `true`: it may ask the server that it came from; else it asks nothing of anyone. */
  readonly isServed?: boolean;
}

/**
 * One file that loads nothing: style and script are in it, and its content security policy lets nothing else through.
 */
export function htmlPage({ body, ...frame }: PageContent): Html {
  const { before, behind } = frameOf(frame);
  return `${before.text}${body.text}${behind.text}` as Html;
}

/** The page in pieces, in their order: the body need not be in memory as a whole. */
export async function* htmlPieces(frame: PageFrame, body: AsyncIterable<Markup>): AsyncGenerator<Markup> {
  const { before, behind } = frameOf(frame);
  yield before;
  yield* body;
  yield behind;
}

/** The page that these are the pieces of. */
export async function wholePage(pieces: AsyncIterable<Markup>): Promise<Html> {
  const texts: string[] = [];
  for await (const { text } of pieces) texts.push(text);
  return texts.join("") as Html;
}

type PageFrame = Omit<PageContent, "body">;

/** Markup before the body, and behind it. */
function frameOf({
  title,
  generator,
  style,
  script,
  isServed = false,
}: PageFrame): Record<"before" | "behind", Markup> {
  const own = isServed ? "connect-src 'self'; form-action 'self'" : "form-action 'none'";
  const policy = `default-src 'none'; style-src '${hashOf(style)}'; script-src '${hashOf(script)}'; base-uri 'none'; ${own}`;
  const before = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="generator" content="${generator}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${styleMarkup(style)}
</head>
<body>
`;
  const behind = markup`
${scriptMarkup(script)}
</body>
</html>
`;
  return { before, behind };
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text, "utf8").digest("base64")}`;
}

/**
 * Makers of an object's members: a value, or the elements of a list one at a time. Called in this order, each when
 * those before it were handed on.
 */
export type JsonMembers<T> = {
  readonly [Name in keyof T]: () =>
    | T[Name]
    | (T[Name] extends readonly (infer Element)[] ? AsyncIterable<Element> : never);
};

/** Elements of a list are handed on together, about so many characters at a time. */
const PIECE_CHARACTERS = 1 << 16;

/** An object as JSON for an element that holds data, as `jsonMarkup` has it, in pieces: it need not be there as a whole. */
export async function* jsonPieces<T extends object>(members: JsonMembers<T>): AsyncGenerator<Markup> {
  const entries: [string, () => unknown][] = Object.entries(members);
  yield markup`{`;
  for (const [i, [name, make]] of entries.entries()) {
    yield markup`${i > 0 && ","}${jsonMarkup(name)}:`;
    const value = make();
    if (isList(value)) yield* listPieces(value);
    else yield jsonMarkup(value);
  }
  yield markup`}`;
}

function isList(value: unknown): value is AsyncIterable<unknown> | readonly unknown[] {
  return Array.isArray(value) || (typeof value === "object" && value !== null && Symbol.asyncIterator in value);
}

async function* listPieces(elements: AsyncIterable<unknown> | readonly unknown[]): AsyncGenerator<Markup> {
  let held = [markup`[`];
  let [characters, count] = [0, 0];
  for await (const element of elements) {
    const json = jsonMarkup(element);
    held.push(markup`${count++ > 0 && ","}${json}`);
    characters += json.text.length;
    if (characters < PIECE_CHARACTERS) continue;
    yield join(held);
    [held, characters] = [[], 0];
  }
  yield join([...held, markup`]`]);
}

/** Key that only this file has: nobody else makes markup. */
const OWN = Symbol("made here");

/**
 * Markup that may go into the page as it is: made by the functions of this file alone, which escape whatever is put into
 * them. Everything else that is put into a template is escaped.
 */
export class Markup {
  readonly text: string;

  /** Asks for a key that this file alone has. */
  constructor(text: string, key: typeof OWN) {
    if (key !== OWN) throw new TypeError("Expected markup to be made by a template.");
    this.text = text;
  }
}

type Value = Markup | string | number | null | undefined | false | readonly Markup[];

/**
 * Markup from a template. Strings put into it become text, never markup, in elements and in quoted attributes alike;
 * control characters and direction overrides are shown as escapes. `null`, `undefined` and `false` leave nothing.
 */
export function markup(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(
    parts.reduce((text, part, i) => text + textOf(values[i - 1]) + part),
    OWN,
  );
}

function textOf(value: Value): string {
  if (value === null || value === undefined || value === false) return "";
  if (value instanceof Markup) return value.text;
  if (typeof value === "object") return value.map(({ text }) => text).join("");
  return escapeText(String(value));
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Longest text that is put into the page's own markup; longer ones are cut, and say so. */
const MAX_CHARACTERS = 2_000;

function escapeText(text: string): string {
  return entities(visibleLine(shorten(text.toWellFormed(), MAX_CHARACTERS)));
}

function entities(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

/** Several pieces one after the other. */
export function join(pieces: readonly Markup[], between: "" | "<br>" = ""): Markup {
  return new Markup(pieces.map(({ text }) => text).join(between), OWN);
}

/** Characters that end an element of data, or that an editor would obey or not show. */
const UNSAFE_IN_JSON = /[<\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** A value as JSON for an element that holds data: nothing in it can end the element. */
export function jsonMarkup(value: unknown): Markup {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return new Markup(JSON.stringify(value).replace(UNSAFE_IN_JSON, escaped), OWN);
}

/** Text of several lines: line ends and tabs stay, for an element that keeps them. */
export function blockMarkup(text: string): Markup {
  return new Markup(entities(visible(text.toWellFormed())), OWN);
}

/** A style sheet of the program's own. */
function styleMarkup(style: string): Markup {
  return new Markup(`<style>${requireNoEnd(style, "style")}</style>`, OWN);
}

/** A script of the program's own. */
function scriptMarkup(script: string): Markup {
  return new Markup(`<script>${requireNoEnd(script, "script")}</script>`, OWN);
}

function requireNoEnd(text: string, element: string): string {
  if (text.toLowerCase().includes(`</${element}`)) throw new Error(`Expected no end of the ${element} element in it.`);
  return text;
}

/** Content of an element, as its own serialiser wrote and escaped it. */
export function contentMarkup(element: { readonly innerHTML: string }): Markup {
  return new Markup(visible(element.innerHTML), OWN);
}
