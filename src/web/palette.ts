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
