import type { RunPair } from "../../verdict/paired-comparison.js";
import type { RunVerdicts } from "../../verdict/verdict.js";

/** Verdicts of two runs that are compared: where either was left once it was decided, those of items that both asked. */
export function pairedVerdicts({ baseline, candidate }: RunPair): RunPair {
  if (!isSequential({ baseline, candidate })) return { baseline, candidate };
  return { baseline: withItemsOf(baseline, candidate), candidate: withItemsOf(candidate, baseline) };
}

/** Tests if items of either run were left unasked as its verdicts were decided. */
export function isSequential({ baseline, candidate }: RunPair): boolean {
  return baseline.isSequential === true || candidate.isSequential === true;
}

function withItemsOf(run: RunVerdicts, { verdicts: others }: RunVerdicts): RunVerdicts {
  const known = new Set(others.map(({ form, item }) => `${form} ${item}`));
  return { ...run, verdicts: run.verdicts.filter(({ form, item }) => known.has(`${form} ${item}`)) };
}
