import type { ShownExample, Verdict } from "../protocol.js";
import { byId, dataText, element } from "./dom.js";
import type { Attempt, Review } from "./review.js";

/** Brings everything around the example up to date: where we are, what is decided, what is saved. */
export function showPanel(review: Review): void {
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

/** What was decided about each question in view. */
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
