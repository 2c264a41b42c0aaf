import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { packageRoot } from "../../../../base/package-root.js";
import { programIdentity } from "../../../../base/program.js";
import { type PagePart, type PageSection, sectionOf } from "../../../../report/page-section.js";
import { jsonMarkup, markup } from "../../../../web/markup.js";
import { browserData } from "./browser-data.js";
import { BROWSER_STYLE } from "./browser-style.js";
import type { PageParts } from "./page-parts.js";
import { questionsSection } from "./questions-section.js";
import { contaminationSection } from "./sections/contamination.js";
import { failureSection } from "./sections/failures.js";
import { generationSection } from "./sections/generations.js";
import { changeTypeSection, languageSection } from "./sections/groups.js";
import { leaderboardSection } from "./sections/leaderboard.js";
import { letterSection } from "./sections/letters.js";
import { marginSection } from "./sections/margins.js";
import { methodSection } from "./sections/method.js";
import { openAnswerSection } from "./sections/open-answers.js";
import { permutationSection } from "./sections/permutations.js";
import { profileSection } from "./sections/profile.js";
import { scoresSection } from "./sections/scores.js";
import { verdictSection } from "./sections/verdict.js";

/** The page's script, put together from `page/` when the program is built. */
const SCRIPT_PATH = join(packageRoot, "dist/report-page.js");

/**
 * What code review questions put on a report's page: charts and data are in it. The script only fills the question browser
 * and sorts tables.
 */
export async function pagePart(parts: PageParts): Promise<PagePart> {
  const { data, hasProbabilities } = await browserData(parts.data);
  return {
    subject: "Code review comprehension",
    models: parts.data.models.map(({ name }) => name),
    facts: factsOf(parts),
    sections: [...staticSections(parts), questionsSection(data, hasProbabilities), sectionOf(methodSection(parts))],
    shortTitles: CONTENTS,
    style: BROWSER_STYLE,
    script: await readFile(SCRIPT_PATH, "utf8"),
    data: markup`<script type="application/json" id="data">${jsonMarkup(data)}</script>`,
  };
}

function staticSections(parts: PageParts): PageSection[] {
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
    openAnswerSection(parts),
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
  "open-answers": "Open answers",
  failures: "Failures",
  questions: "Questions",
  method: "Method",
};

function factsOf({ data }: PageParts): string[] {
  const sources = [...new Set(data.models.map(({ run }) => run.dataset.source))].join(", ");
  const examples = [...new Set(data.models.map(({ run }) => run.dataset.selected))].join(", ");
  const answers = data.models.reduce((sum, { counts }) => sum + counts.answers, 0);
  const dates = data.models.map(({ run }) => run.times.created_at.slice(0, 10)).sort();
  const when = [...new Set([dates[0], dates.at(-1)])].join(" to ");
  const { name, version } = programIdentity();
  return [
    sources,
    `${examples} example${examples === "1" ? "" : "s"}`,
    `${answers.toLocaleString("en-US")} answers`,
    `asked ${when}`,
    `${name} ${version}`,
  ];
}
