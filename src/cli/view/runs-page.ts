import { counted } from "../../base/counted.js";
import { type Html, htmlPage } from "../../web/html-page.js";
import { blockMarkup, type Markup, markup } from "../../web/markup.js";
import { REPORT_STYLE } from "../../web/report-style.js";
import { runItem } from "./run-item.js";
import { VIEW_STYLE } from "./view-style.js";
import type { Look, ShownRun } from "./watched-runs.js";

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

/** Which question of the chosen runs is to be opened. */
function questionFields(runs: readonly ShownRun[]): Markup {
  const forms = [...new Set(runs.flatMap((run) => run.forms.map(({ name }) => name)))];
  return markup`<details id="question"${forms.length === 0 && markup` hidden`}><summary>Open a question</summary><div>
<label>Probe <select name="form" id="form">${forms.map((form) => markup`<option>${form}</option>`)}</select></label>
<label>Example <input name="item" id="item" autocomplete="off" spellcheck="false" placeholder="its id"></label>
<button formaction="question" id="open-question">Open question</button></div></details>`;
}
