import type { Block, Cell, Inline } from "../../../../../report/block.js";
import { type ColumnOf, intervalOf, lead, notice, tableOf, textCell } from "../../../../../report/make-block.js";
import type { BlockSection } from "../../../../../report/page-section.js";
import { STATE_WORDS } from "../../../../../report/state-words.js";
import type { JudgementState } from "../../../../../verdict/verdict.js";
import { isStoppedEarly } from "../../../ask/score-question.js";
import type { FormMetrics, ReportForm } from "../../data/probe-forms.js";
import type { ReportModel } from "../../data/report-data.js";
import { floorOf, gainBlocks } from "../../scores.js";
import { gainTexts, judgementOf } from "../../verdict.js";
import type { PageParts } from "../page-parts.js";

/** May the answers be interpreted at all? The first thing a reader must know. */
export function verdictSection({ data }: PageParts): BlockSection {
  const { models, forms } = data;
  const [only] = models;
  const blocks: Block[] =
    models.length === 1 && only !== undefined
      ? [
          ...answer(only, forms),
          ...notices(only),
          { kind: "group", layout: "cards", blocks: forms.flatMap((form) => formCard(only, form)) },
        ]
      : [...models.flatMap(notices), verdictTable(models, forms), ...differences(data.differences)];
  return {
    id: "verdict",
    title: "Do the scores show comprehension?",
    blocks: [
      lead(
        "Only a score above its floor does: it must beat the best rule that answers the same questions without " +
          "comprehension (p < 0.01), from a model whose choices agree over all orders of the options more than guessing " +
          "explains (paper §5.2).",
      ),
      ...blocks,
      ...gainBlocks(models.flatMap((model) => gainItems(model, forms, models.length > 1))),
    ],
  };
}

function differences(names: readonly string[]): Block[] {
  if (names.length === 0) return [];
  return [
    notice(
      "warning",
      `The runs were not asked alike: they differ in ${names.join(", ")}. Compare their scores with care; probe compare ` +
        "says what can be paired.",
    ),
  ];
}

/** What is said of the forms in each state, in the order in which it is said. */
const SENTENCES: readonly (readonly [JudgementState, (forms: string) => string])[] = [
  ["above_floor", (forms) => `Above the floor on ${forms}.`],
  ["at_floor", (forms) => `At the floor on ${forms}: a rule that understands nothing gets as much.`],
  ["barely", (forms) => `Barely readable on ${forms}.`],
  ["unreadable", (forms) => `Unreadable on ${forms}: there the model does not bind letters to options.`],
  ["unknown", (forms) => `Unknown on ${forms}.`],
];

/** The verdict on all forms, in a few words. */
function answer(model: ReportModel, forms: readonly ReportForm[]): Block[] {
  const judged = forms.flatMap((form) => {
    const metrics = model.metrics.get(form);
    const judgement = metrics?.isAsked === true ? judgementOf(metrics.find) : null;
    return judgement === null ? [] : [{ form, judgement }];
  });
  const sentences = SENTENCES.flatMap(([state, sentence]) => {
    const names = judged.filter(({ judgement }) => judgement.state === state).map(({ form }) => form.name);
    return names.length === 0 ? [] : [sentence(names.join(", "))];
  });
  return sentences.length === 0
    ? []
    : [{ kind: "text", role: "answer", parts: [`${model.name}: ${sentences.join(" ")}`] }];
}

/** What is wrong with a run as a whole. */
function notices({ run, name, verdicts, counts: { answers, undecided, failed } }: ReportModel): Block[] {
  return [
    ...verdicts.warnings,
    ...(run.status === "complete"
      ? []
      : [`The run is not finished (${run.status}): what is missing counts as not right. probe run --resume goes on.`]),
    ...(isStoppedEarly(run)
      ? ["Early stop: questions ended at their first wrong order; agreement is not defined."]
      : []),
    ...(failed > 0 ? [`${failed} answers or generations failed; they count as not right.`] : []),
    ...(undecided > 0 ? [`${undecided} of ${answers} answers are undecided (a tie, or an unknown symbol).`] : []),
  ].map((text) => notice("warning", `${name}: ${text}`));
}

function formCard(model: ReportModel, form: ReportForm): Block[] {
  const metrics = model.metrics.get(form);
  if (metrics?.isAsked !== true) return [];
  const judgement = judgementOf(metrics.find);
  const badge = judgement === null ? null : STATE_WORDS[judgement.state];
  const { score } = metrics;
  const interval = intervalOf(score?.ciLow, score?.ciHigh);
  return [
    {
      kind: "group",
      layout: "card",
      ...(badge === null ? {} : { tone: badge.tone }),
      blocks: [
        { kind: "heading", level: 3, text: form.name, ...(badge === null ? {} : { badge }) },
        { kind: "text", role: "figure", parts: [{ value: score?.value ?? null, format: "fraction", interval }] },
        { kind: "text", role: "aside", parts: [`${form.title}: ${scoreKind(metrics)}`, ...floorParts(metrics)] },
        { kind: "text", parts: [judgement?.text ?? "not judged"] },
      ],
    },
  ];
}

/** What ablations say of a model, a line each. */
function gainItems(model: ReportModel, forms: readonly ReportForm[], isNamed: boolean): Inline[][] {
  return forms.flatMap((form) => {
    const metrics = model.metrics.get(form);
    const name = isNamed ? `${model.name}, ${form.name}: ` : `${form.name}: `;
    return metrics === undefined ? [] : gainTexts(metrics.find).map((text) => [name, text]);
  });
}

function scoreKind({ score }: FormMetrics): string {
  return `${score?.metric === "em" ? "exact match" : "right under all orders"}, n = ${score?.n ?? 0}`;
}

function floorParts({ find }: FormMetrics): Inline[] {
  const floor = floorOf(find);
  return floor === null ? [] : ["; floor ", { value: floor.value, format: "fraction" }, `, ${floor.how}`];
}

function verdictTable(models: readonly ReportModel[], forms: readonly ReportForm[]): Block {
  return tableOf(
    "Scores, what they are worth, and their floors",
    [
      { id: "model", label: "Model", align: "left", importance: 1, cell: ({ name }) => textCell(name) },
      ...forms.map((form): ColumnOf<ReportModel> => {
        const cell = ({ metrics }: ReportModel) => verdictCell(metrics.get(form));
        return { id: form.name, label: form.name, align: "right", importance: 1, cell };
      }),
    ],
    models,
    { isSortable: true },
  );
}

function verdictCell(metrics: FormMetrics | undefined): Cell {
  if (metrics?.isAsked !== true) return { kind: "missing" };
  const judgement = judgementOf(metrics.find);
  if (judgement === null) return { kind: "missing" };
  return {
    kind: "number",
    value: judgement.score,
    format: "fraction",
    badge: STATE_WORDS[judgement.state],
    note: judgement.floor === null ? [] : ["(floor ", { value: judgement.floor, format: "fraction" }, ")"],
  };
}
