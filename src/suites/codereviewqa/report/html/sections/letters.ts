import { countBy } from "../../../../../base/grouping.js";
import { type OptionIndex, symbolsFor } from "../../../../../base/symbol.js";
import { formName } from "../../../../../question/form.js";
import { permutationsOf } from "../../../../../question/permutations.js";
import type { Block, ChartBlock, GroupBlock, LetterShare } from "../../../../../report/block.js";
import { lead } from "../../../../../report/make-block.js";
import { proportion } from "../../../../../stats/interval.js";
import { type AskedQuestion, OUTCOME } from "../../data/asked-question.js";
import type { ReportForm } from "../../data/probe-forms.js";
import type { ReportModel } from "../../data/report-data.js";
import type { Series } from "../../data/series.js";
import { optionCountOf } from "../option-count.js";
import type { PageParts } from "../page-parts.js";

const RIGHT_OPTION = 0 as OptionIndex;

/** Which letters are chosen, and whether the right option is found wherever it stands. */
export function letterBlocks({ data, series }: PageParts): Block[] {
  const forms = data.forms.filter((form) => optionCountOf(form) > 0);
  if (forms.length === 0) return [];
  const charts = (title: string, share: typeof chosenShares, isEven: boolean): GroupBlock => {
    const blocks = forms.map((form): ChartBlock => {
      const count = optionCountOf(form);
      const shares = series.flatMap((one) => share(one, questionsOf(one.model, form), count));
      const chart = { type: "letters", shares, even: isEven ? 1 / count : null } as const;
      return { kind: "chart", title: `${form.name}: ${title}`, chart };
    });
    return { kind: "group", layout: "charts", blocks };
  };
  return [
    lead(
      "Over all orders every option stands at every letter equally often: a model that reads the options chooses each " +
        "letter equally often (the dashed line), whatever it knows.",
    ),
    charts("letters chosen", chosenShares, true),
    lead("Right answers by the letter at which the right option stands. Level bars: the place does not matter."),
    charts("orders answered right", rightShares, false),
  ];
}

export function questionsOf({ questions }: ReportModel, form: ReportForm): AskedQuestion[] {
  return questions.filter(({ score }) => formName(score) === form.name);
}

function chosenShares(series: Series, questions: readonly AskedQuestion[], optionCount: number): LetterShare[] {
  const counts = countBy(outcomesOf(questions));
  const letters = symbolsFor(optionCount);
  const n = letters.reduce((sum, _, i) => sum + (counts.get(i) ?? 0), 0);
  return letters.map((letter, i) => ({ series, letter, share: proportion(counts.get(i) ?? 0, n)?.value ?? null }));
}

function* outcomesOf(questions: readonly AskedQuestion[]): Generator<number> {
  for (const { outcomes } of questions) yield* outcomes;
}

/** Shares of the orders that were asked and did not fail; an undecided one is not right. */
function rightShares(series: Series, questions: readonly AskedQuestion[], optionCount: number): LetterShare[] {
  const positions = permutationsOf(optionCount).map((order) => order.indexOf(RIGHT_OPTION));
  const letters = symbolsFor(optionCount);
  const right = letters.map(() => 0);
  const answered = letters.map(() => 0);
  for (const { outcomes } of questions) {
    outcomes.forEach((outcome, i) => {
      const position = positions[i] ?? 0;
      if (outcome === OUTCOME.failed || outcome === OUTCOME.notAsked) return;
      answered[position] = (answered[position] ?? 0) + 1;
      if (outcome === position) right[position] = (right[position] ?? 0) + 1;
    });
  }
  return letters.map((letter, i) => ({
    series,
    letter,
    share: proportion(right[i] ?? 0, answered[i] ?? 0)?.value ?? null,
  }));
}
