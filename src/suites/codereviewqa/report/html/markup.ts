import { printable } from "../../../../base/text.js";

/** Markup that may go into the page as it is. Everything else that is put into a template is escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = Markup | string | number | null | undefined | false | readonly Markup[];

/**
 * Markup from a template. Strings put into it become text, never markup, in elements and in quoted attributes alike;
 * control characters and direction overrides are shown as escapes. `null`, `undefined` and `false` leave nothing.
 */
export function markup(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(parts.reduce((text, part, i) => text + textOf(values[i - 1]) + part));
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
  return printable(text.toWellFormed(), MAX_CHARACTERS).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

/** What ends an element of data, and what an editor that opens the page would obey or not show. */
const UNSAFE_IN_JSON = /[<\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** A value as JSON for an element that holds data: nothing in it can end the element. */
export function jsonMarkup(value: unknown): Markup {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return new Markup(JSON.stringify(value).replace(UNSAFE_IN_JSON, escaped));
}
