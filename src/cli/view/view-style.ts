/** What the page of runs has besides the style of reports. */
export const VIEW_STYLE = `
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
  ul.forms > li { display: grid; grid-template-columns: 5em 4em 1fr; gap: 6px; align-items: baseline; margin-top: 3px; }
  ul.forms .badge { justify-self: start; }
  .chosen { padding: 8px 10px; }
}
@media (prefers-reduced-motion: reduce) { progress::-webkit-progress-value { transition: none; } }
`;
