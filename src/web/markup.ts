import { shorten, visible, visibleLine } from "../base/text.js";

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
export function styleMarkup(style: string): Markup {
  return new Markup(`<style>${requireNoEnd(style, "style")}</style>`, OWN);
}

/** A script of the program's own. */
export function scriptMarkup(script: string): Markup {
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
