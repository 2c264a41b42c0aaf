import type { Block } from "../../../../report/block.js";
import { SCORE_LEGEND, STATE_WORDS, WORTH_LEAD } from "../../../../report/judgement-words.js";
import {
  type ColumnOf,
  notice,
  rightColumn,
  sentence,
  tableOf,
  textColumn,
  when,
} from "../../../../report/make-block.js";
import type { BlockSection } from "../../../../report/page.js";
import { type PageTests, pageTests } from "../../../../report/verdicts/page-tests.js";
import { bestBlocks, SIGNS, scoresTable } from "../../../../report/verdicts/score-table.js";
import { JUDGEMENT_STATES, judgementText } from "../../../../verdict/judgement.js";
import { scoreboard } from "../../../../verdict/scoreboard.js";
import { isStoppedEarly } from "../../metric/question-score.js";
import type { ReportForm } from "../probe-forms.js";
import type { ReportModel } from "../report-data.js";
import { beyondWordsCell, judgementOf } from "../score-blocks.js";
import type { PageParts } from "./page-parts.js";
import { costFront, scoreCharts } from "./score-charts.js";
import { thinkingGain } from "./thinking-gain.js";

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
      ...small([SCORE_LEGEND, WORTH_LEAD, ...(models.length < 2 ? [] : [tests.sentence]), undecidedText(models)]),
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
      rightColumn(form.name, form.name, (model: ReportModel) => beyondWordsCell(rowOf(model, form))),
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
    const names = judged.filter(({ judgement }) => judgement.state === state).map(({ form }) => form.name);
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
function notices({ run, name, verdicts, counts: { answers, undecided, failed } }: ReportModel): Block[] {
  return [
    ...verdicts.warnings,
    ...(run.status === "complete"
      ? []
      : [`The run is not finished (${run.status}): what is missing counts as not right. probe run --resume goes on.`]),
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
    `${model.name}, ${form.name}: ${judgementText(judgement)}${qText(judgement)}`,
  ]);
  return items.length === 0 ? sentence(`${model.name}: nothing was judged.`) : { kind: "list", items };
}
