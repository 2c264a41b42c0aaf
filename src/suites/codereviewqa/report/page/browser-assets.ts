import type { Language } from "../../../../base/language.js";
import { diffRows } from "../../../../review/diff-rows.js";
import { coloursByLine } from "../../../../syntax/colours.js";
import { CODE_COLOURS } from "../../../../web/page-style.js";
import type { PageCode } from "./browser/page-data.js";

/** The style of the question browser. */
export const BROWSER_STYLE = `
.filters { display: flex; flex-wrap: wrap; gap: 8px; margin: 12px 0 8px; align-items: end; }
.filters label { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2px; max-width: 100%; font-size: 13px; color: var(--soft); flex: 0 1 auto; min-width: 0; }
.filters label.wide { flex: 1 1 220px; }
input, select, button.plain {
  padding: 5px 9px; border: 1px solid var(--line); border-radius: 6px; background: var(--card); color: var(--ink);
  font: inherit; max-width: 100%;
}
button.plain { cursor: pointer; }
button.plain:hover { border-color: var(--blue); }
.browser { display: grid; grid-template-columns: minmax(250px, 340px) minmax(0, 1fr); gap: 14px; }
.list {
  position: sticky; top: 52px; height: calc(100vh - 66px); overflow-y: auto; border: 1px solid var(--line);
  border-radius: 8px; background: var(--card);
}
.list .all { position: relative; }
.row {
  position: absolute; left: 0; right: 0; height: 46px; padding: 4px 10px; border-bottom: 1px solid var(--line);
  overflow: hidden; cursor: pointer; font-size: 13px; line-height: 1.4;
}
.row b { font-weight: 600; }
.row > span { color: var(--soft); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; display: block; }
.row i { float: right; font-style: normal; font-variant-numeric: tabular-nums; }
.row i.all { color: var(--green); }
.row i.none { color: var(--red); }
.row i.some, .row i.lost { color: var(--amber); }
.row:hover { background: light-dark(#f2f5fa, #232833); }
.row[aria-selected="true"] { background: light-dark(#e3edfb, #22324d); }
.list:focus-visible .row[aria-selected="true"] { outline: 2px solid var(--blue); outline-offset: -2px; }
.detail { min-width: 0; }
.detail h3 { margin: 16px 0 6px; font-size: 13px; color: var(--soft); font-weight: 600; letter-spacing: .02em; }
.detail .title { margin: 0; font-size: 17px; color: var(--ink); overflow-wrap: anywhere; }
.comment {
  margin: 0; padding: 10px 14px; border: 1px solid var(--line); border-left: 4px solid var(--blue); border-radius: 6px;
  background: var(--card); white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate;
}
.code {
  width: 100%; border: 1px solid var(--line); border-radius: 6px; background: var(--card); border-spacing: 0;
  border-collapse: separate; font: 13px/1.55 var(--mono); tab-size: 4; overflow: hidden;
}
.code td { padding: 0 8px; border: 0; vertical-align: top; white-space: pre-wrap; overflow-wrap: anywhere; text-align: left; }
.code td.number { width: 1%; min-width: 0; white-space: nowrap; color: var(--soft); text-align: right; user-select: none; border-right: 1px solid var(--line); }
.code td.sign { width: 1%; padding: 0 2px 0 8px; font-weight: 700; user-select: none; }
.code tr:hover { background: none; }
.code tr.deleted { background: var(--red-back); }
.code tr.added { background: var(--green-back); }
.code .deleted .sign { color: var(--red); }
.code .added .sign { color: var(--green); }
.code code { font-size: 13px; direction: ltr; unicode-bidi: isolate; }
${CODE_COLOURS}
.hidden {
  padding: 0 4px; margin: 0 1px; border: 1px solid currentColor; border-radius: 4px; background: var(--amber-back);
  color: var(--amber); font: 11px/1.3 var(--mono); unicode-bidi: isolate;
}
.trailing { text-decoration: underline dotted var(--soft); }
.options { margin: 0; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: 6px; background: var(--card); }
.options li { display: flex; gap: 12px; padding: 6px 12px; align-items: baseline; }
.options li + li { border-top: 1px solid var(--line); }
.options code { min-width: 0; flex: 1; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 13px; tab-size: 4; }
.options .number { flex: none; width: 30px; color: var(--soft); white-space: nowrap; }
.options .right { background: var(--green-back); }
.options small { flex: none; color: var(--soft); font-variant-numeric: tabular-nums; }
.cells { display: grid; gap: 4px; grid-template-columns: max-content repeat(var(--cells, 6), minmax(28px, 52px)); align-items: center; font-size: 13px; }
.cells > span { padding-right: 6px; color: var(--soft); white-space: nowrap; }
.cells button {
  height: 32px; border: 0; border-radius: 5px; color: var(--on-mark); font: 600 13px system-ui, sans-serif; cursor: pointer; padding: 0;
}
.cells button.none { background: var(--line); color: var(--ink); }
.cells button[aria-pressed="true"] { outline: 3px solid var(--ink); outline-offset: 1px; }
.orders td, .orders th { padding: 3px 8px; }
.orders .share { min-width: 96px; }
.orders .bar { display: block; height: 4px; margin-top: 1px; border-radius: 2px; background: var(--c1); opacity: .75; }
.orders .chosen { font-weight: 700; }
.orders .here::before { content: "✓ "; color: var(--green); }
.orders tr.marked { outline: 2px solid var(--blue); outline-offset: -2px; }
.orders th { min-width: 0; }
td.is-right { color: var(--green); }
td.is-wrong { color: var(--red); }
td.is-undecided { color: var(--amber); }
.maps { display: grid; gap: 10px 20px; grid-template-columns: repeat(auto-fill, minmax(min(256px, 100%), 1fr)); }
.map p { margin: 0 0 4px; font-size: 13px; overflow-wrap: anywhere; }
.map b { display: block; }
.map .cells { grid-template-columns: 16px repeat(var(--cells, 6), minmax(24px, 42px)); gap: 3px; }
.map .cells button { height: 28px; }
.detail .link { font-size: 13px; font-weight: 400; }
button.small { padding: 0 6px; font-size: 12px; color: var(--soft); }
.moves { display: flex; gap: 8px; align-items: center; margin-left: auto; }
@media (max-width: 860px) {
  .browser { grid-template-columns: minmax(0, 1fr); }
  .list { position: static; height: 280px; }
  .orders .share { min-width: 62px; }
}
`;

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
