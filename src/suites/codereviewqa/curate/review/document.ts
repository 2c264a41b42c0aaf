import { MAX_NOTE_CHARACTERS } from "./decision.js";
import { PAGE_STYLE } from "./page-style.js";

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
<script type="module" nonce="${nonce}" src="page/app.js"></script>
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
