import { byId, fieldById } from "./elements.js";

/** Which runs are chosen, what is done with them, and which are shown. */
export class Choice {
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
