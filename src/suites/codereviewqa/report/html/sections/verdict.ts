import type { Block, Cell, Inline } from "../../../../../report/block.js";
import { type ColumnOf, intervalOf, lead, notice, tableOf, textCell } from "../../../../../report/make-block.js";
import { isStoppedEarly } from "../../../ask/score-question.js";
import type { FormMetrics, ReportForm } from "../../data/probe-forms.js";
import type { ReportModel } from "../../data/report-data.js";
import { floorOf } from "../../scores.js";
import { type FormVerdict, judgeForm, VERDICT_WORDS, verdictParts } from "../../verdict.js";
import type { PageParts } from "../page-parts.js";
import type { BlockSection } from "../section.js";

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
    title: "May the answers be interpreted as comprehension?",
    blocks: [
      lead(
        "Only if the model binds letters to options: its choices must agree over all orders of the options more than " +
          "uniform guessing explains (p < 0.01; paper §5.2). Where it does not, the scores below say nothing about " +
          "comprehension, however high.",
      ),
      ...blocks,
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

/** What is said of the forms with these verdicts, in the order in which it is said. */
const SENTENCES: readonly (readonly [readonly FormVerdict["status"][], (forms: string) => string])[] = [
  [["yes", "below_floor"], (forms) => `Yes on ${forms}.`],
  [["barely"], (forms) => `Barely on ${forms}.`],
  [["no"], (forms) => `NO on ${forms}: there the model does not bind letters to options.`],
  [["unknown"], (forms) => `Unknown on ${forms}.`],
];

/** The verdict on all forms, in a few words. */
function answer(model: ReportModel, forms: readonly ReportForm[]): Block[] {
  const judged = forms.flatMap((form) => {
    const metrics = model.metrics.get(form);
    return form.probe.kind === "choice" && metrics?.isAsked === true
      ? [{ form, verdict: judgeForm(metrics.find) }]
      : [];
  });
  const sentences = SENTENCES.flatMap(([statuses, sentence]) => {
    const names = judged.filter(({ verdict }) => statuses.includes(verdict.status)).map(({ form }) => form.name);
    return names.length === 0 ? [] : [sentence(names.join(", "))];
  });
  return sentences.length === 0
    ? []
    : [{ kind: "text", role: "answer", parts: [`${model.name}: ${sentences.join(" ")}`] }];
}

/** What is wrong with a run as a whole. */
function notices({ run, name, counts: { answers, undecided, failed } }: ReportModel): Block[] {
  return [
    ...(run.model.check?.["forced"] === true
      ? ["FORCED: the check refused this server; its numbers may mean nothing."]
      : []),
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
  const verdict = form.probe.kind === "choice" ? judgeForm(metrics.find) : null;
  const badge = verdict === null ? null : VERDICT_WORDS[verdict.status];
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
        { kind: "text", parts: verdict === null ? ["written, not chosen: nothing to bind"] : verdictParts(verdict) },
      ],
    },
  ];
}

function scoreKind({ score }: FormMetrics): string {
  return `${score?.metric === "em" ? "exact match" : "right under all orders"}, n = ${score?.n ?? 0}`;
}

function floorParts({ find }: FormMetrics): Inline[] {
  const floor = floorOf(find);
  return floor === null ? [] : ["; floor ", { value: floor.value, format: "chance" }, `, ${floor.how}`];
}

function verdictTable(models: readonly ReportModel[], forms: readonly ReportForm[]): Block {
  const choices = forms.filter(({ probe }) => probe.kind === "choice");
  return tableOf(
    "Plurality agreement (guessing) and whether the model binds letters to options",
    [
      { id: "model", label: "Model", align: "left", importance: 1, cell: ({ name }) => textCell(name) },
      ...choices.map((form): ColumnOf<ReportModel> => {
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
  const { status, agreement, guessing } = judgeForm(metrics.find);
  return {
    kind: "number",
    value: agreement,
    format: "fraction",
    badge: VERDICT_WORDS[status],
    note: ["(", { value: guessing, format: "fraction" }, ")"],
  };
}
