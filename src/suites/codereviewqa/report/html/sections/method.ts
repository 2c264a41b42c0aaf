import type { Block } from "../../../../../report/block.js";
import { heading } from "../../../../../report/make-block.js";
import type { BlockSection } from "../../../../../report/page-section.js";
import { METRICS } from "../../../metric/metric-names.js";
import type { ReportModel } from "../../data/report-data.js";
import type { PageParts } from "../page-parts.js";

/** Where the numbers come from, and what they mean. */
export function methodSection({ data }: PageParts): BlockSection {
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
      ["model", `${model.label} · ${identity}`],
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
