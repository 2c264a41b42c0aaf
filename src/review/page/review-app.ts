import type { ReviewState, ShownExample, Verdict } from "../review-protocol.js";
import { byId, dataText, element } from "./dom.js";
import { exampleView } from "./example-view.js";
import { type Action, type Attempt, actionOf, Review, serverApi } from "./review.js";

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

/** Brings everything around the example up to date: where we are, what is decided, what is saved. */
function showPanel(review: Review): void {
  const { state, verdicts, position, phase, shown } = review;
  if (state !== null) {
    byId("file").replaceChildren(dataText(state.file));
    byId("annotator").replaceChildren(dataText(state.annotator));
    byId("saved-to").replaceChildren(dataText(state.savedTo));
    byId("position").textContent = `${position + 1} of ${verdicts.length}`;
    document.title = `${position + 1} of ${verdicts.length} · review of ${state.file}`;
  }
  showCounts(verdicts);
  const isBusy = phase.kind === "loading" || phase.kind === "saving";
  byId("status").textContent = isBusy ? "…" : statusOf(review);
  showChoice(shown?.verdict ?? null);
  showQuestions(shown);
  showFailure(review);
}

function showCounts(verdicts: readonly (Verdict | null)[]): void {
  const kept = verdicts.filter((verdict) => verdict?.decision === "keep").length;
  const dropped = verdicts.filter((verdict) => verdict?.decision === "drop").length;
  const numbers = { kept, dropped, left: verdicts.length - kept - dropped };
  for (const [name, count] of Object.entries(numbers)) byId(`${name}-count`).textContent = String(count);
  const total = Math.max(verdicts.length, 1);
  byId("kept-bar").style.width = `${(100 * kept) / total}%`;
  byId("dropped-bar").style.width = `${(100 * dropped) / total}%`;
}

function statusOf({ said, verdicts, hasUnsavedNote }: Review): string {
  if (hasUnsavedNote) return "The note is not saved yet: Enter saves it.";
  const isDone = verdicts.length > 0 && !verdicts.includes(null);
  return isDone ? `${said} All examples are decided; Ctrl-C in the terminal ends the review.`.trim() : said;
}

function showChoice(verdict: Verdict | null): void {
  for (const button of document.querySelectorAll<HTMLElement>("[data-choice]")) {
    const isChosen = button.dataset["choice"] === (verdict?.reason ?? verdict?.decision);
    button.setAttribute("aria-pressed", String(isChosen));
  }
  const text = verdict === null ? "undecided" : verdict.decision === "keep" ? "kept" : "dropped";
  const label = byId("verdict");
  label.textContent = text;
  label.className = `verdict ${text}`;
}

function whatOf(attempt: Attempt): string {
  if (attempt.kind === "note") return "your note";
  const [subject, reason] =
    attempt.kind === "decision" ? [attempt.choice.decision, attempt.choice.reason] : [attempt.question, attempt.reason];
  return `"${subject}${reason === null ? "" : `: ${reason.replaceAll("_", " ")}`}"`;
}

/** Shows the decisions about the questions in view. */
function showQuestions(shown: ShownExample | null): void {
  const questions = shown?.questions.status === "ready" ? shown.questions.questions : [];
  const dropped = new Map(questions.map((question) => [question.form, question.dropped]));
  for (const button of document.querySelectorAll<HTMLElement>("[data-question]")) {
    const { question = "", reason } = button.dataset;
    button.setAttribute("aria-pressed", String(dropped.get(question) === reason));
  }
}

function showFailure({ phase, state }: Review): void {
  const alert = byId("alert");
  alert.hidden = phase.kind !== "unsaved" && phase.kind !== "failed";
  if (phase.kind === "unsaved") {
    const { attempt } = phase;
    byId("alert-title").textContent = `Not saved: ${whatOf(attempt)}`;
    byId("alert-text").replaceChildren(
      dataText(phase.message),
      element("br"),
      "Press r to try again, or decide anew. What was saved before is safe in ",
      dataText(state?.savedTo ?? "the decisions file"),
      ".",
    );
  } else if (phase.kind === "failed") {
    byId("alert-title").textContent = "Not loaded";
    byId("alert-text").replaceChildren(dataText(phase.message));
  }
}
