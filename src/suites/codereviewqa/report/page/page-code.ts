import type { Language } from "../../../../base/language.js";
import { diffRows } from "../../../../review/diff-rows.js";
import { coloursByLine } from "../../../../syntax/colours.js";
import type { PageCode } from "./browser/page-data.js";

/** Longest line that the page shows, in characters; of more it shows the beginning, and says how long it is. */
const MAX_LINE = 4_000;

/** More than what is said then takes: a line that was cut is not cut again. */
const SLACK = 40;

/** Two versions of a piece of code as one diff, with colours. */
export async function pageCode(
  before: readonly string[],
  after: readonly string[],
  language: Language,
): Promise<PageCode> {
  const [first, second] = [before, after].map((lines) => lines.map(shownLine)) as [string[], string[]];
  const colours = { before: await coloursByLine(first, language), after: await coloursByLine(second, language) };
  const signs: Readonly<Record<string, string>> = { same: " ", deleted: "-", added: "+" };
  const rows = diffRows(first, second);
  return {
    rows: rows.map(({ kind }) => signs[kind] ?? " ").join(""),
    lines: rows.map(({ text }) => text),
    colours: rows.map((row) =>
      row.before === null ? (colours.after[(row.after ?? 0) - 1] ?? "") : (colours.before[row.before - 1] ?? ""),
    ),
  };
}

/** Lines of a text that may be of any length: cut ones, and as many as fit `most` characters. */
export function shownLines(text: string, most: number): string[] {
  const lines = text.split("\n");
  const shown: string[] = [];
  let characters = 0;
  for (const line of lines) {
    if (characters > most) return [...shown, `… (${lines.length} lines)`];
    const cut = shownLine(line);
    characters += cut.length;
    shown.push(cut);
  }
  return shown;
}

function shownLine(line: string): string {
  return line.length <= MAX_LINE + SLACK ? line : `${line.slice(0, MAX_LINE)}… (${line.length} characters)`;
}
