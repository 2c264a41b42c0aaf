import { LANGUAGES, languageName } from "../../../../base/language.js";
import type { PageSection } from "../../../../report/page-section.js";
import { type Markup, markup } from "../../../../web/markup.js";
import { CHANGE_TYPES } from "../../example/example.js";
import type { ReportData } from "../data/report-data.js";
import type { QuestionList } from "./question-list.js";

const VERDICT_OPTIONS = [
  ["all", "right under all orders (ACR: match)"],
  ["some", "right under some orders"],
  ["none", "right under none (ACR: no match)"],
  ["lost", "lost: undecided or failed"],
] as const;

/** The question browser: its frame; the page's script fills it. */
export function questionsSection(
  { models: asked, forms }: ReportData,
  { examples }: QuestionList,
  hasProbabilities: boolean,
): PageSection {
  const languages = LANGUAGES.filter((language) => examples.some((example) => example.language === language));
  const types = CHANGE_TYPES.filter((type) => examples.some(({ changeType }) => changeType === type));
  const names = forms.map(({ name }) => name);
  const tasks = [...new Set(names.flatMap((name) => [name.split(" ")[0] ?? name, name]))];
  const models = asked.map(({ name }, i) => markup`<option value="${i}">${name}</option>`);
  const model = markup`<label${models.length < 2 && markup` hidden`}>Model<select id="filter-model">${models}</select></label>`;
  return {
    id: "questions",
    title: "Show me: every question",
    body: markup`<noscript><p class="notice">The question browser needs JavaScript; everything above does not.</p></noscript>${missingNotices(examples)}${!hasProbabilities && markup`<p class="notice">Probabilities are left out: with so many answers the page would grow too large. Report fewer runs to see them.</p>`}<div id="questions-live" hidden><div class="filters">${model}<label class="wide">Search<input id="filter-text" type="search" placeholder="words in comment, code or id" autocomplete="off" spellcheck="false"></label>${select("task", "Probe", options(tasks))}${select(
      "language",
      "Language",
      languages.map((language) => markup`<option value="${language}">${languageName(language)}</option>`),
    )}${select("changeType", "Change type", options(types))}${select(
      "verdict",
      "Verdict",
      VERDICT_OPTIONS.map(([value, text]) => markup`<option value="${value}">${text}</option>`),
    )}${between(models)}<button id="reset" class="plain" type="button">Reset</button><span class="moves"><output id="count" class="soft"></output><button id="previous" class="plain" type="button" aria-label="Previous question">↑</button><button id="next" class="plain" type="button" aria-label="Next question">↓</button></span></div><div class="browser"><div id="list" class="list" role="listbox" tabindex="0" aria-label="Questions"></div><article id="detail" class="detail" aria-label="Question"></article></div></div>`,
  };
}

/** Questions that one model gets right and another wrong; for several models alone. */
function between(models: readonly Markup[]): Markup {
  const isHidden = models.length < 2 && markup` hidden`;
  return markup`<label${isHidden}>Right:<select id="filter-right"><option value="">any</option>${models}</select></label><label${isHidden}>Wrong:<select id="filter-wrong"><option value="">any</option>${models}</select></label>`;
}

function select(id: string, label: string, choices: readonly Markup[]): Markup {
  return markup`<label>${label}<select id="filter-${id}"><option value="">all</option>${choices}</select></label>`;
}

function options(names: readonly string[]): Markup[] {
  return names.map((name) => markup`<option>${name}</option>`);
}

/** Why code and options are not shown, once a reason. */
function missingNotices(examples: QuestionList["examples"]): Markup[] {
  const reasons = [...new Set(examples.flatMap(({ missing }) => missing ?? []))];
  return reasons.map((reason) => markup`<p class="notice">Code and options are not shown: ${reason}</p>`);
}
