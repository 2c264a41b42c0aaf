import { modelName } from "../../../../model/vendor/model-name.js";
import type { Block } from "../../../../report/block.js";
import { heading, lead } from "../../../../report/make-block.js";
import { type GainingRun, verdictsOf } from "../../../../run/compare/compare-runs.js";
import { gainBlocks } from "../../../../run/compare/comparison-blocks.js";
import { compareVerdicts } from "../../../../verdict/paired-comparison.js";
import { designOf } from "../../record/run-file.js";
import type { ReportModel } from "../report-data.js";
import type { PageParts } from "./page-parts.js";

const BOOTSTRAP = { seed: 0, resamples: 10_000 };

/** Gain of thinking, of each model that was asked the same with thoughts and without; nothing where none was. */
export function thinkingGain({ data: { models } }: PageParts): Block[] {
  const pairs = models.filter(isThinking).flatMap((candidate) => {
    const baseline = models.find((model) => !isThinking(model) && isAskedAlike(model, candidate));
    return baseline === undefined ? [] : [{ baseline, candidate }];
  });
  if (pairs.length === 0) return [];
  const gains = pairs.map(({ baseline, candidate }) => ({
    baseline: gaining(baseline),
    candidate: gaining(candidate),
  }));
  const rows = compareVerdicts(gains.map(verdictsOf), BOOTSTRAP);
  return [
    heading(3, "What thinking buys"),
    ...pairs.flatMap(({ baseline, candidate }, i): Block[] => {
      const [before, after] = [baseline, candidate].map((model) => thinkText(model));
      const gain = gains[i];
      return gain === undefined
        ? []
        : [
            lead(`${modelName(candidate.run.model)}: --think ${after} (candidate) against ${before} (baseline).`),
            ...gainBlocks({ ...gain, rows: rows[i] ?? [] }),
          ];
    }),
  ];
}

function gaining({ run, verdicts }: ReportModel): GainingRun {
  return { run, score: { verdicts } };
}

function thinkOf({ run: { parameters } }: ReportModel): unknown {
  return parameters["think"] ?? null;
}

function thinkText(model: ReportModel): string {
  const think = thinkOf(model);
  return think === null ? "nothing said of thoughts" : String(think);
}

function isThinking(model: ReportModel): boolean {
  return ![null, "off"].includes(thinkOf(model) as null);
}

function isAskedAlike(one: ReportModel, other: ReportModel): boolean {
  const askedOf = ({ run }: ReportModel) =>
    JSON.stringify([
      modelName(run.model),
      run.dataset.selection_sha256,
      run.parameters["prompt_mode"],
      designOf(run).orders,
    ]);
  return askedOf(one) === askedOf(other);
}
