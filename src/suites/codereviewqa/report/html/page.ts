import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { packageRoot } from "../../../../base/package-root.js";
import { programIdentity } from "../../../../base/program.js";
import { type Html, htmlPage } from "../../../../web/html-page.js";
import { jsonMarkup, type Markup, markup } from "../../../../web/markup.js";
import { REPORT_STYLE } from "../../../../web/report-style.js";
import { browserData } from "./browser-data.js";
import { BROWSER_STYLE } from "./browser-style.js";
import type { PageParts } from "./page-parts.js";
import { questionsSection } from "./questions-section.js";
import { type Section, sectionMarkup, sectionOf } from "./section.js";
import { contaminationSection } from "./sections/contamination.js";
import { failureSection } from "./sections/failures.js";
import { generationSection } from "./sections/generations.js";
import { changeTypeSection, languageSection } from "./sections/groups.js";
import { leaderboardSection } from "./sections/leaderboard.js";
import { letterSection } from "./sections/letters.js";
import { marginSection } from "./sections/margins.js";
import { methodSection } from "./sections/method.js";
import { permutationSection } from "./sections/permutations.js";
import { profileSection } from "./sections/profile.js";
import { scoresSection } from "./sections/scores.js";
import { verdictSection } from "./sections/verdict.js";

/** What the page says it was made by; a file that says so may be replaced by a newer one. */
export const GENERATOR = "code-review-probe report";

/** The page's script, put together from `page/` when the program is built. */
const SCRIPT_PATH = join(packageRoot, "dist/report-page.js");

/**
 * The whole report as one HTML file that asks nothing of anyone: style, script, charts and data are in it, and its
 * content security policy lets nothing else through. The script only fills the question browser and sorts tables.
 */
export async function reportPage(parts: PageParts): Promise<Html> {
  const { data, hasProbabilities } = await browserData(parts.data);
  const sections = [
    ...staticSections(parts),
    questionsSection(data, hasProbabilities),
    sectionOf(methodSection(parts)),
  ];
  const contents = sections.map(({ id, title }) => markup`<li><a href="#${id}">${CONTENTS[id] ?? title}</a></li>`);
  return htmlPage({
    title: titleOf(parts),
    generator: GENERATOR,
    style: REPORT_STYLE + BROWSER_STYLE,
    script: await readFile(SCRIPT_PATH, "utf8"),
    body: markup`<a class="skip" href="#verdict">Skip to the results</a>
${header(parts)}
<nav class="contents" aria-label="Contents"><ul>${contents}</ul></nav>
<main>${sections.map(sectionMarkup)}</main>
<script type="application/json" id="data">${jsonMarkup(data)}</script>`,
  });
}

function staticSections(parts: PageParts): Section[] {
  return [
    verdictSection(parts),
    scoresSection(parts),
    leaderboardSection(parts),
    profileSection(parts),
    languageSection(parts),
    changeTypeSection(parts),
    letterSection(parts),
    permutationSection(parts),
    marginSection(parts),
    generationSection(parts),
    failureSection(parts),
    contaminationSection(parts),
  ].flatMap((section) => (section === null ? [] : [sectionOf(section)]));
}

/** Short names for the contents. */
const CONTENTS: Readonly<Record<string, string>> = {
  verdict: "Verdict",
  scores: "Scores",
  languages: "Languages",
  "change-types": "Change types",
  revisions: "Revisions",
  failures: "Failures",
  questions: "Questions",
  method: "Method",
};

function titleOf({ data }: PageParts): string {
  const [only] = data.models;
  return data.models.length === 1 && only !== undefined
    ? `${only.name} · code review comprehension`
    : `${data.models.length} models · code review comprehension`;
}

function header({ data }: PageParts): Markup {
  const [first] = data.models;
  const sources = [...new Set(data.models.map(({ run }) => run.dataset.source))].join(", ");
  const examples = [...new Set(data.models.map(({ run }) => run.dataset.selected))].join(", ");
  const answers = data.models.reduce((sum, { counts }) => sum + counts.answers, 0);
  const dates = data.models.map(({ run }) => run.times.created_at.slice(0, 10)).sort();
  const when = [...new Set([dates[0], dates.at(-1)])].join(" to ");
  const { name, version } = programIdentity();
  const title = data.models.length === 1 ? (first?.name ?? "") : `${data.models.length} models`;
  return markup`<header class="top"><p>Code review comprehension</p><h1>${title}</h1><p>${sources} · ${examples} example${examples !== "1" && "s"} · ${answers.toLocaleString("en-US")} answers · asked ${when} · ${name} ${version}</p></header>`;
}
