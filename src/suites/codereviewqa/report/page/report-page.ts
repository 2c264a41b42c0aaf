import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { packageRoot } from "../../../../base/folders.js";
import { LANGUAGES, languageName } from "../../../../base/language.js";
import { programIdentity } from "../../../../base/program-identity.js";
import { CHANGE_TYPES } from "../../../../dataset/example.js";
import { modelName, wayTo } from "../../../../model/vendor/model-name.js";
import type { Block } from "../../../../report/block.js";
import { heading, lead, sentence } from "../../../../report/make-block.js";
import { type BlockSection, type PagePart, type PageSection, sectionOf } from "../../../../report/page.js";
import { leaderboardMethod, leaderboardTable, titleOf } from "../../../../report/verdicts/leaderboard-blocks.js";
import { shareOf } from "../../../../run/run-blocks.js";
import { type JsonMembers, jsonPieces, type Markup, markup } from "../../../../web/html-page.js";
import { failureTables } from "../../failures/failure-blocks.js";
import { failureComparison } from "../../failures/failure-comparison.js";
import { METRICS } from "../../metric/metric-names.js";
import { formsByName } from "../probe-forms.js";
import type { ReportData, ReportModel } from "../report-data.js";
import type { PageData } from "./browser/page-data.js";
import { BROWSER_STYLE } from "./browser-assets.js";
import { browserData, hasProbabilities } from "./browser-data.js";
import { changeTypeBlocks, languageBlocks } from "./groups-section.js";
import type { PageParts } from "./page-parts.js";
import { QuestionList } from "./question-list.js";
import { realSection } from "./reality-section.js";
import { scoresSection } from "./scores-section.js";

/** The page's script, put together from `page/` when the program is built. */
const SCRIPT_PATH = join(packageRoot, "dist/report-page.js");

/**
 * Code review questions' part of a report's page: charts and data are in it. The script fills the question browser,
 * sorts tables and hands pictures out.
 */
export async function pagePart(parts: PageParts): Promise<PagePart> {
  const asked = { ...parts.data, forms: formsByName(parts.data.forms) };
  const list = new QuestionList(asked);
  const data = await browserData(asked, list);
  return {
    subject: "Code review comprehension",
    models: parts.data.models.map(({ name }) => name),
    facts: factsOf(parts),
    runs: parts.data.models.length,
    sections: [
      sectionOf(scoresSection(parts)),
      sectionOf(failingSection(parts)),
      sectionOf(realSection(parts)),
      questionsSection(asked, list, hasProbabilities(parts.data)),
      sectionOf(methodSection(parts)),
    ],
    shortTitles: { method: "Method" },
    style: BROWSER_STYLE,
    script: await readFile(SCRIPT_PATH, "utf8"),
    data: () => dataElement(data),
  };
}

/** The element with the data of the page's script. */
async function* dataElement(data: JsonMembers<PageData>): AsyncGenerator<Markup> {
  yield markup`<script type="application/json" id="data">`;
  yield* jsonPieces(data);
  yield markup`</script>`;
}

function factsOf({ data }: PageParts): string[] {
  const sources = [...new Set(data.models.map(({ run }) => run.dataset.source))].join(", ");
  const examples = [...new Set(data.models.map(({ run }) => run.dataset.selected))].join(", ");
  const answers = data.models.reduce((sum, { counts }) => sum + counts.answers, 0);
  const shares = data.models.flatMap(({ name, run }) =>
    shareOf(run).map((share) => (data.models.length > 1 ? `${name}: ${share}` : share)),
  );
  const dates = data.models.map(({ run }) => run.times.created_at.slice(0, 10)).sort();
  const when = [...new Set([dates[0], dates.at(-1)])].join(" to ");
  const { name, version } = programIdentity();
  return [
    sources,
    ...shares,
    `${examples} example${examples === "1" ? "" : "s"}`,
    `${answers.toLocaleString("en-US")} answers`,
    `asked ${when}`,
    `${name} ${version}`,
  ];
}

const VERDICT_OPTIONS = [
  ["all", "right under all orders (ACR: match)"],
  ["some", "right under some orders"],
  ["none", "right under none (ACR: no match)"],
  ["lost", "lost: undecided or failed"],
] as const;

