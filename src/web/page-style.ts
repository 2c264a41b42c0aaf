/** Colours and the code font of all pages, for light and dark; no font or picture from anywhere. Inside a `:root` rule. */
export const PALETTE = `color-scheme: light dark;
  --page: light-dark(#f6f7f9, #14171c);
  --card: light-dark(#ffffff, #1c2027);
  --line: light-dark(#d5dae2, #343b47);
  --ink: light-dark(#1a1f27, #e4e8ee);
  --soft: light-dark(#566072, #a0aaba);
  --blue: light-dark(#1f5fbf, #86b4ff);
  --green: light-dark(#156b34, #74d196);
  --green-back: light-dark(#e5f5ea, #17301f);
  --green-mark: light-dark(#a9e2bb, #2d6640);
  --red: light-dark(#a8202c, #ff9a9a);
  --red-back: light-dark(#fdebec, #391c20);
  --red-mark: light-dark(#f6b9be, #7c333b);
  --amber: light-dark(#7a4d00, #f0c36a);
  --amber-back: light-dark(#fff1d1, #40310f);
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace;`;

/** The page's style: light and dark, screen and print. Colours as on the review page. */
export const REPORT_STYLE = `
:root {
  ${PALETTE}
  --right: light-dark(#1c7c43, #2f7f50);
  --wrong: light-dark(#b53540, #b9505a);
  --undecided: light-dark(#8a6100, #86631a);
  --on-mark: #ffffff;
  --c1: light-dark(#1f5fbf, #86b4ff);
  --c2: light-dark(#b3541e, #f2a06b);
  --c3: light-dark(#157a5c, #5fd0ad);
  --c4: light-dark(#8a3fa0, #d79be8);
  --c5: light-dark(#8a6d00, #e0c04f);
  --c6: light-dark(#b0305f, #f58fb4);
  --c7: light-dark(#3f6f7f, #93c5d6);
  --c8: light-dark(#5b5f66, #b8bec8);
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 56px; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
h1, h2, h3, p, dl, figure, table { margin: 0; }
h1 { font-size: 22px; line-height: 1.25; overflow-wrap: anywhere; }
h2 { font-size: 19px; line-height: 1.3; }
h3 { margin: 18px 0 6px; font-size: 15px; }
h3, details li { overflow-wrap: anywhere; }
a { color: var(--blue); }
:focus-visible { outline: 2px solid var(--blue); outline-offset: 1px; }
code, .mono { font-family: var(--mono); font-size: .92em; }
.soft { color: var(--soft); }
p.soft { margin-top: 6px; max-width: 110ch; font-size: 12.5px; overflow-wrap: anywhere; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 8px; top: 8px; z-index: 9; padding: 6px 12px; background: var(--card); }
.top { padding: 20px 20px 12px; max-width: 1240px; margin: 0 auto; }
.top p { color: var(--soft); overflow-wrap: anywhere; }
nav.contents {
  position: sticky; top: 0; z-index: 5; background: var(--card); border-block: 1px solid var(--line);
  overflow-x: auto; white-space: nowrap; scrollbar-width: thin;
}
nav.contents ul { display: flex; gap: 4px 18px; max-width: 1240px; margin: 0 auto; padding: 9px 20px; list-style: none; }
nav.contents a { text-decoration: none; }
nav.contents a:hover { text-decoration: underline; }
main { max-width: 1240px; margin: 0 auto; padding: 0 20px 60px; }
section { margin-top: 34px; }
section > h2 + p, .lead { margin: 4px 0 10px; color: var(--soft); max-width: 92ch; }
section > p, .lead { overflow-wrap: anywhere; }
.notice {
  margin-top: 10px; padding: 8px 12px; border-left: 4px solid var(--amber); border-radius: 4px;
  background: var(--amber-back); color: var(--amber); overflow-wrap: anywhere;
}
.cards { display: grid; gap: 10px; grid-template-columns: repeat(auto-fill, minmax(min(330px, 100%), 1fr)); margin-top: 12px; }
.card { padding: 12px 14px; border: 1px solid var(--line); border-left: 5px solid var(--line); border-radius: 8px; background: var(--card); }
.card.good { border-left-color: var(--right); }
.card.warning { border-left-color: var(--undecided); }
.card.bad { border-left-color: var(--wrong); }
.card h3 { margin: 0; display: flex; justify-content: space-between; gap: 10px; align-items: baseline; }
.card .big { font-size: 24px; font-weight: 600; font-variant-numeric: tabular-nums; line-height: 1.35; }
.card .big small { font-size: 14px; font-weight: 400; color: var(--soft); }
.card p { font-size: 14px; overflow-wrap: anywhere; }
.badge {
  flex: none; display: inline-block; padding: 1px 9px; border-radius: 10px; font-size: 13px; font-weight: 600;
  white-space: nowrap; background: var(--page); color: var(--soft);
}
.badge.good { background: var(--green-back); color: var(--green); }
.badge.bad { background: var(--red-back); color: var(--red); }
.badge.warning { background: var(--amber-back); color: var(--amber); }
section > h2 + .answer, .answer { margin-top: 8px; color: var(--ink); font-size: 17px; font-weight: 600; overflow-wrap: anywhere; }
.sides { display: grid; gap: 14px; grid-template-columns: repeat(auto-fit, minmax(min(440px, 100%), 1fr)); margin-top: 12px; align-items: start; }
.sides > .card { min-width: 0; }
.charts { display: grid; gap: 14px; grid-template-columns: repeat(auto-fill, minmax(min(330px, 100%), 1fr)); margin-top: 12px; align-items: start; }
figure.chart { padding: 10px 10px 8px; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
figure.chart svg { display: block; width: 100%; height: auto; max-width: 480px; margin: 0 auto; font: 12px system-ui, sans-serif; }
figure.chart svg text { white-space: pre; }
figcaption { margin-top: 4px; text-align: center; color: var(--soft); font-size: 13px; overflow-wrap: anywhere; }
.scroll + p { margin-top: 10px; }
.scroll { position: relative; overflow-x: auto; margin-top: 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: 14px; }
caption { padding: 8px 12px; text-align: left; font-weight: 600; }
caption span { position: sticky; left: 12px; display: inline-block; max-width: calc(100vw - 64px); }
caption small { font-weight: 400; color: var(--soft); }
th, td { padding: 5px 12px; text-align: right; border-top: 1px solid var(--line); white-space: nowrap; vertical-align: top; }
thead th { color: var(--soft); font-weight: 600; vertical-align: bottom; }
th:first-child, td.text, th.text { text-align: left; }
td.text { white-space: normal; overflow-wrap: anywhere; min-width: 130px; }
td.text .badge { white-space: normal; }
tbody th { font-weight: 600; white-space: normal; overflow-wrap: anywhere; min-width: 145px; }
tbody tr:hover { background: light-dark(#f2f5fa, #232833); }
td.best { font-weight: 700; }
td.best:not(.state) { color: var(--green); background: var(--green-back); }
td.best:not(.state)::after { content: "★"; font-size: 9px; vertical-align: 4px; }
td small { color: var(--soft); }
.compact td small { display: block; font-size: 11.5px; line-height: 1.2; }
td.state .sign { display: inline-block; width: 1.2em; text-align: center; }
td.state.good { background: var(--green-back); color: var(--green); }
td.state.warning { background: var(--amber-back); color: var(--amber); }
td.state.bad { background: var(--red-back); color: var(--red); }
td.state small { color: inherit; }
.references :is(th, td) { color: var(--soft); font-weight: 400; }
.references tr:first-child :is(th, td) { border-top: 2px solid var(--line); }
th button {
  padding: 0; border: 0; background: none; color: inherit; font: inherit; cursor: pointer; text-align: inherit;
}
th button::after { content: "↕"; margin-left: 2px; font-size: 11px; opacity: .6; }
th[aria-sort="ascending"] button::after { content: "↑"; opacity: 1; }
th[aria-sort="descending"] button::after { content: "↓"; opacity: 1; }
.board table { font-size: 13px; }
.board :is(th, td) { padding: 5px 6px; }
.board tbody th { min-width: 130px; }
.scroll tbody th { position: sticky; left: 0; z-index: 1; background: var(--card); }
.scroll tbody tr:hover th { background: light-dark(#f2f5fa, #232833); }
svg.mark { width: 16px; height: 16px; margin-right: 4px; vertical-align: -3px; }
pre {
  margin: 10px 0 0; padding: 10px 12px; max-height: 560px; overflow: auto; border: 1px solid var(--line); border-radius: 8px;
  background: var(--card); font-size: 13px; line-height: 1.45;
}
.patch code { display: inline-block; min-width: 100%; }
.patch span { display: block; min-height: 1.45em; }
.patch .added { background: var(--green-back); color: var(--green); }
.patch .removed { background: var(--red-back); color: var(--red); }
.patch .place { color: var(--soft); }
details { margin-top: 12px; }
summary { cursor: pointer; color: var(--blue); }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 2px 16px; font-size: 14px; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; overflow-wrap: anywhere; }
.key { display: flex; flex-wrap: wrap; gap: 4px 18px; margin-top: 8px; font-size: 14px; padding: 0; list-style: none; }
.key i { display: inline-block; width: 12px; height: 12px; margin-right: 6px; border-radius: 3px; vertical-align: -1px; }
.key .right, .cells .right { background: var(--right); }
.key .wrong, .cells .wrong { background: var(--wrong); }
.key .undecided, .cells :is(.undecided, .failed) { background: var(--undecided); }
.key .score { border-radius: 50%; background: var(--ink); }
.key .mean { border: 2px solid var(--ink); border-radius: 50%; }
.key .floor { width: 3px; height: 14px; border-radius: 0; background: var(--amber); }
@media (max-width: 640px) {
  .top { padding: 14px 12px 10px; }
  main { padding: 0 12px 40px; }
  nav.contents ul { padding: 9px 12px; }
  th, td { padding: 5px 8px; }
  tbody th { min-width: 158px; }
  .board tbody th { min-width: 124px; }
  .as-cards thead { display: none; }
  .as-cards :is(tbody, caption) { display: block; }
  .as-cards tr { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); border-top: 2px solid var(--line); }
  .as-cards tbody th { grid-column: 1 / -1; padding-bottom: 0; border: 0; position: static; }
  .as-cards td:empty { display: none; }
  .as-cards td.text { grid-column: span 2; min-width: 0; }
  .as-cards tr td { border: 0 !important; text-align: left; white-space: normal; overflow-wrap: anywhere; }
  .as-cards td::before { content: attr(data-label); display: block; font-size: 12px; font-weight: 400; color: var(--soft); }
  .facts { grid-template-columns: minmax(0, 1fr); }
  .facts dd { margin-bottom: 5px; }
}
@media print {
  :root { color-scheme: light; --page: #fff; }
  nav.contents, #questions, .skip, th button::after { display: none !important; }
  body { font-size: 11pt; }
  main, .top { max-width: none; padding: 0; }
  section, figure, .card, tr { break-inside: avoid; }
  section { margin-top: 20px; }
  h2, h3, caption { break-after: avoid; }
  .scroll { overflow: visible; border: 0; }
  table, .board table { font-size: 7.5pt; }
  .compact td small { font-size: 6.5pt; }
  th, td, .board :is(th, td) { padding: 2px 4px; white-space: normal; }
  tbody th, .board tbody th { min-width: 0; }
  details::details-content { content-visibility: visible; block-size: auto; }
  .charts { grid-template-columns: repeat(2, 1fr); }
}
`;

/** Colours of keywords, strings, numbers, comments and types in code. */
export const CODE_COLOURS = `.k { color: light-dark(#8a3fa0, #d79be8); }
.s { color: light-dark(#8f4a00, #f2b27a); }
.n { color: light-dark(#1f5fbf, #86b4ff); }
.c { color: light-dark(#566072, #a0aaba); font-style: italic; }
.t { color: light-dark(#0f6a5c, #5fd0c0); }`;
