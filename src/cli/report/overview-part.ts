import { linkBlocks, namesOf } from "../../report/link-blocks.js";
import { heading } from "../../report/make-block.js";
import { type LinkedRuns, overviewBlocks } from "../../report/overview-blocks.js";
import { modelsText, type PagePart, sectionOf } from "../../report/page-section.js";
import type { SuitePage } from "../../run/suite.js";
import { linkRuns } from "../../verdict/link.js";
import { taskOfProbe } from "../../verdict/probe-task.js";
import type { DataFact, RunVerdicts } from "../../verdict/verdict.js";

/**
 * What stands before the pages of several suites: each model in one table, and successes held against probes of the same tasks.
 * @param facts what audits found of the code of suites
 */
export function overviewParts(pages: readonly SuitePage[], facts: readonly DataFact[]): PagePart[] {
  if (pages.length < 2 && facts.length === 0) return [];
  const runs = pages.flatMap((page) => page.runs.map((run) => withFacts(run, facts)));
  const links = linksOf(runs);
  const sections = [sectionOf({ id: "overview", title: "At a glance", blocks: overviewBlocks(runs, links) })];
  if (links.length > 0) {
    const blocks = links.flatMap(({ run, probes, link }) => [
      ...(links.length > 1 ? [heading(3, `${run.suite} ${run.runId}, probes ${probes.runId}`)] : []),
      ...linkBlocks(namesOf(run, probes), link),
    ]);
    sections.push(sectionOf({ id: "link", title: "Success and comprehension", blocks }));
  }
  const subject = "Comprehension, action, reality";
  return [
    {
      head: { title: modelsText([...new Set(runs.map(({ model }) => model))]), subject },
      ...{ subject, models: [], facts: [], sections, shortTitles: {} },
      ...{ style: "", script: "", data: null },
    },
  ];
}

/** Whether a fact is about the code of a run's suite, for its model. */
export function isOfRun(run: RunVerdicts, { suite, model, data }: DataFact): boolean {
  return suite === run.suite && model === run.model && run.data?.startsWith(data) === true;
}

/** A run of agents with what audits of its code found. */
function withFacts(run: RunVerdicts, facts: readonly DataFact[]): RunVerdicts {
  if (!run.forms.some(({ items }) => items === "trials")) return run;
  const own = facts.filter((fact) => isOfRun(run, fact));
  const text = `not audited: probe audit --suite ${run.suite} --part gold, and its folder beside the run`;
  const unknown = { title: "code that looks memorised", share: null, state: "unknown", text } as const;
  const found = own.length > 0 ? own.map(({ fact }) => fact) : [unknown];
  return { ...run, reality: [...(run.reality ?? []), ...found] };
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
