import { counted, shellWord } from "../../../../base/text.js";
import type { Block, ChartBlock } from "../../../../report/block.js";
import type { FrontPoint, IntervalPoint } from "../../../../report/chart-data.js";
import { SCORE_LEGEND, STATE_WORDS, UNTIL_LEAD, WORTH_LEAD } from "../../../../report/judgement-words.js";
import {
  type ColumnOf,
  lead,
  notice,
  rightColumn,
  sentence,
  tableOf,
  textColumn,
  when,
} from "../../../../report/make-block.js";
import { numberText } from "../../../../report/number-text.js";
import type { BlockSection } from "../../../../report/page.js";
import { bestBlocks, SIGNS, scoresTable } from "../../../../report/verdicts/leaderboard-blocks.js";
import { benjaminiHochberg } from "../../../../stats/p-values.js";
import { paretoFront } from "../../../../verdict/cost-front.js";
import { JUDGEMENT_STATES, type Judgement, judgementText } from "../../../../verdict/judgement.js";
import { RUNG_ALPHA } from "../../../../verdict/rung.js";
import { scoreboard } from "../../../../verdict/scoreboard.js";
import { isStoppedEarly } from "../../metric/question-score.js";
import type { ReportForm } from "../probe-forms.js";
import type { ReportModel } from "../report-data.js";
import { floorOf, judgementOf, shareOfCell } from "../score-blocks.js";
import { seriesLegend } from "./groups-section.js";
import type { PageParts, Series } from "./page-parts.js";
import { thinkingGain } from "./thought-blocks.js";

