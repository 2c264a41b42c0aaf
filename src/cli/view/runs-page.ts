import { counted } from "../../base/text.js";
import { CONTROL, STATE_WORDS } from "../../report/judgement-words.js";
import { durationText, numberText } from "../../report/number-text.js";
import { countsText, total } from "../../run/folder/journal-counts.js";
import { RUN_TONES } from "../../run/folder/list-runs.js";
import { formLabel } from "../../verdict/verdict.js";
import { blockMarkup, type Html, htmlPage, type Markup, markup } from "../../web/html-page.js";
import { REPORT_STYLE } from "../../web/page-style.js";
import type { Look, RunProgress, ShownRun } from "./watched-runs.js";

/** Not that of reports: a file that says so is never taken for one. */
const GENERATOR = "code-review-probe view";

/** The page asks again so often: while something goes on, and else. */
const SOON_MS = 2_000;
const LATER_MS = 5_000;

interface RunsPage {
  readonly look: Look;
  readonly folders: readonly string[];
  readonly script: string;
}

/** The page of runs. Its script asks for it again and takes over what changed; without it, it can be loaded again. */
export function runsPage({ look, folders, script }: RunsPage): Html {
  const { runs, problems } = look;
  const going = runs.filter(({ state }) => state === "locked");
  const damaged = runs.filter(({ state }) => state === "damaged");
  const ended = runs.filter(({ state }) => state === "complete" || state === "unfinished");
  const unread = ended.filter(({ isScored }) => !isScored).length;
  const place = folders.join(" · ");
  return htmlPage({
    title: `Runs in ${place}`,
    generator: GENERATOR,
    style: REPORT_STYLE + VIEW_STYLE,
    script,
    isServed: true,
    body: markup`<a class="skip" href="#choice">Skip to the runs</a>
<header class="top"><h1>Runs in ${place}</h1><p id="facts">${factsOf({ going, ended, damaged, unread })}</p></header>
<main id="page" data-again="${going.length + unread > 0 ? SOON_MS : LATER_MS}">
<p id="lost" class="notice" role="alert" hidden>The server does not answer. Has <code>probe view</code> been stopped?</p>
<p id="said" class="unseen" role="status"></p>
<div id="problems">${problems.map(noticeOf)}</div>
<form id="choice" action="report" method="get">
${listOf("going", "Going on", going)}
${listOf("ended", going.length > 0 ? "Ended" : "Runs", ended)}
<p id="empty" class="lead"${ended.length + going.length > 0 && markup` hidden`}>No runs yet. <code>probe run --model tiny</code> makes one; it shows here by itself.</p>
<div class="chosen" role="group" aria-label="Chosen runs"><output id="count">Choose runs to see them side by side.</output>
${questionFields([...going, ...ended])}
<span><button type="button" id="none" hidden>Choose none</button> <button id="open">Open report</button></span></div>
</form>
${listOf("damaged", "Cannot be read", damaged)}
</main>`,
  });
}

/** A page that says why there is no other. */
export function problemPage(problem: string): Html {
  return htmlPage({
    title: "Runs",
    generator: GENERATOR,
    style: REPORT_STYLE + VIEW_STYLE,
    script: "",
    body: markup`<header class="top"><p><a href="./">All runs</a></p><h1>This cannot be shown</h1></header>
<main>${noticeOf(problem)}</main>`,
  });
}

/** A problem may have several lines. */
function noticeOf(problem: string): Markup {
  return markup`<p class="notice lines">${blockMarkup(problem)}</p>`;
}

interface Counts {
  readonly going: readonly ShownRun[];
  readonly ended: readonly ShownRun[];
  readonly damaged: readonly ShownRun[];
  readonly unread: number;
}

function factsOf({ going, ended, damaged, unread }: Counts): string {
  return [
    counted(going.length + ended.length + damaged.length, "runs"),
    ...(going.length > 0 ? [`${going.length} going on`] : []),
    ...(damaged.length > 0 ? [`${damaged.length} cannot be read`] : []),
    ...(unread > 0 ? [`reading the answers of ${unread}`] : []),
  ].join(" · ");
}

function listOf(id: string, title: string, runs: readonly ShownRun[]): Markup {
  const filter =
    id === "ended" &&
    markup`<label class="filter" id="filter-label" hidden>Filter <input type="search" id="filter" autocomplete="off" placeholder="model, suite, folder"></label>`;
  return markup`<section id="${id}" aria-labelledby="${id}-title"${runs.length === 0 && markup` hidden`}>
<h2 id="${id}-title">${title}</h2>${filter}<ul class="runs" id="${id}-runs">${runs.map(runItem)}</ul></section>`;
}

