import { barX, ruleX, text } from "@observablehq/plot";
import type { Markup } from "../../web/markup.js";
import type { LetterShare } from "../block.js";
import { figure } from "./figure.js";
import { percentOf, percentTick } from "./intervals.js";

const BAR = 15;

/** Shares by letter, a block a model; the line is where each would be without bias. */
export function letterChart(title: string, shares: readonly LetterShare[], even: number | null): Markup {
  const blocks = [...new Set(shares.map(({ series }) => series.label))];
  const letters = [...new Set(shares.map(({ letter }) => letter))];
  const isSingle = blocks.length === 1;
  const marks = shares.filter(({ share }) => share !== null);
  const place = { y: "letter", fy: ({ series }: LetterShare) => series.label } as const;
  const description = marks
    .map(({ series, letter, share }) => `${series.label} ${letter}: ${percentOf(share)}`)
    .join("; ");
  return figure(
    { title, description },
    {
      height: 34 + blocks.length * (letters.length * BAR + 10),
      marginLeft: isSingle ? 22 : 136,
      marginRight: 64,
      marginTop: 4,
      marginBottom: 28,
      x: { domain: [0, 1], ticks: [0, 0.5, 1], tickFormat: percentTick, label: null },
      y: { domain: letters, label: null, tickSize: 0, padding: 0.15 },
      fy: { domain: blocks, axis: null, padding: 0.12 },
      color: { type: "identity" },
      marks: [
        barX(marks, {
          ...place,
          x: "share",
          fill: ({ series }) => series.color,
          title: (d: LetterShare) => `${d.letter}: ${percentOf(d.share)}`,
        }),
        text(marks, {
          ...place,
          frameAnchor: "right",
          dx: 60,
          textAnchor: "end",
          text: ({ share }: LetterShare) => percentOf(share),
        }),
        ...(isSingle
          ? []
          : [
              text(blocks, {
                fy: (block: string) => block,
                text: (block: string) => block,
                frameAnchor: "left",
                dx: -24,
                textAnchor: "end",
              }),
            ]),
        ruleX([0], { stroke: "var(--soft)" }),
        ...(even === null ? [] : [ruleX([even], { stroke: "var(--ink)", strokeDasharray: "3 3" })]),
      ],
    },
  );
}
