import { quantile } from "simple-statistics";
import type { Block, ChartBlock, MarginSet } from "../../../../../report/block.js";
import { lead } from "../../../../../report/make-block.js";
import { permutationsOf } from "../../../question/permutations.js";
import type { AskedQuestion } from "../../data/asked-question.js";
import type { PageParts } from "../page-parts.js";
import { questionsOf } from "./letters.js";

/** How sure the model is, where it is right and where it is wrong; nothing without log probabilities. */
export function marginBlocks({ data, series }: PageParts): Block[] {
  const charts = data.forms.flatMap((form) => {
    const sets = series.map((one) => ({ one, set: marginSet(questionsOf(one.model, form)) }));
    const all = sets.flatMap(({ set }) => [...set.right, ...set.wrong]);
    if (all.length === 0) return [];
    // The few above are drawn in the last bar, so that they do not flatten the rest.
    const end = niceEnd(quantile(all, 0.99));
    return sets.flatMap(({ one, set }): ChartBlock[] => {
      if (set.right.length + set.wrong.length === 0) return [];
      const title = series.length > 1 ? `${form.name}: ${one.label}` : form.name;
      return [{ kind: "chart", title, chart: { type: "margins", ...set, end } }];
    });
  });
  if (charts.length === 0) return [];
  return [
    lead(
      "By how much the chosen letter leads the second, in nats, over all answers: 0.7 is twice as probable, 2.3 ten " +
        "times. Wrong answers with large margins are not slips. The last bar holds all that is above.",
    ),
    {
      kind: "legend",
      entries: [
        { mark: "right", label: "right" },
        { mark: "wrong", label: "wrong" },
      ],
    },
    { kind: "group", layout: "charts", blocks: charts },
  ];
}

function marginSet(questions: readonly AskedQuestion[]): MarginSet {
  const right: number[] = [];
  const wrong: number[] = [];
  for (const { margins, outcomes, optionCount } of questions) {
    const orders = permutationsOf(optionCount);
    margins.forEach((margin, i) => {
      if (Number.isNaN(margin)) return;
      const isRight = orders[i]?.[outcomes[i] ?? optionCount] === 0;
      (isRight ? right : wrong).push(margin);
    });
  }
  return { right: Float64Array.from(right), wrong: Float64Array.from(wrong) };
}

/** A round number that is not below. */
function niceEnd(value: number): number {
  if (value <= 0) return 1;
  const unit = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 5, 10].find((factor) => factor * unit >= value) ?? 10) * unit;
}
