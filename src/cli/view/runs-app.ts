import { byId } from "../../review/page/dom.js";

/** Choice of runs: those that are ticked, the actions on them, and those that are shown. */
class Choice {
  readonly #form = byId("choice");
  readonly #filter = fieldById("filter");

  constructor() {
    byId("filter-label").hidden = false;
    this.#form.addEventListener("change", () => this.show());
    this.#filter.addEventListener("input", () => this.show());
    byId("none").addEventListener("click", () => {
      for (const box of this.#chosen()) box.checked = false;
      this.show();
    });
    this.#form.addEventListener("submit", (event) => this.#tidy(event.submitter));
  }

  /** The page as the choice and the filter have it. */
  show(): void {
    const count = this.#chosen().length;
    byId("count").textContent =
      count === 0 ? "Choose runs to see them side by side." : `${count} run${count === 1 ? "" : "s"} chosen`;
    byId("open").textContent = count > 1 ? `Compare ${count} runs` : "Open report";
    for (const id of ["open", "open-question"]) fieldById(id).disabled = count === 0;
    byId("none").hidden = count === 0;
    const wanted = this.#filter.value.toLowerCase().split(/\s+/);
    for (const run of byId("ended-runs").children) {
      if (!(run instanceof HTMLElement)) continue;
      const words = run.dataset["words"] ?? "";
      run.hidden = !wanted.every((word) => words.includes(word));
    }
  }

  #chosen(): NodeListOf<HTMLInputElement> {
    return this.#form.querySelectorAll<HTMLInputElement>('[name="run"]:checked');
  }

  /** The address of a report has no question in it. */
  #tidy(button: HTMLElement | null): void {
    const fields = [fieldById("form"), fieldById("item")];
    for (const field of fields) field.disabled = button?.id !== "open-question";
    setTimeout(() => {
      for (const field of fields) field.disabled = false;
    });
  }
}

const TIMEOUT_MS = 15_000;

const page = byId("page");
const lost = byId("lost");
const choice = new Choice();
/** Tag of the page as it is shown. */
let tag: string | null = null;
let timer = 0;

/** Asks for the page again, and takes over what changed. */
async function refresh(): Promise<void> {
  try {
    const headers: HeadersInit = tag === null ? {} : { "if-none-match": tag };
    const reply = await fetch("./", { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (reply.status === 200) {
      tag = reply.headers.get("etag");
      const fresh = new DOMParser().parseFromString(await reply.text(), "text/html");
      const said = takeOver(fresh);
      if (said !== "") byId("said").textContent = said;
      choice.show();
    }
    lost.hidden = reply.ok || reply.status === 304;
  } catch {
    lost.hidden = false;
  }
}

/** Nobody looks at a page in the background: it asks nothing. */
async function goOn(): Promise<void> {
  clearTimeout(timer);
  if (document.hidden) return;
  await refresh();
  clearTimeout(timer);
  timer = window.setTimeout(() => void goOn(), Number(page.dataset["again"]));
}

choice.show();
document.addEventListener("visibilitychange", () => void goOn());
void goOn();
document.documentElement.dataset["ready"] = "true";

const LISTS = ["going", "ended", "damaged"];

/** Items as the server sent them: the page itself may have changed them, such as by the filter. */
const sent = new Map(listed(document).map(({ id, outerHTML }) => [id, outerHTML]));

/**
 * Takes over what is new in a page of runs: what did not change stays as it is, with what is chosen and where the focus is.
 * @returns what ended since, in words
 */
function takeOver(fresh: Document): string {
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

/**
 * Updates in place where they are the same runs: an element that is moved loses the focus, and a click that is under
 * way.
 */
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

/** The field of the page with this id. */
function fieldById(id: string): HTMLInputElement | HTMLSelectElement | HTMLButtonElement {
  const found = byId(id);
  if (found instanceof HTMLInputElement || found instanceof HTMLSelectElement || found instanceof HTMLButtonElement) {
    return found;
  }
  throw new Error(`Expected #${id} to be a field, found ${found.tagName}.`);
}
