import type { Block } from "../../../../../report/block.js";
import { lead } from "../../../../../report/make-block.js";
import type { BlockSection } from "../../../../../report/page-section.js";
import type { ReportForm } from "../../data/probe-forms.js";
import type { ReportModel } from "../../data/report-data.js";
import { generationBlocks } from "../../generations.js";
import type { PageParts } from "../page-parts.js";

/** The revisions that models wrote: matches, similarity, how they ended; `null` without any. */
export function generationSection({ data }: PageParts): BlockSection | null {
  const tables = data.forms
    .filter(({ probe }) => probe.kind === "generation" && probe.scoring === undefined)
    .flatMap((form) => data.models.flatMap((model) => modelBlocks(model, form)));
  if (tables.length === 0) return null;
  return {
    id: "revisions",
    title: "Written revisions (ACR)",
    blocks: [
      lead(
        "Share of generated revisions that are the right one: corrected, beside what repeating the code unchanged gives, " +
          "and beside what the paper’s released script computes, quirks included (its Table 7).",
      ),
      ...tables,
    ],
  };
}

function modelBlocks(model: ReportModel, form: ReportForm): Block[] {
  const metrics = model.metrics.get(form);
  if (metrics?.isAsked !== true) return [];
  const written = model.generations.filter(({ task }) => task === form.task);
  const count = (status: string) => written.filter((each) => each.status === status).length;
  const counts = {
    complete: count("complete"),
    truncated: count("truncated"),
    empty: count("empty"),
    failed: count("failed"),
  };
  const scores = { name: form.name, metric: metrics.find };
  return generationBlocks(scores, counts, `${model.name}: exact match, n = ${written.length}`);
}
