import { byId } from "./elements.js";

const LISTS = ["going", "ended", "damaged"];

/** What the server sent of each item: the page itself may have changed it, such as by the filter. */
const sent = new Map(listed(document).map(({ id, outerHTML }) => [id, outerHTML]));

/**
 * Takes over what is new in a page of runs: what did not change stays as it is, with what is chosen and where the focus is.
 * @returns what ended since, in words
 */
export function takeOver(fresh: Document): string {
  const going = new Set(itemsOf("going", document).map(({ id }) => id));
  const lists = LISTS.map((id) => ({ list: byId(`${id}-runs`), items: itemsOf(id, fresh).map(itemFor) }));
  for (const id of ["facts", "problems", "form"]) replaceContent(id, fresh);
  for (const id of ["empty", "question", ...LISTS]) replaceHidden(id, fresh);
  for (const id of LISTS) replaceContent(`${id}-title`, fresh);
  const focus = document.activeElement?.id ?? "";
  for (const { list, items } of lists) takeItems(list, items);
  // Behind all lists: a run that ended stands in another one now.
  if (focus !== "" && document.activeElement?.id !== focus) document.getElementById(focus)?.focus();
  byId("page").dataset["again"] = fresh.getElementById("page")?.dataset["again"] ?? "";
  const ended = itemsOf("ended", document).filter(({ id }) => going.has(id));
  return ended.map((run) => `Ended: ${run.querySelector("label")?.textContent}`).join(". ");
}

function replaceContent(id: string, fresh: Document): void {
  const [old, next] = [byId(id), fresh.getElementById(id)];
  if (next !== null && old.innerHTML !== next.innerHTML) old.replaceChildren(...next.childNodes);
}

function replaceHidden(id: string, fresh: Document): void {
  const next = fresh.getElementById(id);
  if (next !== null) byId(id).hidden = next.hidden;
}

/** In place where they are the same runs: an element that is moved loses the focus, and a click that is under way. */
function takeItems(list: Element, items: readonly Element[]): void {
  const old = [...list.children];
  if (old.length === items.length && items.every(({ id }, i) => old[i]?.id === id)) {
    for (const [i, item] of items.entries()) if (old[i] !== item) old[i]?.replaceWith(item);
  } else list.replaceChildren(...items);
}

function itemsOf(id: string, of: Document): Element[] {
  return [...(of.getElementById(`${id}-runs`)?.children ?? [])];
}

function listed(of: Document): Element[] {
  return LISTS.flatMap((id) => itemsOf(id, of));
}

/** The item of the page where it is the same, else the new one, chosen as the old one was. */
function itemFor(item: Element): Element {
  const old = document.getElementById(item.id);
  const html = item.outerHTML;
  const isSame = sent.get(item.id) === html;
  sent.set(item.id, html);
  if (old === null) return item;
  if (isSame) return old;
  const [was, is] = [boxOf(old), boxOf(item)];
  if (was !== null && is !== null) is.checked = was.checked;
  return item;
}

function boxOf(item: Element): HTMLInputElement | null {
  return item.querySelector<HTMLInputElement>('input[type="checkbox"]');
}
