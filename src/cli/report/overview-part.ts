import { linkBlocks, namesOf } from "../../report/link-blocks.js";
import { heading } from "../../report/make-block.js";
import { type LinkedRuns, overviewBlocks } from "../../report/overview-blocks.js";
import { type PagePart, sectionOf } from "../../report/page-section.js";
import type { SuitePage } from "../../run/suite.js";
import { linkRuns } from "../../verdict/link.js";
import { taskOfProbe } from "../../verdict/probe-task.js";
import type { RunVerdicts } from "../../verdict/verdict.js";

/** What stands before the pages of several suites: each model in one table, and successes held against probes of the same tasks. */
export function overviewParts(pages: readonly SuitePage[]): PagePart[] {
  if (pages.length < 2) return [];
  const runs = pages.flatMap((page) => page.runs);
  const links = linksOf(runs);
  const sections = [sectionOf({ id: "overview", title: "At a glance", blocks: overviewBlocks(runs, links) })];
  if (links.length > 0) {
    const blocks = links.flatMap(({ run, probes, link }) => [
      ...(links.length > 1 ? [heading(3, `${run.suite} ${run.runId}, probes ${probes.runId}`)] : []),
      ...linkBlocks(namesOf(run, probes), link),
    ]);
    sections.push(sectionOf({ id: "link", title: "Success and comprehension", blocks }));
  }
  return [
    {
      ...{ subject: "Comprehension, action, reality", models: [], facts: [], sections, shortTitles: {} },
      ...{ style: "", script: "", data: null },
    },
  ];
}

/** Every run of agents with every run of probes about its tasks. */
function linksOf(runs: readonly RunVerdicts[]): LinkedRuns[] {
  return runs.flatMap((run) => {
    const tasks = new Set(run.verdicts.map(({ cluster }) => cluster));
    const isAbout = (other: RunVerdicts) =>
      other !== run && other.verdicts.some(({ item }) => tasks.has(taskOfProbe(item) ?? ""));
    const isOfAgents = run.forms.some(({ items }) => items === "trials");
    if (!isOfAgents) return [];
    return runs
      .filter((other) => other.forms.some(({ items }) => items === "questions") && isAbout(other))
      .map((probes) => ({ run, probes, link: linkRuns(run, probes) }));
  });
}
