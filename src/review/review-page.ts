import { CODE_COLOURS, PALETTE } from "../web/page-style.js";
import { MAX_NOTE_CHARACTERS } from "./decision.js";

/**
 * The page. It holds nothing of the data: its script fetches that and sets it as text.
 * @param nonce lets this style and this script through the content security policy, and no other
 */
export function pageDocument(nonce: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Review</title>
<style nonce="${nonce}">${PAGE_STYLE}</style>
<script type="module" nonce="${nonce}" src="page/review-app.js"></script>
</head>
<body>
<header>
  <div class="bar">
    <p class="what"><strong id="file"></strong> <span>reviewed by <span id="annotator"></span></span></p>
    <nav aria-label="Examples">
      <button id="previous" title="previous example"><kbd>←</kbd><span class="wide">Previous</span></button>
      <output id="position"></output>
      <button id="next" title="next example"><span class="wide">Next</span><kbd>→</kbd></button>
      <button id="undecided" title="first undecided example"><kbd>u</kbd><span class="wide">First undecided</span></button>
      <button id="open-help" title="keys and reasons"><kbd>?</kbd><span class="wide">Help</span></button>
    </nav>
    <p class="counts"><b class="kept" id="kept-count">0</b> kept <b class="dropped" id="dropped-count">0</b> dropped
      <b id="left-count">0</b> left</p>
  </div>
  <div class="progress" aria-hidden="true"><i id="kept-bar"></i><i id="dropped-bar"></i></div>
</header>
<div id="alert" role="alert" hidden>
  <div><strong id="alert-title"></strong><p id="alert-text"></p></div>
  <button id="retry"><kbd>r</kbd>Try again</button>
</div>
<main>
  <article id="example" aria-label="Example"><noscript>This page needs JavaScript.</noscript></article>
  <aside aria-label="Decision">
    <h2>Decision <span id="verdict" class="verdict undecided">undecided</span></h2>
    <button id="keep" class="choice keep" data-choice="keep"><kbd>k</kbd>
      <span class="words"><strong>keep</strong><small>a clear request that the revision carries out</small></span></button>
    <h3>Drop, because …</h3>
    <div id="reasons"></div>
    <label for="note">Note <kbd>n</kbd></label>
    <textarea id="note" rows="3" maxlength="${MAX_NOTE_CHARACTERS}"></textarea>
    <div class="under"><small>Saved with the decision, or by Enter.</small><button id="save-note">Save note</button></div>
    <p id="status" role="status"></p>
  </aside>
</main>
<dialog id="help" aria-labelledby="help-title">
  <h2 id="help-title">Keys</h2>
  <dl class="keys">
    <div><dt><kbd>k</kbd></dt><dd>keep, and go on to the next undecided example</dd></div>
    <div><dt><kbd>1</kbd> to <kbd>7</kbd></dt><dd>drop for that reason, and go on likewise</dd></div>
    <div><dt><kbd>n</kbd></dt><dd>write a note; <kbd>Enter</kbd> saves it, <kbd>Esc</kbd> leaves the field</dd></div>
    <div><dt><kbd>j</kbd> or <kbd>→</kbd></dt><dd>next example</dd></div>
    <div><dt><kbd>h</kbd> or <kbd>←</kbd></dt><dd>previous example</dd></div>
    <div><dt><kbd>u</kbd></dt><dd>first undecided example</dd></div>
    <div><dt><kbd>r</kbd></dt><dd>try again what could not be saved</dd></div>
    <div><dt><kbd>?</kbd></dt><dd>this help; <kbd>Esc</kbd> closes it</dd></div>
  </dl>
  <p>Every decision is on disk before the next example appears, in <code id="saved-to"></code>. A decision can be
    changed at any time: the last one counts. Ctrl-C in the terminal ends the review, and the same command goes on with
    it.</p>
  <p>The buttons under a question drop that question alone, and take it back when pressed again: the example stays.</p>
  <p>Keep what asks clearly for a meaningful change that the revision carries out. Reasons 1 to 4 are noise (Appendix A
    of the CodeReviewQA paper), 5 to 7 are reviews unfit for the task (Appendix B).</p>
  <button id="close-help">Close</button>
</dialog>
</body>
</html>
`;
}

/** The page's style: light and dark, no font or picture from anywhere. */
const PAGE_STYLE = `
:root {
  ${PALETTE}
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
h2, h3 { margin: 0 0 8px; font-size: 13px; letter-spacing: .02em; color: var(--soft); font-weight: 600; }
p { margin: 0; }
button {
  display: inline-flex; align-items: center; gap: 7px; padding: 4px 10px; border: 1px solid var(--line);
  border-radius: 6px; background: var(--card); color: inherit; font: inherit; cursor: pointer;
}
button:hover { border-color: var(--blue); }
:focus-visible { outline: 2px solid var(--blue); outline-offset: 1px; }
kbd {
  min-width: 20px; padding: 0 5px; border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px;
  background: var(--page); color: var(--soft); font: 12px/18px var(--mono); text-align: center;
}
header { position: sticky; top: 0; z-index: 2; background: var(--card); border-bottom: 1px solid var(--line); }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 20px; padding: 9px 20px; }
.what { min-width: 0; overflow-wrap: anywhere; flex: 1 1 220px; }
.what > span { color: var(--soft); }
nav { display: flex; align-items: center; gap: 8px; }
#position { min-width: 84px; text-align: center; font-variant-numeric: tabular-nums; font-weight: 600; }
.counts { color: var(--soft); font-variant-numeric: tabular-nums; white-space: nowrap; }
.counts b { color: var(--ink); margin-left: 8px; }
.counts .kept { color: var(--green); }
.counts .dropped { color: var(--red); }
.progress { display: flex; height: 3px; background: var(--line); }
.progress i { background: var(--green); }
.progress i + i { background: var(--red); }
#alert {
  position: sticky; top: 0; z-index: 3; display: flex; gap: 16px; align-items: center; justify-content: space-between;
  padding: 12px 20px; background: light-dark(#a8202c, #8f1d28); color: #fff; overflow-wrap: anywhere;
}
#alert strong { font-size: 17px; }
#alert button { color: var(--ink); flex: none; }
main {
  display: grid; grid-template-columns: minmax(0, 1fr) 330px; gap: 20px; max-width: 1500px; margin: 0 auto;
  padding: 18px 20px 60px;
}
section { margin-top: 20px; }
.facts { display: flex; flex-wrap: wrap; gap: 2px 22px; margin: 0; font-size: 14px; }
.facts div { display: flex; gap: 6px; min-width: 0; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; overflow-wrap: anywhere; }
.earlier { margin-top: 10px; padding: 7px 12px; border-left: 4px solid var(--green); background: var(--card); }
.earlier.drop { border-color: var(--red); }
.comment {
  margin: 0; padding: 12px 16px; border: 1px solid var(--line); border-left: 4px solid var(--blue);
  border-radius: 6px; background: var(--card); font-size: 16px; white-space: pre-wrap; overflow-wrap: anywhere;
  unicode-bidi: isolate;
}
.notice { padding: 8px 12px; margin-bottom: 8px; border-radius: 6px; background: var(--amber-back); color: var(--amber); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.diff {
  width: 100%; border: 1px solid var(--line); border-radius: 6px; background: var(--card); border-spacing: 0;
  font: 13px/1.55 var(--mono); overflow: hidden; tab-size: 4;
}
.diff td { padding: 0; vertical-align: top; }
.diff .number {
  width: 1%; min-width: 38px; padding: 0 8px; color: var(--soft); text-align: right; user-select: none;
  border-right: 1px solid var(--line); font-variant-numeric: tabular-nums;
}
.diff .sign { width: 1%; padding: 0 8px 0 10px; user-select: none; font-weight: 700; white-space: pre; }
.diff .code { padding-right: 12px; white-space: pre-wrap; overflow-wrap: anywhere; }
code { font-family: var(--mono); direction: ltr; unicode-bidi: isolate; }
.origin { margin: 6px 0; color: var(--soft); font-size: 13px; overflow-wrap: anywhere; }
.options small { margin-left: auto; text-align: right; overflow-wrap: anywhere; }
.deleted { background: var(--red-back); }
.deleted .sign { color: var(--red); }
.added { background: var(--green-back); }
.added .sign { color: var(--green); }
${CODE_COLOURS}
.emphasised { border-radius: 3px; }
.deleted .emphasised { background: var(--red-mark); }
.added .emphasised { background: var(--green-mark); }
.tab { position: relative; }
:is(.deleted, .added) .tab::before { content: "→"; position: absolute; left: 0; color: var(--soft); opacity: .45; }
.trailing { background: repeating-linear-gradient(90deg, var(--amber-back) 0 5px, var(--amber) 5px 7px); opacity: .8; }
.hidden {
  padding: 0 4px; margin: 0 1px; border: 1px solid currentColor; border-radius: 4px; background: var(--amber-back);
  color: var(--amber); font: 11px/1.3 var(--mono); unicode-bidi: isolate;
}
.question { margin-top: 12px; }
.question h3 { margin-bottom: 5px; font-weight: 400; }
abbr { font-weight: 700; color: var(--ink); }
.options { margin: 0; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: 6px; background: var(--card); }
.options li { display: flex; gap: 12px; padding: 6px 12px; }
.options li + li { border-top: 1px solid var(--line); }
.options code { min-width: 0; font-size: 13px; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; }
.options .right { background: var(--green-back); }
.options .emphasised { background: var(--amber-back); outline: 1px solid var(--amber); }
.drop-question { display: flex; flex-wrap: wrap; align-items: center; gap: 6px; margin: 6px 0 0; color: var(--soft); font-size: 13px; }
.drop-question [aria-pressed="true"] { border-color: var(--red); background: var(--red-back); }
.badge { flex: none; width: 72px; color: var(--soft); font-size: 13px; }
.right .badge { color: var(--green); font-weight: 700; }
.right .badge::before { content: "✓ "; }
.problems { margin: 0; padding-left: 20px; overflow-wrap: anywhere; }
aside {
  position: sticky; top: 66px; align-self: start; max-height: calc(100vh - 78px); overflow-y: auto; padding: 14px;
  border: 1px solid var(--line); border-radius: 8px; background: var(--card);
}
aside h2 { display: flex; justify-content: space-between; }
aside h3 { margin-top: 12px; }
.verdict { padding: 0 9px; border-radius: 10px; background: var(--page); letter-spacing: 0; }
.verdict.kept { background: var(--green-back); color: var(--green); }
.verdict.dropped { background: var(--red-back); color: var(--red); }
.choice { width: 100%; margin-bottom: 4px; padding: 5px 9px; gap: 10px; text-align: left; }
.words { display: flex; flex-direction: column; line-height: 1.25; }
.words strong { font-weight: 600; }
small { color: var(--soft); font-size: 13px; }
.choice[aria-pressed="true"] { border-width: 2px; padding: 4px 8px; }
.keep[aria-pressed="true"] { border-color: var(--green); background: var(--green-back); }
.drop[aria-pressed="true"] { border-color: var(--red); background: var(--red-back); }
label { display: block; margin: 10px 0 4px; color: var(--soft); font-size: 13px; font-weight: 600; }
textarea {
  display: block; width: 100%; padding: 7px 9px; border: 1px solid var(--line); border-radius: 6px;
  background: var(--page); color: inherit; font: inherit; resize: vertical;
}
.under { display: flex; justify-content: space-between; align-items: center; gap: 8px; margin-top: 5px; }
.under button { flex: none; }
#status { min-height: 44px; margin-top: 8px; color: var(--soft); font-size: 13px; overflow-wrap: anywhere; }
dialog {
  max-width: 620px; padding: 22px 26px; border: 1px solid var(--line); border-radius: 10px; background: var(--card);
  color: inherit;
}
dialog::backdrop { background: rgb(0 0 0 / .45); }
dialog p { margin-bottom: 12px; overflow-wrap: anywhere; }
.keys div { display: flex; gap: 14px; padding: 3px 0; }
.keys dt { flex: none; width: 88px; }
.keys dd { margin: 0; }
@media (max-width: 900px) {
  main { grid-template-columns: minmax(0, 1fr); padding: 12px 12px 40px; }
  .bar { padding: 8px 12px; }
  .wide { display: none; }
  nav { gap: 5px; }
  #position { min-width: 72px; }
  .counts b:first-child { margin-left: 0; }
  aside { position: static; max-height: none; }
  .diff .number { min-width: 26px; padding: 0 4px; }
}
`;
