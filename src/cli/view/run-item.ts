import { durationText } from "../../report/duration-text.js";
import { numberText } from "../../report/number-text.js";
import { STATE_WORDS } from "../../report/state-words.js";
import { countsText, total } from "../../run/journal-counts.js";
import { blockMarkup, type Markup, markup } from "../../web/markup.js";
import { RUN_TONES } from "../runs/run-tones.js";
import type { RunProgress } from "./followed-run.js";
import type { ShownRun } from "./watched-runs.js";

/** A run as an item of a list. Its script tells one from the next by `id`. */
export function runItem(run: ShownRun): Markup {
  const { key, model, folder, problem } = run;
  if (problem !== null) {
    return markup`<li id="run-${key}"><div class="what"><p class="name mono">${folder}</p><p class="problem lines">${blockMarkup(problem)}</p></div></li>`;
  }
  const words = [model, run.suite, folder].join(" ").toLowerCase();
  const date = run.createdAt?.slice(0, 16).replace("T", " ");
  return markup`<li id="run-${key}" data-words="${words}" data-state="${run.state}">
<input type="checkbox" name="run" value="${key}" id="choose-${key}">
<div class="what"><p class="name"><label for="choose-${key}">${model}<span class="unseen"> of ${date}</span></label>
${run.state === "unfinished" && markup`<span class="badge ${RUN_TONES[run.state]}">unfinished</span>`}
<a id="report-${key}" href="report?run=${key}">Report<span class="unseen"> of ${model}, ${date}</span></a></p>
<p class="soft">${date} · ${run.suite} · <span class="mono">${folder}</span></p>
${run.progress === null ? formsOf(run) : progressOf(run, run.progress)}</div></li>`;
}

function formsOf({ forms, isScored }: ShownRun): Markup {
  if (!isScored) return markup`<p class="soft">Reading its answers …</p>`;
  if (forms.length === 0) return markup`<p class="soft">Nothing to score yet.</p>`;
  const items = forms.map(({ name, judgement }) => {
    const { text, tone } = STATE_WORDS[judgement.state];
    const { mark } = judgement;
    return markup`<li><span class="form">${name}</span> ${mark && markup`<span class="badge ${mark.tone}">${mark.text}</span> `}<b>${numberText(judgement.score, "fraction")}</b> <span class="badge ${tone}">${text}</span></li>`;
  });
  return markup`<ul class="forms" aria-label="Scores">${items}</ul>`;
}

function progressOf({ key, model }: ShownRun, { counts, leftMs }: RunProgress): Markup {
  const [done, planned, failed] = [total(counts, "done"), total(counts, "planned"), total(counts, "failed")];
  const words = [
    countsText(counts),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(leftMs === null ? [] : [`${durationText(leftMs)} left`]),
  ].join(" · ");
  return markup`<progress id="bar-${key}" max="${Math.max(planned, 1)}" value="${done}" aria-label="Progress of ${model}">${words}</progress>
<p class="far">${words}</p>`;
}
