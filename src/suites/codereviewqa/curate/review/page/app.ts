import type { ReviewState, ShownExample } from "../protocol.js";
import { byId, element } from "./dom.js";
import { exampleView } from "./example-view.js";
import { type Action, actionOf } from "./keys.js";
import { showPanel } from "./panel-view.js";
import { Review } from "./review.js";
import { serverApi } from "./server-api.js";

const note = byId("note") as HTMLTextAreaElement;
const help = byId("help") as HTMLDialogElement;
const review = new Review(serverApi, show);

let onScreen: ShownExample["id"] | null = null;

function show(): void {
  const { state, shown, position } = review;
  if (state !== null && byId("reasons").childElementCount === 0) addReasons(state);
  if (shown !== null && shown.id !== onScreen) {
    onScreen = shown.id;
    byId("example").replaceChildren(...exampleView(shown, state?.questionReasons ?? []));
    note.value = review.draft;
    scrollTo(0, 0);
    history.replaceState(null, "", `#${position + 1}`);
  }
  showPanel(review);
}

function addReasons({ reasons }: ReviewState): void {
  reasons.forEach(({ reason, label, explanation }, i) => {
    const words = element("span", "words", element("strong", "", label), element("small", "", explanation));
    const button = element("button", "choice drop", element("kbd", "", String(i + 1)), words);
    button.dataset["choice"] = reason;
    button.addEventListener("click", () => void act({ kind: "drop", key: i + 1 }));
    byId("reasons").append(button);
  });
}

async function act(action: Action): Promise<void> {
  switch (action.kind) {
    case "keep":
      return review.decide({ decision: "keep", reason: null });
    case "drop": {
      const chosen = review.state?.reasons[action.key - 1];
      return chosen === undefined ? undefined : review.decide({ decision: "drop", reason: chosen.reason });
    }
    case "note":
      return note.focus();
    case "next":
      return review.goTo(review.position + 1);
    case "previous":
      return review.goTo(review.position - 1);
    case "first_undecided":
      return review.goTo(review.firstUndecided(0));
    case "retry":
      return review.retry();
    case "help":
      return help.showModal();
  }
}

function onKey(event: KeyboardEvent): void {
  if (help.open) return;
  if (event.target === note) {
    onNoteKey(event);
    return;
  }
  const action = actionOf(event);
  if (action === null) {
    // A button that is held down by Enter decides once only, as the keys do.
    if (event.repeat && event.target instanceof HTMLButtonElement) event.preventDefault();
    return;
  }
  event.preventDefault();
  void act(action);
}

/** Enter saves the note, Escape leaves it (what was typed stays); Shift-Enter begins a line. */
function onNoteKey(event: KeyboardEvent): void {
  const isEnter = event.key === "Enter" && !event.shiftKey && !event.isComposing;
  if (isEnter) {
    event.preventDefault();
    void review.saveNote().then((isSaved) => isSaved && note.blur());
  } else if (event.key === "Escape") {
    note.blur();
  }
}

/** The buttons under a question: a reason that is pressed already is taken back. */
function onQuestion({ target }: MouseEvent): void {
  const button = target instanceof Element ? target.closest<HTMLElement>("[data-question]") : null;
  const question = button?.dataset["question"];
  const chosen = review.state?.questionReasons.find(({ reason }) => reason === button?.dataset["reason"]);
  if (question === undefined || chosen === undefined) return;
  const isTakenBack = button?.getAttribute("aria-pressed") === "true";
  void review.decideQuestion(question, isTakenBack ? null : chosen.reason);
}

const BUTTONS: Readonly<Record<string, Action>> = {
  keep: { kind: "keep" },
  next: { kind: "next" },
  previous: { kind: "previous" },
  undecided: { kind: "first_undecided" },
  "open-help": { kind: "help" },
  retry: { kind: "retry" },
};

for (const [id, action] of Object.entries(BUTTONS)) byId(id).addEventListener("click", () => void act(action));
byId("example").addEventListener("click", onQuestion);
byId("save-note").addEventListener("click", () => void review.saveNote());
byId("close-help").addEventListener("click", () => help.close());
document.addEventListener("keydown", onKey);
// After the mouse, the space bar scrolls again: it must not press the same button for the next example.
document.addEventListener("click", ({ detail, target }) => {
  const button = target instanceof Element ? target.closest("button") : null;
  if (detail > 0) button?.blur();
});
note.addEventListener("input", () => {
  review.draft = note.value;
  showPanel(review);
});
addEventListener("hashchange", () => void review.goTo(positionInAddress()));
addEventListener("beforeunload", (event) => {
  if (review.hasUnsavedNote || review.phase.kind === "unsaved" || review.phase.kind === "saving")
    event.preventDefault();
});

/** A reload stays where it was. */
function positionInAddress(): number | null {
  const number = /^#(\d{1,9})$/.exec(location.hash)?.[1];
  return number === undefined ? null : Number(number) - 1;
}

void review.start(positionInAddress());
