import { resolve } from "node:path";
import { ProbeError } from "../../base/errors.js";
import { type Console, EXIT, type ExitCode } from "../../console/console.js";
import { jsonText } from "../../console/json-output.js";
import { requireWritable } from "../../console/output-file.js";
import { modelName } from "../../model/vendor/model-name.js";
import { heading, sentence } from "../../report/make-block.js";
import { pageOf, sectionOf } from "../../report/page.js";
import { showBlocks } from "../../report/terminal.js";
import { storedRun, suiteOfRun } from "../../run/score-folder.js";
import type { SuiteEntry } from "../../run/suite-entry.js";
import type { ItemStory } from "../../run/suite-page.js";
import { writeAtomically } from "../../store/atomic-write.js";

interface ShowValues {
  readonly run: string;
  readonly task: string;
  readonly condition: string | null;
  readonly trial: number | null;
  readonly agent: string | null;
  readonly page: string | null;
  readonly overwrite: boolean;
  readonly json: boolean;
}

/** `probe suite show`: one trial in the terminal, as JSON, or as a page. */
export async function handleShow(
  suites: readonly SuiteEntry[],
  { run: named, task, page, overwrite, json, ...choice }: ShowValues,
  console: Console,
): Promise<ExitCode> {
  const folder = resolve(console.workingDirectory, named);
  const { suite, run } = await suiteOfRun(suites, folder);
  if (suite.tell === undefined)
    throw new ProbeError(
      "bad_input",
      `Expected a run of agents in ${named}, found one of ${suite.name}. Its questions are on the page of probe report.`,
    );
  const file = page === null ? null : resolve(console.workingDirectory, page);
  if (file !== null) await requireWritable([{ option: "page", path: file }], { inputs: [], overwrite });
  const story = await suite.tell(await storedRun(suite, folder), { item: task, ...choice });
  if (json) console.out(jsonText(story.document));
  else if (file === null) showBlocks(console, terminalBlocks(story));
  if (file === null) return EXIT.done;
  const written = await storyPage(story, suite.title, modelName(run.model));
  await writeAtomically(file, (append) => append(String(written)));
  if (!json) console.out(`${page}\n`);
  return EXIT.done;
}

function terminalBlocks({ title, facts, sections }: ItemStory) {
  const parts = sections.flatMap(({ title: name, blocks }) => [heading(2, name), ...blocks]);
  return [heading(1, title), sentence(facts.join(" · ")), ...parts];
}

function storyPage({ title, facts, sections }: ItemStory, subject: string, model: string) {
  const part = {
    head: { title, subject },
    subject,
    models: [model],
    facts: [...new Set([model, ...facts])],
    sections: sections.map(sectionOf),
    shortTitles: {},
    style: "",
    script: "",
    data: null,
  };
  return pageOf([part]);
}