/** Fields that choose a question of the chosen runs to be opened. */
function questionFields(runs: readonly ShownRun[]): Markup {
  const forms = [...new Set(runs.flatMap((run) => run.forms.map(({ name }) => name)))];
  return markup`<details id="question"${forms.length === 0 && markup` hidden`}><summary>Open a question</summary><div>
<label>Probe <select name="form" id="form">${forms.map((form) => markup`<option>${form}</option>`)}</select></label>
<label>Example <input name="item" id="item" autocomplete="off" spellcheck="false" placeholder="its id"></label>
<button formaction="question" id="open-question">Open question</button></div></details>`;
}

/** A run as an item of a list. Its script tells one from the next by `id`. */
function runItem(run: ShownRun): Markup {
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
  const items = forms.map((form) => {
    const label = formLabel(form);
    const { judgement } = form;
    if (judgement === null)
      return markup`<li><span class="form">${label}</span> <span class="badge plain">${CONTROL}</span></li>`;
    const { text, tone } = STATE_WORDS[judgement.state];
    const { mark } = judgement;
    return markup`<li><span class="form">${label}</span> ${mark && markup`<span class="badge ${mark.tone}">${mark.text}</span> `}<b>${numberText(judgement.score, "fraction")}</b> <span class="badge ${tone}">${text}</span></li>`;
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

/** Style of the page of runs besides that of reports. */
const VIEW_STYLE = `
section > h2 { margin-bottom: 8px; }
.top { padding-bottom: 0; }
main > form > section:first-of-type { margin-top: 18px; }
ul.runs { margin: 0; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
ul.runs > li { display: flex; gap: 12px; padding: 10px 14px; min-width: 0; }
ul.runs > li + li { border-top: 1px solid var(--line); }
ul.runs > li:has(> :checked) { background: light-dark(#eef4fd, #1f2a3a); }
ul.runs > li:first-child { border-radius: 8px 8px 0 0; }
ul.runs > li:last-child { border-radius: 0 0 8px 8px; }
ul.runs input { flex: none; width: 18px; height: 18px; margin: 3px 0 0; accent-color: var(--blue); }
.what { flex: 1; min-width: 0; overflow-wrap: anywhere; }
.name { display: flex; flex-wrap: wrap; gap: 2px 12px; align-items: baseline; }
.name label { font-weight: 600; min-width: 0; cursor: pointer; }
.name a { margin-left: auto; }
.what .soft { font-size: 14px; }
.lines { white-space: pre-line; }
.problem { color: var(--red); font-size: 14px; }
ul.forms { display: flex; flex-wrap: wrap; gap: 4px 22px; margin: 5px 0 0; padding: 0; list-style: none; font-size: 14px; font-variant-numeric: tabular-nums; }
ul.forms .form { color: var(--soft); }
.badge.plain { background: var(--page); color: var(--soft); }
progress { display: block; width: 100%; height: 10px; margin: 8px 0 4px; border: 0; border-radius: 5px; overflow: hidden; appearance: none; background: var(--line); color: var(--blue); }
progress::-webkit-progress-bar { background: var(--line); }
progress::-webkit-progress-value { background: var(--blue); transition: inline-size .4s; }
progress::-moz-progress-bar { background: var(--blue); }
.far { font-size: 14px; font-variant-numeric: tabular-nums; }
button, select, input[type="search"], details input {
  padding: 5px 12px; border: 1px solid var(--line); border-radius: 6px; background: var(--card); color: inherit; font: inherit; min-width: 0;
}
button { cursor: pointer; }
button:hover:not(:disabled) { border-color: var(--blue); }
button:disabled { color: var(--soft); cursor: default; }
#open:not(:disabled) { border-color: var(--blue); background: var(--blue); color: light-dark(#ffffff, #14171c); font-weight: 600; }
.filter { display: block; margin-bottom: 8px; color: var(--soft); }
.filter input { width: min(320px, 100%); }
details { margin: 0; }
details > div { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; padding-top: 8px; }
details label { display: flex; gap: 8px; align-items: center; min-width: 0; }
details[open] { order: 1; flex: 1 0 100%; }
.chosen {
  position: sticky; bottom: 0; z-index: 4; display: flex; flex-wrap: wrap; gap: 8px 20px; align-items: center;
  margin-top: 18px; padding: 10px 14px; border: 1px solid var(--line); border-radius: 8px 8px 0 0; background: var(--card);
}
.chosen > span { margin-left: auto; }
@media (max-width: 640px) {
  ul.runs > li { padding: 10px; }
  .name a { margin-left: 0; }
  ul.forms { display: block; }
  ul.forms > li { display: grid; grid-template-columns: 5em 4.5em 1fr; gap: 6px; align-items: baseline; margin-top: 3px; }
  ul.forms b { white-space: nowrap; }
  ul.forms .badge { justify-self: start; }
  .chosen { padding: 8px 10px; }
}
@media (prefers-reduced-motion: reduce) { progress::-webkit-progress-value { transition: none; } }
`;
