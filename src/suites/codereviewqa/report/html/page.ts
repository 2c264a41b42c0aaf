import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { packageRoot } from "../../../../base/package-root.js";
import { programIdentity } from "../../../../base/program.js";
import { type PagePart, sectionOf } from "../../../../report/page-section.js";
import { type JsonMembers, jsonPieces } from "../../../../web/json-pieces.js";
import { type Markup, markup } from "../../../../web/markup.js";
import { browserData, hasProbabilities } from "./browser-data.js";
import { BROWSER_STYLE } from "./browser-style.js";
import type { PageData } from "./page/page-data.js";
import type { PageParts } from "./page-parts.js";
import { QuestionList } from "./question-list.js";
import { questionsSection } from "./questions-section.js";
import { failingSection } from "./sections/failing.js";
import { methodSection } from "./sections/method.js";
import { realSection } from "./sections/real.js";
import { scoresSection } from "./sections/scores.js";

/** The page's script, put together from `page/` when the program is built. */
const SCRIPT_PATH = join(packageRoot, "dist/report-page.js");

/**
 * What code review questions put on a report's page: charts and data are in it. The script fills the question browser,
 * sorts tables and hands pictures out.
 */
export async function pagePart(parts: PageParts): Promise<PagePart> {
  const list = new QuestionList(parts.data);
  const data = await browserData(parts.data, list);
  return {
    subject: "Code review comprehension",
    models: parts.data.models.map(({ name }) => name),
    facts: factsOf(parts),
    runs: parts.data.models.length,
    sections: [
      sectionOf(scoresSection(parts)),
      sectionOf(failingSection(parts)),
      sectionOf(realSection(parts)),
      questionsSection(parts.data, list, hasProbabilities(parts.data)),
      sectionOf(methodSection(parts)),
    ],
    shortTitles: CONTENTS,
    style: BROWSER_STYLE,
    script: await readFile(SCRIPT_PATH, "utf8"),
    data: () => dataElement(data),
  };
}

/** What the page's script reads. */
async function* dataElement(data: JsonMembers<PageData>): AsyncGenerator<Markup> {
  yield markup`<script type="application/json" id="data">`;
  yield* jsonPieces(data);
  yield markup`</script>`;
}

/** Short names for the contents. */
const CONTENTS: Readonly<Record<string, string>> = { method: "Method" };

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
