import { dataText, element } from "../../../curate/review/page/dom.js";
import type { PageCode } from "./page-data.js";

const KINDS: Readonly<Record<string, readonly [string, string]>> = {
  " ": ["", ""],
  "-": ["deleted", "deleted"],
  "+": ["added", "added"],
};

/** Code as a diff, with line numbers of both versions and syntax colours. */
export function codeView({ rows, lines, colours }: PageCode, titles: readonly [string, string]): HTMLElement {
  const body = element("tbody");
  let [before, after] = [0, 0];
  for (const [i, sign] of [...rows].entries()) {
    const [className, spoken] = KINDS[sign] ?? ["", ""];
    if (sign !== "+") before++;
    if (sign !== "-") after++;
    const mark = element("td", "sign", sign);
    if (spoken !== "") mark.setAttribute("aria-label", spoken);
    const code = element("code", "", ...coloured(lines[i] ?? "", colours[i] ?? ""));
    body.append(
      element(
        "tr",
        className,
        element("td", "number", sign === "+" ? "" : String(before)),
        element("td", "number", sign === "-" ? "" : String(after)),
        mark,
        element("td", "", code),
      ),
    );
  }
  const head = element("tr", "", ...[...titles, "change", "code"].map((title) => element("th", "", title)));
  return element("table", "code", element("thead", "unseen", head), body);
}

function coloured(line: string, colours: string): Node[] {
  const pieces: Node[] = [];
  let end = 0;
  for (const [, name, start, length] of colours.matchAll(/([a-z])([0-9a-z]+)\.([0-9a-z]+)/g)) {
    const from = Number.parseInt(start ?? "", 36);
    const to = from + Number.parseInt(length ?? "", 36);
    if (from < end) continue;
    pieces.push(...within(line.slice(end, from)), element("span", name ?? "", ...within(line.slice(from, to))));
    end = to;
  }
  return [...pieces, dataText(line.slice(end))];
}

/** Text that is followed by more: spaces at its end are not at the end of the line. */
function within(text: string): Node[] {
  const rest = text.replace(/ +$/, "");
  return [dataText(rest), document.createTextNode(text.slice(rest.length))];
}
