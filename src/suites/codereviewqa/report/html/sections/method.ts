import { METRICS } from "../../../metric/metric-names.js";
import type { ReportModel } from "../../data/report-data.js";
import { type Markup, markup } from "../markup.js";
import type { PageParts } from "../page-parts.js";
import type { Section } from "../section.js";

/** Where the numbers come from, and what they mean. */
export function methodSection({ data }: PageParts): Section {
  const used = new Set(data.models.flatMap(({ summary }) => summary.map(({ metric }) => metric)));
  const metrics = Object.entries(METRICS).filter(([name]) => used.has(name as keyof typeof METRICS));
  return {
    id: "method",
    title: "Runs and method",
    body: markup`${data.models.map(runFacts)}<details><summary>What the metrics mean</summary><dl class="facts">${metrics.map(([name, text]) => fact(name, text))}</dl></details>`,
  };
}

function runFacts({ run, name, folder }: ReportModel): Markup {
  const { dataset, program, times, parameters, prompts, model } = run;
  const settings = Object.entries(parameters)
    .filter(([, value]) => value !== null && value !== false && !(Array.isArray(value) && value.length === 0))
    .map(([key, value]) => `${key} ${Array.isArray(value) ? value.join(",") : String(value)}`)
    .join(" · ");
  const identity = Object.entries(model.identity)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${key} ${String(value)}`)
    .join(" · ");
  return markup`<h3>${name}</h3><dl class="facts">${[
    fact("run", run.run_id),
    fact("folder", folder),
    fact("model", `${model.label} · ${identity}`),
    fact(
      "asked",
      `${times.created_at} · ${program.name} ${program.version}${program.commit === null ? "" : ` (${program.commit.slice(0, 12)})`}`,
    ),
    fact(
      "dataset",
      `${dataset.source} · ${dataset.selected} of ${dataset.examples} examples · sha256 ${dataset.sha256}`,
    ),
    fact("parameters", settings),
    fact("prompts", prompts.map(({ id, sha256 }) => `${id} ${sha256.slice(0, 12)}…`).join(" · ")),
  ]}</dl>`;
}

function fact(name: string, text: string): Markup {
  return markup`<dt>${name}</dt><dd>${text}</dd>`;
}
