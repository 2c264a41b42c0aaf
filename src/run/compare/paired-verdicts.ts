import type { RunPair } from "../../verdict/paired-comparison.js";
import type { RunVerdicts, Verdict } from "../../verdict/verdict.js";

/** Verdicts of two runs that are compared: where either was left once it was decided, those of items that both asked. */
export function pairedVerdicts({ baseline, candidate }: RunPair): RunPair {
  if (!isSequential({ baseline, candidate })) return { baseline, candidate };
  return { baseline: withItemsOf(baseline, candidate), candidate: withItemsOf(candidate, baseline) };
}

/** Tests if items of either run were left unasked as its verdicts were decided. */
export function isSequential({ baseline, candidate }: RunPair): boolean {
  return baseline.isSequential === true || candidate.isSequential === true;
}

/** Verdicts by run, and by the run that they are paired with: what refuses, tests and shows a pair takes the same. */
const PAIRED = new WeakMap<RunVerdicts, WeakMap<RunVerdicts, RunVerdicts>>();

function withItemsOf(run: RunVerdicts, other: RunVerdicts): RunVerdicts {
  const ofRun = PAIRED.get(run) ?? new WeakMap<RunVerdicts, RunVerdicts>();
  PAIRED.set(run, ofRun);
  const known = ofRun.get(other) ?? withItems(run, new Set(other.verdicts.map(nameOf)));
  ofRun.set(other, known);
  return known;
}

function withItems(run: RunVerdicts, items: ReadonlySet<string>): RunVerdicts {
  return { ...run, verdicts: run.verdicts.filter((verdict) => items.has(nameOf(verdict))) };
}

function nameOf({ form, item }: Verdict): string {
  return `${form} ${item}`;
}
