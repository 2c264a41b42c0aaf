import { groupName } from "../../../../../base/language.js";
import { attributed, dataText, element } from "../../../../../review/page/dom.js";
import type { Store } from "./store.js";

/** Height of a row, in pixels; as in the style. */
const ROW = 46;
/** Rows drawn beyond what is in view. */
const SPARE = 8;
const MAX_PREVIEW = 120;

/** The list of questions: draws only the rows in view, however many there are. */
export class ListView {
  readonly #frame: HTMLElement;
  readonly #all: HTMLElement;
  readonly #store: Store;
  readonly #onSelect: (index: number) => void;
  #questions: readonly number[] = [];
  #model = 0;
  /** Place in the list. */
  #selected = -1;

  constructor(frame: HTMLElement, store: Store, onSelect: (index: number) => void) {
    this.#frame = frame;
    this.#store = store;
    this.#onSelect = onSelect;
    this.#all = element("div", "all");
    frame.replaceChildren(this.#all);
    frame.addEventListener("scroll", () => this.#draw(), { passive: true });
    frame.addEventListener("keydown", (event) => this.#onKey(event));
    frame.addEventListener("click", (event) => this.#onClick(event));
    new ResizeObserver(() => this.#draw()).observe(frame);
  }

  /** Shows these questions, and keeps the one that was selected, if it is among them. */
  show(questions: readonly number[], model: number): void {
    const before = this.#questions[this.#selected];
    this.#questions = questions;
    this.#model = model;
    this.#all.style.height = `${questions.length * ROW}px`;
    const kept = before === undefined ? -1 : questions.indexOf(before);
    this.#selected = -1;
    this.#frame.scrollTop = Math.max(0, kept * ROW - this.#frame.clientHeight / 2);
    this.select(kept === -1 ? 0 : kept);
  }

  /** Selects by place in the list. */
  select(place: number): void {
    const within = Math.min(Math.max(place, 0), this.#questions.length - 1);
    this.#selected = within;
    const top = within * ROW;
    const { scrollTop, clientHeight } = this.#frame;
    if (top < scrollTop) this.#frame.scrollTop = top;
    else if (top + ROW > scrollTop + clientHeight) this.#frame.scrollTop = top + ROW - clientHeight;
    this.#draw();
    const question = this.#questions[within];
    if (question !== undefined) this.#onSelect(question);
  }

  /** Selects a question if it is in the list. */
  find(question: number): boolean {
    const place = this.#questions.indexOf(question);
    if (place === -1) return false;
    this.#frame.scrollTop = Math.max(0, place * ROW - this.#frame.clientHeight / 2);
    this.select(place);
    return true;
  }

  move(by: number): void {
    this.select(this.#selected + by);
  }

  #draw(): void {
    const { scrollTop, clientHeight } = this.#frame;
    const first = Math.max(0, Math.floor(scrollTop / ROW) - SPARE);
    const last = Math.min(this.#questions.length, Math.ceil((scrollTop + clientHeight) / ROW) + SPARE);
    const rows: HTMLElement[] = [];
    for (let place = first; place < last; place++) rows.push(this.#row(place));
    this.#all.replaceChildren(...rows);
    const isShown = this.#selected >= first && this.#selected < last;
    this.#frame.setAttribute("aria-activedescendant", isShown ? `row-${this.#selected}` : "");
  }

  #row(place: number): HTMLElement {
    const index = this.#questions[place] ?? 0;
    const { form, example } = this.#store.question(index);
    const verdict = this.#store.verdict(this.#model, index);
    const { right, orders } = this.#store.counts(this.#model, index);
    const score = orders === 0 ? WRITTEN[verdict] : `${right}/${orders}`;
    const row = element(
      "div",
      "row",
      element("i", verdict, score),
      element("b", "", form.name),
      ` · ${groupName(example.language)} · ${example.changeType}`,
      element("span", "", dataText((example.review ?? example.id).slice(0, MAX_PREVIEW))),
    );
    row.style.top = `${place * ROW}px`;
    return attributed(row, {
      id: `row-${place}`,
      "data-place": place,
      role: "option",
      "aria-selected": String(place === this.#selected),
      "aria-setsize": this.#questions.length,
      "aria-posinset": place + 1,
    });
  }

  #onClick(event: Event): void {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>(".row") : null;
    const place = row?.dataset["place"];
    if (place !== undefined) this.select(Number(place));
  }

  #onKey(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.#frame.clientHeight / ROW) - 1);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -this.#questions.length,
      End: this.#questions.length,
    };
    const by = Object.hasOwn(moves, event.key) ? moves[event.key] : undefined;
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.move(by);
  }
}

const WRITTEN = { all: "match", some: "", none: "no match", lost: "failed", "not asked": "–" } as const;
