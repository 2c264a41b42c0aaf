type Child = Node | string;

/** A new element. Strings become text, never markup. */
export function element(tag: string, className = "", ...children: readonly Child[]): HTMLElement {
  const made = document.createElement(tag);
  if (className !== "") made.className = className;
  made.append(...children);
  return made;
}

/** The element, with these attributes. */
export function attributed<E extends Element>(made: E, attributes: Readonly<Record<string, string | number>>): E {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}

/** The element of the page's own document with this id. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`Expected an element #${id} in the page, found none.`);
  return found;
}

/** Text of the data: what it hides is shown, nothing in it is obeyed. */
export function dataText(text: string, emphasis: readonly [number, number] | null = null): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const piece of visiblePieces(text, emphasis)) {
    const plain = piece.kind === "text" && !piece.isEmphasised;
    if (plain) {
      fragment.append(piece.text);
      continue;
    }
    const names = [piece.kind, ...(piece.isEmphasised ? ["emphasised"] : [])];
    const made = element("span", names.filter((name) => name !== "text").join(" "), piece.text);
    if (piece.kind === "hidden") made.title = "a character that would not show";
    fragment.append(made);
  }
  return fragment;
}

/** A line of code with the colours of its stretches, as `coloursByLine` has them. */
export function coloured(line: string, colours: string, emphasis: readonly [number, number] | null = null): Node[] {
  const pieces: Node[] = [];
  const part = (from: number, to: number): Node[] => {
    // Text that is followed by more: spaces at its end are not at the end of the line.
    const rest = to === line.length ? to : to - (/ *$/.exec(line.slice(from, to))?.[0].length ?? 0);
    const within = emphasis && ([emphasis[0] - from, emphasis[1] - from] as const);
    return [dataText(line.slice(from, rest), within), document.createTextNode(line.slice(rest, to))];
  };
  let end = 0;
  for (const [, name, start, length] of colours.matchAll(/([a-z])([0-9a-z]+)\.([0-9a-z]+)/g)) {
    const from = Number.parseInt(start ?? "", 36);
    const to = from + Number.parseInt(length ?? "", 36);
    if (from < end) continue;
    pieces.push(...part(end, from), element("span", name ?? "", ...part(from, to)));
    end = to;
  }
  return [...pieces, ...part(end, line.length)];
}

/** A stretch of text and how it is shown. */
interface Piece {
  /**
   * `text`: as it is. `tab`, `trailing`: white space that is easily overlooked, marked. `hidden`: one character that
   * shows nothing, or that changes how its neighbours show; `text` is then its name, such as `U+202E`.
   */
  readonly kind: "text" | "tab" | "trailing" | "hidden";
  readonly text: string;
  readonly isEmphasised: boolean;
}

/**
 * Tabs; spaces before the end of a line; and controls, formats (bidirectional overrides, zero-width characters), odd
 * spaces and separators, private use, and the fillers that are letters and yet blank. A line feed stays what it is.
 */
const SPECIAL = /\t|(?<trailing> +(?=\n|$))|[^\P{C}\n]|[^\P{Z} ]|[\u115f\u1160\u2800\u3164\uffa0]/gu;

/** Text in pieces, so that what it holds is seen and nothing in it is obeyed. */
export function visiblePieces(text: string, emphasis: readonly [number, number] | null = null): Piece[] {
  const pieces: Piece[] = [];
  const plain = (start: number, end: number) => {
    for (const [from, to] of cut(start, end, emphasis)) {
      pieces.push({ kind: "text", text: text.slice(from, to), isEmphasised: isWithin(from, emphasis) });
    }
  };
  let end = 0;
  for (const match of text.matchAll(SPECIAL)) {
    plain(end, match.index);
    pieces.push({ ...special(match), isEmphasised: isWithin(match.index, emphasis) });
    end = match.index + match[0].length;
  }
  plain(end, text.length);
  return pieces;
}

function special(match: RegExpExecArray): Pick<Piece, "kind" | "text"> {
  const [text] = match;
  if (text === "\t") return { kind: "tab", text };
  if (match.groups?.["trailing"] !== undefined) return { kind: "trailing", text };
  const code = (text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return { kind: "hidden", text: `U+${code}` };
}

/** The stretch from `start` to `end`, cut where the emphasis begins and ends; empty parts left out. */
function cut(start: number, end: number, emphasis: readonly [number, number] | null): [number, number][] {
  const ends = (emphasis ?? []).map((at) => Math.min(Math.max(at, start), end));
  const points = [start, ...ends, end];
  return points.slice(1).flatMap((to, i): [number, number][] => {
    const from = points[i] ?? start;
    return from < to ? [[from, to]] : [];
  });
}

function isWithin(at: number, emphasis: readonly [number, number] | null): boolean {
  return emphasis !== null && at >= emphasis[0] && at < emphasis[1];
}
