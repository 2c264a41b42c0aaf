import { resolve } from "node:path";
import { badInput } from "../../base/errors.js";
import { type Console, EXIT, type ExitCode, jsonText } from "../../console/console.js";
import { requireWritable } from "../../console/output-file.js";
import {
  agreementBlocks,
  agreementDocument,
  humanLabels,
  type JudgedFolder,
  judgeAgreement,
} from "../../judge/judge-agreement.js";
import { judgedRunSchema } from "../../judge/judged-run.js";
import { RATINGS } from "../../judge/rating-records.js";
import { modelName } from "../../model/vendor/model-name.js";
import type { Block } from "../../report/block.js";
import { heading, notice, sentence } from "../../report/make-block.js";
import { pageOf, sectionOf } from "../../report/page.js";
import { showBlocks } from "../../report/terminal.js";
import { linkBlocks, namesOf } from "../../report/verdicts/link-blocks.js";
import { readScore, storedRun, suiteOfRun } from "../../run/score-folder.js";
import type { Suites } from "../../run/suite-entry.js";
import type { ItemStory } from "../../run/suite-page.js";
import { writeAtomically } from "../../store/atomic-write.js";
import { recordsOf } from "../../trial/trial-records.js";
import { type Link, type LinkTable, linkRuns } from "../../verdict/task-link.js";
import type { RunVerdicts } from "../../verdict/verdict.js";

/** A run of agents held against one of probes about its tasks, to be read and as JSON. */
export async function linkFolders(
  suites: Suites,
  folders: readonly [run: string, probes: string],
): Promise<{ readonly blocks: Block[]; readonly document: object }> {
  const [run, probes] = [await verdictsIn(suites, folders[0]), await verdictsIn(suites, folders[1])];
  const link = linkRuns(run, probes);
  const warnings = [...run.warnings, ...probes.warnings].map((text) => notice("bad", text));
  return {
    blocks: [...warnings, ...linkBlocks(namesOf(run, probes), link)],
    document: linkDocument(run, probes, link),
  };
}

async function verdictsIn(suites: Suites, folder: string): Promise<RunVerdicts> {
  const { suite } = await suiteOfRun(suites, folder);
  return (await readScore(suite, folder)).score.verdicts;
}

function linkDocument(run: RunVerdicts, probes: RunVerdicts, link: Link): object {
  const { suite, worker, reader } = namesOf(run, probes);
  const common = {
    suite,
    run_id: run.runId,
    probes_run_id: probes.runId,
    model: worker,
    probes_model: reader,
    warnings: [...run.warnings, ...probes.warnings],
  };
  const forms = { forms: link.forms, left_out: link.leftOut };
  if (link.status === "refused") return { ...common, status: link.status, reason: link.reason, ...forms };
  return { ...common, status: link.status, ...forms, tables: link.tables.map(tableDocument) };
}

function tableDocument({ ifUnderstood, ifNot, without, ...table }: LinkTable): object {
  return {
    condition: table.condition,
    success_understood: table.both,
    success_not_understood: table.successOnly,
    failure_understood: table.understoodOnly,
    failure_not_understood: table.neither,
    fisher_p: table.pValue,
    success_if_understood: ifUnderstood,
    success_if_not: ifNot,
    success_without_comprehension: without,
    tasks_without_probe: table.unprobed,
    tasks_not_judged: table.unjudged,
    tasks: table.cases.map(({ task, succeeded, understood }) => ({ task_id: task, succeeded, understood })),
  };
}

/** Compares the judges of two runs: their agreement, to be read and as JSON. */
export async function compareJudges(
  suites: Suites,
  folders: readonly [string, string],
): Promise<{ readonly blocks: Block[]; readonly document: object }> {
  const first = await judgedFolder(suites, folders[0]);
  const isTable = folders[1].endsWith(".csv");
  const second = isTable ? await humanLabels(folders[1], first) : await judgedFolder(suites, folders[1]);
  const found = judgeAgreement(first, second);
  const names = isTable
    ? ([judgeNames(first, first)[0].replace(/ \(1\)$/, ""), "people"] as const)
    : judgeNames(first, second);
  return { blocks: agreementBlocks(names, found), document: agreementDocument(names, found) };
}

/** Judges by their names; where these are the same, by their place. */
function judgeNames(first: JudgedFolder, second: JudgedFolder): [string, string] {
  const nameOf = ({ run: { judge } }: JudgedFolder) => (judge === null ? "" : modelName(judge));
  const [a, b] = [nameOf(first), nameOf(second)];
  return a === b ? [`${a} (1)`, `${b} (2)`] : [a, b];
}

async function judgedFolder(suites: Suites, folder: string): Promise<JudgedFolder> {
  const { suite, run } = await suiteOfRun(suites, folder);
  const { data, success } = judgedRunSchema.safeParse(run);
  if (!success || data.judge === null)
    throw badInput(`Expected a run with a judge in ${folder}, found none. Make it with --judge.`);
  return { folder, run: data, ratings: await recordsOf(await storedRun(suite, folder), RATINGS) };
}

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
  suites: Suites,
  { run: named, task, page, overwrite, json, ...choice }: ShowValues,
  console: Console,
): Promise<ExitCode> {
  const folder = resolve(console.workingDirectory, named);
  const { suite, run } = await suiteOfRun(suites, folder);
  if (suite.tell === undefined)
    throw badInput(
      `Expected a run of agents in ${named}, found one of ${suite.name}. Its questions are on the page of probe report.`,
    );
  const file = page === null ? null : resolve(console.workingDirectory, page);
  await requireWritable([{ option: "page", path: file }], { inputs: [], overwrite });
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