/** The question browser: its frame; the page's script fills it. */
function questionsSection(
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

/** Notices about code and options that are not shown, once a reason. */
function missingNotices(examples: QuestionList["examples"]): Markup[] {
  const reasons = [...new Set(examples.flatMap(({ missing }) => missing ?? []))];
  return reasons.map((reason) => markup`<p class="notice">Code and options are not shown: ${reason}</p>`);
}

/**
 * Failures of models: by probe where they do not write the right revision (paper, Table 3), by language, by change
 * type.
 */
function failingSection(parts: PageParts): BlockSection {
  return {
    id: "failures",
    title: "Where does it fail?",
    blocks: [...analysis(parts), ...languages(parts), ...changeTypeBlocks(parts)],
  };
}

function analysis({ failures }: PageParts): Block[] {
  if (failures.length === 0) {
    return [lead("What fails where the revision is wrong needs ACR beside every probe: --task ACR,CTR,CL,SI.")];
  }
  return [
    lead(
      "Of the examples whose generated revision does not match: how many fail a probe, that is, are not right under all " +
        "its orders. Beside it those that match: success without comprehension.",
    ),
    ...failureComparison(failures),
    {
      kind: "details",
      summary: "Every probe, with intervals; and step by step: CTR → CL → SI → ACR",
      blocks: failures.flatMap(failureTables),
    },
  ];
}

/** The paper's Tables 7–12 in form. */
function languages(parts: PageParts): Block[] {
  const boards = parts.leaderboards.filter(({ form }) => form.ablation === "none");
  if (boards.every(({ groups }) => groups.length < 2)) return [];
  const tables = boards.map((table) => {
    const { paperTable } = table.form;
    return leaderboardTable(table, `${titleOf(table)}${paperTable === null ? "" : `, as ${paperTable}`}`);
  });
  return [
    {
      kind: "details",
      summary: "By language, a table a probe (as the paper's Tables 7 to 12)",
      blocks: [
        sentence(leaderboardMethod(boards)),
        { kind: "group", layout: "board", blocks: tables },
        ...languageBlocks(parts),
      ],
    },
  ];
}

/** Origin and meaning of the numbers. */
function methodSection({ data }: PageParts): BlockSection {
  const used = new Set(data.models.flatMap(({ summary }) => summary.map(({ metric }) => metric)));
  const metrics = Object.entries(METRICS).filter(([name]) => used.has(name as keyof typeof METRICS));
  return {
    id: "method",
    title: "Runs and method",
    blocks: [
      {
        kind: "details",
        summary: "The runs: models, parameters, prompts, hashes",
        blocks: data.models.flatMap(runFacts),
      },
      {
        kind: "details",
        summary: "What the metrics mean",
        blocks: [facts(metrics)],
      },
    ],
  };
}

function runFacts({ run, name, folder }: ReportModel): Block[] {
  const { dataset, program, times, parameters, prompts, model } = run;
  const settings = Object.entries(parameters)
    .filter(([, value]) => value !== null && value !== false && !(Array.isArray(value) && value.length === 0))
    .map(([key, value]) => `${key} ${Array.isArray(value) ? value.join(",") : String(value)}`)
    .join(" · ");
  const identity = Object.entries(model.identity)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${key} ${String(value)}`)
    .join(" · ");
  const version = program.commit === null ? "" : ` (${program.commit.slice(0, 12)})`;
  return [
    heading(3, name),
    facts([
      ["run", run.run_id],
      ["folder", folder],
      ["model", [modelName(model), ...wayTo(model), identity].join(" · ")],
      ["asked", `${times.created_at} · ${program.name} ${program.version}${version}`],
      ["dataset", `${dataset.source} · ${dataset.selected} of ${dataset.examples} examples · sha256 ${dataset.sha256}`],
      ["parameters", settings],
      ["prompts", prompts.map(({ id, sha256 }) => `${id} ${sha256.slice(0, 12)}…`).join(" · ")],
    ]),
  ];
}

function facts(named: readonly (readonly [string, string])[]): Block {
  return { kind: "facts", facts: named.map(([name, text]) => ({ name, parts: [text] })) };
}
