import { visiblePieces } from "./visible-text.js";

type Child = Node | string;

/** A new element. Strings become text, never markup. */
export function element(tag: string, className = "", ...children: readonly Child[]): HTMLElement {
  const made = document.createElement(tag);
  if (className !== "") made.className = className;
  made.append(...children);
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
