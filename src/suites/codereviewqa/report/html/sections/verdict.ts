import { isStoppedEarly } from "../../../ask/score-question.js";
import type { ReportForm } from "../../data/probe-forms.js";
import type { ReportModel } from "../../data/report-data.js";
import { type FormVerdict, fraction, judgeForm } from "../../verdict.js";
import { type Markup, markup } from "../markup.js";
import type { PageParts } from "../page-parts.js";
import { type Section, tableMarkup } from "../section.js";
import { scoreText } from "./score-text.js";

const WORDS: Readonly<Record<FormVerdict["status"], string>> = {
  yes: "yes",
  below_floor: "yes, floor not beaten",
  barely: "barely",
  no: "NO",
  unknown: "unknown",
};

/** May the answers be interpreted at all? The first thing a reader must know. */
export function verdictSection({ data }: PageParts): Section {
  const { models, forms } = data;
  const [only] = models;
  const isSingle = models.length === 1 && only !== undefined;
  const body = isSingle
    ? markup`${answer(only, forms)}${notices(only)}<div class="cards">${forms.flatMap((form) => formCard(only, form))}</div>`
    : markup`${models.flatMap(notices)}${verdictTable(models, forms)}${data.differences.length > 0 && differences(data.differences)}`;
  return {
    id: "verdict",
    title: "May the answers be interpreted as comprehension?",
    body: markup`<p class="lead">Only if the model binds letters to options: its choices must agree over all orders of the options more than uniform guessing explains (p &lt; 0.01; paper §5.2). Where it does not, the scores below say nothing about comprehension, however high.</p>${body}`,
  };
}

function differences(names: readonly string[]): Markup {
  return markup`<p class="notice">The runs were not asked alike: they differ in ${names.join(", ")}. Compare their scores with care; probe compare says what can be paired.</p>`;
}

/** What is said of the forms with these verdicts, in the order in which it is said. */
const SENTENCES: readonly (readonly [readonly FormVerdict["status"][], (forms: string) => string])[] = [
  [["yes", "below_floor"], (forms) => `Yes on ${forms}.`],
  [["barely"], (forms) => `Barely on ${forms}.`],
  [["no"], (forms) => `NO on ${forms}: there the model does not bind letters to options.`],
  [["unknown"], (forms) => `Unknown on ${forms}.`],
];

/** The verdict on all forms, in a few words. */
function answer(model: ReportModel, forms: readonly ReportForm[]): Markup {
  const judged = choiceForms(model, forms).map((form) => ({ form, verdict: verdictOf(model, form) }));
  const sentences = SENTENCES.flatMap(([statuses, sentence]) => {
    const names = judged.filter(({ verdict }) => statuses.includes(verdict.status)).map(({ form }) => form.name);
    return names.length === 0 ? [] : [sentence(names.join(", "))];
  });
  return sentences.length === 0 ? markup`` : markup`<p class="answer">${model.name}: ${sentences.join(" ")}</p>`;
}

function choiceForms(model: ReportModel, forms: readonly ReportForm[]): ReportForm[] {
  return forms.filter((form) => form.probe.kind === "choice" && model.metrics.get(form)?.isAsked === true);
}

function verdictOf(model: ReportModel, form: ReportForm): FormVerdict {
  return judgeForm((name) => model.metrics.get(form)?.overall(name));
}

/** What is wrong with a run as a whole. */
function notices({ run, name, counts: { answers, undecided, failed } }: ReportModel): Markup[] {
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
  ].map((text) => markup`<p class="notice">${name}: ${text}</p>`);
}

function formCard(model: ReportModel, form: ReportForm): Markup[] {
  const metrics = model.metrics.get(form);
  if (metrics?.isAsked !== true) return [];
  const isChoice = form.probe.kind === "choice";
  const verdict = verdictOf(model, form);
  const { value, interval, floor, kind } = scoreText(metrics);
  const badge = isChoice && markup`<span class="badge ${verdict.status}">${WORDS[verdict.status]}</span>`;
  const sentence = isChoice ? verdict.text : "written, not chosen: nothing to bind";
  return [
    markup`<div class="card ${isChoice ? verdict.status : ""}"><h3>${form.name} ${badge}</h3><p class="big">${value} <small>${interval}</small></p><p class="soft">${form.title}: ${kind}, n = ${metrics.score?.n ?? 0}${floor !== "" && `; ${floor}`}</p><p>${sentence}</p></div>`,
  ];
}

function verdictTable(models: readonly ReportModel[], forms: readonly ReportForm[]): Markup {
  const choices = forms.filter(({ probe }) => probe.kind === "choice");
  return tableMarkup({
    caption: "Plurality agreement (guessing) and whether the model binds letters to options",
    head: ["Model", ...choices.map(({ name }) => name)],
    rows: models.map((model) => [
      model.name,
      ...choices.map((form) => {
        const metrics = model.metrics.get(form);
        if (metrics?.isAsked !== true) return { text: "–", sort: null };
        const verdict = verdictOf(model, form);
        const [agreement, guessing] = [
          metrics.overall("plurality_agreement")?.value ?? null,
          metrics.overall("plurality_agreement_null")?.value,
        ];
        return {
          sort: agreement,
          text: markup`<span class="badge ${verdict.status}">${WORDS[verdict.status]}</span><br>${fraction(agreement)} <small>(${fraction(guessing)})</small>`,
        };
      }),
    ]),
    isSortable: true,
  });
}
