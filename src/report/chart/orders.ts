import { cell, text } from "@observablehq/plot";
import type { Markup } from "../../web/markup.js";
import type { MappedOrder } from "../block.js";
import { figure } from "./figure.js";

const COLORS: Readonly<Record<MappedOrder["state"], string>> = {
  right: "var(--right)",
  wrong: "var(--wrong)",
  undecided: "var(--undecided)",
  failed: "var(--undecided)",
  "not asked": "var(--line)",
};

/** All orders of one question: a row a letter at which the right option stands. */
export function permutationMap(title: string, orders: readonly MappedOrder[]): Markup {
  const letters = [...new Set(orders.map(({ letter }) => letter))].sort();
  const counts = new Map<string, number>();
  for (const { state } of orders) counts.set(state, (counts.get(state) ?? 0) + 1);
  const description = [...counts].map(([state, n]) => `${n} of ${orders.length} orders ${state}`).join("; ");
  return figure(
    { title, description },
    {
      height: 26 + letters.length * 32,
      marginLeft: 26,
      marginRight: 6,
      marginTop: 4,
      marginBottom: 6,
      x: { domain: [...new Set(orders.map(({ place }) => place))], axis: null, padding: 0.06 },
      y: { domain: letters, label: null, tickSize: 0, padding: 0.08 },
      color: { type: "identity" },
      marks: [
        cell(orders, {
          x: "place",
          y: "letter",
          fill: ({ state }: MappedOrder) => COLORS[state],
          rx: 4,
          title: ({ name, state }: MappedOrder) => `${name}: ${state}`,
        }),
        text(orders, { x: "place", y: "letter", text: "sign", fill: "var(--on-mark)", fontWeight: 700 }),
      ],
    },
  );
}
