import { badInput } from "../../base/errors.js";
import type { RunPair } from "../../verdict/paired-comparison.js";
import { type RunVerdicts, verdictName } from "../../verdict/verdict.js";
import type { RunRecord } from "../run-record.js";

interface InFolder {
  readonly folder: string;
}

/** Something that was put to a model: what it is about, such as `CL hard 0123456789ab`, and what was asked. */
export interface Asked {
  readonly place: string;
  /** SHA-256 of what was asked; `null` when the suite does not tell: then it is taken for the same. */
  readonly promptSha256: string | null;
}

/**
 * Refuses to pair runs that differ.
 * @throws ProbeError `bad_input` with the differences, a line each; never when there is none
 */
export function refuseDifferent(first: InFolder, second: InFolder, differences: readonly string[]): void {
  if (differences.length === 0) return;
  throw badInput(
    `Expected runs over the same questions, found that ${first.folder} and ${second.folder} differ:\n` +
      `${differences.map((line) => `  ${line}`).join("\n")}\n` +
      "Runs can be paired when dataset, selection, tasks and prompts are the same: run one of them again like the other.",
  );
}

/** Prompts of both runs whose texts differ, a line a prompt. */
export function promptDifferences({ prompts: then }: RunRecord, { prompts: now }: RunRecord): string[] {
  return then.flatMap(({ id, sha256 }) => {
    const other = now.find((prompt) => prompt.id === id);
    if (other === undefined || other.sha256 === sha256) return [];
    return [`prompt ${id}: sha256 ${shortHash(sha256)} and ${shortHash(other.sha256)}`];
  });
}

/**
 * The first thing of a list that is not in another of as many, by its place and by what was asked there; none when both are
 * the same, in whatever order: forms of a task stand as `--task` named them.
 * @param what what the lists hold, in the singular, such as `question`
 */
export function firstOther(what: string, then: readonly Asked[], now: readonly Asked[]): string[] {
  if (then.length !== now.length) return [`${what}s: ${then.length} and ${now.length}`];
  const others = new Map(now.map((asked) => [asked.place, asked]));
  for (const [i, asked] of then.entries()) {
    const other = others.get(asked.place);
    if (other === undefined) {
      const known = new Set(then.map(({ place }) => place));
      return [`${what} ${i + 1}: ${asked.place} and ${now.find(({ place }) => !known.has(place))?.place ?? "none"}`];
    }
    const [mine, theirs] = [asked.promptSha256, other.promptSha256];
    if (mine !== null && theirs !== null && mine !== theirs) {
      const hashes = `${shortHash(mine)} and ${shortHash(theirs)}`;
      return [`text of ${what} ${i + 1} (${asked.place}): prompt sha256 ${hashes}`];
    }
  }
  return [];
}

/** Enough of a checksum to tell two apart by eye. */
export function shortHash(sha256: string): string {
  return `${sha256.slice(0, 12)}…`;
}

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
  const known = ofRun.get(other) ?? withItems(run, new Set(other.verdicts.map(verdictName)));
  ofRun.set(other, known);
  return known;
}

function withItems(run: RunVerdicts, items: ReadonlySet<string>): RunVerdicts {
  return { ...run, verdicts: run.verdicts.filter((verdict) => items.has(verdictName(verdict))) };
}