/** Such as `Right under all orders of the options; ACR: exact match`: of what was asked. */
function howScored(forms: readonly ReportForm[]): string {
  const written = forms.filter(({ probe }) => probe.kind === "generation").map(({ task }) => task);
  const chosen = written.length < forms.length ? ["right under all orders of the options"] : [];
  const text = [...chosen, ...(written.length > 0 ? [`${written.join(", ")}: exact match`] : [])].join("; ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** The first section: every model on every probe (paper, Table 2), and who is best. */
export function scoresSection(parts: PageParts): BlockSection {
  const { models, forms, differences } = parts.data;
  const runs = models.map(({ verdicts }) => verdicts);
  const board = scoreboard(runs);
  const [only] = models;
  const isAnyUntil = runs.some(({ isSequential }) => isSequential === true);
  const tests = pageTests(models.flatMap((model) => judgedForms(model, forms).map(({ judgement }) => judgement)));
  return {
    id: "scores",
    title: "Scores",
    blocks: [
      ...(models.length === 1 && only !== undefined ? answer(only, forms) : bestBlocks(board)),
      { ...scoresTable(board, `${howScored(forms)}. In percent, with 95 % intervals`), isCards: true },
      SIGNS,
      ...models.flatMap(notices),
      ...when(differences.length > 0, notice("warning", unlikeText(differences))),
      ...scoreCharts(parts),
      ...costFront(parts),
      ...thinkingGain(parts),
      ...beyondWords(models, forms),
      ...small([
        SCORE_LEGEND,
        WORTH_LEAD,
        ...(isAnyUntil ? [UNTIL_LEAD] : []),
        ...(models.length < 2 ? [] : [tests.sentence]),
        undecidedText(models),
      ]),
      {
        kind: "details",
        summary: "Each verdict in words",
        blocks: models.map((model) => wordsOf(model, forms, tests)),
      },
    ],
  };
}

/** Scores where words do not suffice, a row a model; nothing where no lexical rule was fitted. */
function beyondWords(models: readonly ReportModel[], forms: readonly ReportForm[]): Block[] {
  const rowOf = ({ metrics }: ReportModel, form: ReportForm) => metrics.get(form)?.beyondWords;
  const shown = forms.filter((form) => models.some((model) => rowOf(model, form) !== undefined));
  if (shown.length === 0) return [];
  const columns: ColumnOf<ReportModel>[] = [
    textColumn("model", "Model", ({ name }) => name),
    ...shown.map((form) =>
      rightColumn(form.label, form.label, (model: ReportModel) => shareOfCell(rowOf(model, form))),
    ),
  ];
  return [
    tableOf(
      "Where words fail: right under all orders, of the questions that matching words gets wrong",
      columns,
      models,
      { isCards: true },
    ),
  ];
}

/** Small print: what the words and signs above mean. */
function small(texts: readonly (string | null)[]): Block[] {
  return texts.flatMap((text): Block[] => (text === null ? [] : [{ kind: "text", role: "aside", parts: [text] }]));
}

/** More than this share of the answers undecided is a warning; less is small print. */
const FEW = 0.005;

/** The few undecided answers of all models; `null`: there are none. */
function undecidedText(models: readonly ReportModel[]): string | null {
  const few = models.filter(({ counts: { undecided, answers } }) => undecided > 0 && undecided <= FEW * answers);
  if (few.length === 0) return null;
  const each = few.map(({ name, counts: { undecided, answers } }) => `${name} ${undecided} of ${answers}`);
  return `Undecided answers (a tie, or an unknown symbol), which count as not right: ${each.join(", ")}.`;
}

function unlikeText(differences: readonly string[]): string {
  const advice = "Compare their scores with care; probe compare says what can be paired.";
  return `The runs were not asked alike: they differ in ${differences.join(", ")}. ${advice}`;
}

/** The judgements of all forms, in a few words. */
function answer(model: ReportModel, forms: readonly ReportForm[]): Block[] {
  const judged = judgedForms(model, forms);
  const sentences = JUDGEMENT_STATES.flatMap((state) => {
    const names = judged.filter(({ judgement }) => judgement.state === state).map(({ form }) => form.label);
    return names.length === 0 ? [] : [STATE_WORDS[state].together(names.join(", "))];
  });
  return sentences.length === 0
    ? []
    : [{ kind: "text", role: "answer", parts: [`${model.name}: ${sentences.join(" ")}`] }];
}

function judgedForms({ metrics }: ReportModel, forms: readonly ReportForm[]) {
  return forms.flatMap((form) => {
    const own = metrics.get(form);
    const judgement = own === undefined ? null : judgementOf(own.find);
    return judgement === null ? [] : [{ form, judgement }];
  });
}

/** Faults of a run as a whole. */
function notices({ run, folder, name, verdicts, generations, decided, counts }: ReportModel): Block[] {
  const { answers, undecided, failed } = counts;
  const came = [
    ...(run.planned_answers > 0 ? [`${answers} of ${run.planned_answers} answers`] : []),
    ...(run.generations > 0 ? [`${generations.length} of ${run.generations} generations`] : []),
  ];
  return [
    ...verdicts.warnings,
    ...decided,
    ...(run.status === "complete"
      ? []
      : [
          `The run is not finished (${run.status}): ${came.join(" and ")}. Scores are of the questions begun; of those, orders ` +
            `not asked count as not right. It goes on by: probe run --resume ${shellWord(folder)}`,
        ]),
    ...(isStoppedEarly(run)
      ? [
          "Early stop: questions ended at their first wrong order; agreement is not defined, mean accuracy is by the order asked first.",
        ]
      : []),
    ...(failed > 0 ? [`${failed} answers or generations failed; they count as not right.`] : []),
    ...(undecided > FEW * answers
      ? [`${undecided} of ${answers} answers are undecided (a tie, or an unknown symbol).`]
      : []),
  ].map((text) => notice("warning", `${name}: ${text}`));
}

/** The judgements of a model with their numbers, a line a form. */
function wordsOf(model: ReportModel, forms: readonly ReportForm[], { qText }: PageTests): Block {
  const items = judgedForms(model, forms).map(({ form, judgement }) => [
    `${model.name}, ${form.label}: ${judgementText(judgement)}${qText(judgement)}`,
  ]);
  return items.length === 0 ? sentence(`${model.name}: nothing was judged.`) : { kind: "list", items };
}

/** The tests behind all verdicts of a page. */
interface PageTests {
  /** p of a verdict's test over all tests of the page (Benjamini & Hochberg), in words; empty where none was made. */
  readonly qText: (judgement: Judgement) => string;
  /** Number of verdicts that chance would pass; `null` for fewer than two tests. */
  readonly sentence: string | null;
}

const PASSING: readonly Judgement["state"][] = ["above_floor", "unsteady", "matches_words"];

export function pageTests(judgements: readonly Judgement[]): PageTests {
  const tested = judgements.flatMap((judgement) => {
    const { pValue } = judgement;
    return pValue === null ? [] : [{ judgement, pValue }];
  });
  const adjusted = benjaminiHochberg(tested.map(({ pValue }) => pValue));
  const qOf = new Map(tested.map(({ judgement }, i) => [judgement, adjusted[i] ?? 1]));
  const passed = tested.filter(({ judgement: { state } }) => PASSING.includes(state)).length;
  const n = tested.length;
  return {
    qText: (judgement) => {
      const q = qOf.get(judgement);
      return q === undefined ? "" : `; q ${numberText(q, "pvalue")}`;
    },
    sentence:
      n < 2
        ? null
        : `Of ${counted(n, "verdicts")} of this page that rest on a test, ${passed} are above what needs no reading. Were no ` +
          `model to understand anything, up to ${(n * RUNG_ALPHA).toFixed(1)} would be so by chance. q, behind each verdict in ` +
          "words, is p corrected for their number (Benjamini–Hochberg): below 0.05, fewer than one in twenty such are by chance.",
  };
}

/** Scores with their intervals, beside means over the orders and floors. */
function scoreCharts({ data, series }: PageParts): Block[] {
  const { models, forms } = data;
  const cut =
    series.length < models.length
      ? [sentence(`Charts show the first ${series.length} of ${models.length} models; tables and browser have all.`)]
      : [];
  return [
    {
      kind: "legend",
      entries: [
        { mark: "score", label: "score, with its 95 % interval" },
        { mark: "mean", label: "mean over the orders: the nearer to the score, the steadier" },
        { mark: "floor", label: "floor: reached without reading the review" },
      ],
    },
    ...cut,
    { kind: "group", layout: "charts", blocks: chartsOf(forms, series) },
  ];
}

function chartsOf(forms: readonly ReportForm[], series: readonly Series[]): ChartBlock[] {
  const [only] = series;
  if (series.length === 1 && only !== undefined) {
    const points = forms.flatMap((form) => pointOf(form, only, form.label));
    return [{ kind: "chart", title: "Score by probe", chart: { type: "intervals", points } }];
  }
  // As in the table: what is written, then what is chosen.
  const isWritten = ({ probe }: ReportForm) => probe.kind === "generation";
  return [...forms.filter(isWritten), ...forms.filter((form) => !isWritten(form))].map((form) => {
    const points = series.flatMap((one) => pointOf(form, one, one.label));
    return { kind: "chart", title: `${form.label}: ${form.title}`, chart: { type: "intervals", points } };
  });
}

function pointOf(form: ReportForm, one: Series, row: string): IntervalPoint[] {
  const metrics = one.model.metrics.get(form);
  if (metrics?.isAsked !== true) return [];
  const { value = null, ciLow: low = null, ciHigh: high = null } = metrics.score ?? {};
  const mean = metrics.overall("mean_accuracy")?.value ?? null;
  return [{ row, series: { ...one, label: "" }, value, low, high, mean, floor: floorOf(metrics.find) }];
}

/** What a run cost for each question and generation that it asked, and in which unit. */
interface Cost {
  readonly unit: string;
  readonly amount: number;
}

/** Money where the price is known, else tokens; `null` where neither is. */
export function costOfRun({ run }: Pick<ReportModel, "run">, by: "money" | "tokens"): Cost | null {
  const asked = run.questions + run.generations;
  if (asked === 0) return null;
  if (by === "money") {
    const { cost, price } = run;
    return cost === null || price === null ? null : { unit: price.currency, amount: (cost / asked) * 1000 };
  }
  const { prompt, completion } = run.tokens;
  return prompt === null ? null : { unit: "tokens", amount: (prompt + (completion ?? 0)) / asked };
}

/** Mean scores against costs, of two models and more whose costs are in one unit; else nothing. */
function costFront({ data, series }: PageParts): Block[] {
  const rows = scoreboard(data.models.map(({ verdicts }) => verdicts)).rows;
  for (const by of ["money", "tokens"] as const) {
    const costs = series.map(({ model }) => costOfRun(model, by));
    const [first] = costs;
    if (series.length < 2 || first == null) continue;
    if (!costs.every((cost) => cost !== null && cost.amount > 0 && cost.unit === first.unit)) continue;
    const points = series.flatMap((one, i): (FrontPoint & { readonly series: Series })[] => {
      const score = rows.find(({ runId }) => runId === one.model.run.run_id)?.mean;
      const cost = costs[i]?.amount;
      return score == null || cost === undefined ? [] : [{ series: one, cost, score }];
    });
    if (points.length < 2) continue;
    const costLabel = by === "money" ? `${first.unit} for 1,000 questions` : "tokens for a question, all orders";
    const front = paretoFront(points).map(({ series: { model } }) => model.name);
    const why = by === "money" ? "by the price of each run" : "in tokens, as not every run has a price";
    return [
      lead(
        `What a better score costs, ${why}: no other model is both cheaper than and better than ${front.join(", ")} ` +
          "(the dashed line). Scores are means over the forms that all were asked.",
      ),
      ...seriesLegend(series),
      {
        kind: "group",
        layout: "charts",
        blocks: [{ kind: "chart", title: "Mean score against cost", chart: { type: "front", points, costLabel } }],
      },
    ];
  }
  return [];
}
