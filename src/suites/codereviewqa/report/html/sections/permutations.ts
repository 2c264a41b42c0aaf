import { symbolsFor } from "../../../../../base/symbol.js";
import type { ChartBlock, MappedOrder } from "../../../../../report/block.js";
import { lead } from "../../../../../report/make-block.js";
import type { BlockSection } from "../../../../../report/page-section.js";
import { orderName, permutationsOf } from "../../../question/permutations.js";
import { type AskedQuestion, OUTCOME } from "../../data/asked-question.js";
import type { ReportModel } from "../../data/report-data.js";
import type { PageParts } from "../page-parts.js";
import { questionsOf, RIGHT_OPTION } from "./letters.js";

/** The permutation map of one question a form; that of any other is in the question browser. */
export function permutationSection({ data, series }: PageParts): BlockSection | null {
  const maps = data.forms.flatMap((form) => {
    if (form.probe.kind !== "choice") return [];
    const sample = sampleQuestion(data.models, (model) => questionsOf(model, form));
    if (sample === null) return [];
    return series.flatMap(({ model, label }): ChartBlock[] => {
      const question = questionsOf(model, form).find(({ score }) => score.exampleId === sample);
      const name = `${form.name}, example ${sample}${series.length > 1 ? `: ${label}` : ""}`;
      if (question === undefined) return [];
      return [{ kind: "chart", title: name, chart: { type: "orders", orders: mappedOrders(question) } }];
    });
  });
  if (maps.length === 0) return null;
  return {
    id: "permutations",
    title: "Permutation maps",
    blocks: [
      lead(
        "All orders of the options of one question: a row a letter at which the right option stands, a cell an order, in " +
          "it the letter that was chosen. A row that is right throughout, beside others that are not, is a letter the " +
          "model prefers. These questions are examples, the first of each probe that was answered both right and wrong; " +
          "the question browser has every one.",
      ),
      {
        kind: "legend",
        entries: [
          { mark: "right", label: "right" },
          { mark: "wrong", label: "wrong" },
          { mark: "undecided", label: "undecided (?) or failed (!)" },
        ],
      },
      { kind: "group", layout: "charts", blocks: maps },
    ],
  };
}

/** The first question that some orders got right and some wrong; else the first. */
function sampleQuestion(
  models: readonly ReportModel[],
  questionsIn: (model: ReportModel) => readonly AskedQuestion[],
): string | null {
  const questions = models.flatMap(questionsIn);
  const mixed = questions.find(({ score }) => score.correctPermutations > 0 && !score.invariantCorrect && !score.lost);
  return (mixed ?? questions[0])?.score.exampleId ?? null;
}

const SIGNS: Readonly<Record<number, string>> = { [OUTCOME.failed]: "!", [OUTCOME.notAsked]: "·" };

function mappedOrders({ optionCount, outcomes }: AskedQuestion): MappedOrder[] {
  const letters = symbolsFor(optionCount);
  const filled = letters.map(() => 0);
  return permutationsOf(optionCount).map((order, i): MappedOrder => {
    const position = order.indexOf(RIGHT_OPTION);
    const place = filled[position] ?? 0;
    filled[position] = place + 1;
    const outcome = outcomes[i] ?? OUTCOME.notAsked;
    return {
      letter: letters[position] ?? "",
      place,
      name: orderName(order),
      sign: outcome === position ? `${letters[outcome] ?? ""} ✓` : (letters[outcome] ?? SIGNS[outcome] ?? "?"),
      state: stateOf(outcome, position),
    };
  });
}

function stateOf(outcome: number, position: number): MappedOrder["state"] {
  if (outcome === OUTCOME.failed) return "failed";
  if (outcome === OUTCOME.notAsked) return "not asked";
  if (outcome === OUTCOME.tie || outcome === OUTCOME.unknownSymbol) return "undecided";
  return outcome === position ? "right" : "wrong";
}
