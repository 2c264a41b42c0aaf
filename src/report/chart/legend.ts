import { dot } from "@observablehq/plot";
import { type Markup, markup } from "../../web/markup.js";
import type { LegendBlock, LegendEntry } from "../block.js";
import { smallMark } from "./figure.js";

/** What colours and signs stand for. */
export function legendMarkup({ entries }: LegendBlock): Markup {
  return markup`<ul class="key">${entries.map(entryMarkup)}</ul>`;
}

function entryMarkup(entry: LegendEntry): Markup {
  if (entry.mark !== "series") return markup`<li><i class="${entry.mark}"></i>${entry.label}</li>`;
  const { series, label, name } = entry;
  const mark = smallMark({
    symbol: { type: "identity" },
    marks: [dot([0], { x: 0, y: 0, r: 4.5, fill: series.color, symbol: () => series.symbol })],
  });
  return markup`<li>${mark}${label}${label !== name && markup` <span class="soft">${name}</span>`}</li>`;
}
