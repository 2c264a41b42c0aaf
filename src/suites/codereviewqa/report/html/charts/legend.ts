import { dot } from "@observablehq/plot";
import { type Markup, markup } from "../markup.js";
import { smallMark } from "./figure.js";
import type { Series } from "./series.js";

/** Which colour and symbol stands for which model. */
export function legend(series: readonly Series[]): Markup {
  const entries = series.map(({ label, color, symbol, model }) => {
    const mark = smallMark({
      symbol: { type: "identity" },
      marks: [dot([0], { x: 0, y: 0, r: 4.5, fill: color, symbol: () => symbol })],
    });
    return markup`<li>${mark}${label}${label !== model.name && markup` <span class="soft">${model.name}</span>`}</li>`;
  });
  return markup`<ul class="key" aria-label="Models">${entries}</ul>`;
}
