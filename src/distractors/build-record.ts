import { hash32, seededIntegers } from "../base/random.js";
import type { ChangeType } from "../dataset/example.js";
import { diffHunk, type HunkDiff } from "../dataset/hunk-diff.js";
import { MAX_LINE_CHARACTERS, type OfficialRecord } from "../dataset/official-record.js";
import type { Triple } from "../dataset/triple.js";
import type { PromptTemplate } from "../question/prompt.js";
import type { BuildMethod } from "./build-files.js";
import type { LocationBalance } from "./location/location-balance.js";
import { matchedLocations } from "./location/matched-locations.js";
import { type LocationDistractors, locationDistractors } from "./location/paper-locations.js";
import { nearMissSolutions } from "./near-miss/near-miss-solutions.js";
import { matchedSolutions } from "./solution/matched-solutions.js";
import { paperSolutions } from "./solution/paper-solutions.js";
import type { SolutionBalance } from "./solution/solution-balance.js";
import type { NearMissExplanation, SolutionExplanation, SolutionResult } from "./solution/solution-task.js";
import type { Surrogate } from "./surrogate.js";

/** `sampled`: drawn among the admissible sets. `first`: the lexicographically first ones (spec §3). */
export type ClOrder = "sampled" | "first";

interface BuildOptions {
  readonly seed: number;
  readonly method: BuildMethod;
  /** Order of locations, for the method `paper`. */
  readonly clOrder: ClOrder;
  /** Balance of the CL questions so far; a question that is built is entered. For the method `matched`. */
  readonly locationBalance: LocationBalance;
  /** Template of the generative task. */
  readonly template: PromptTemplate;
  /** Balance of the benchmark so far; asked by `matched`, not changed. */
  readonly balance: Pick<SolutionBalance, "cost">;
  /** `null`: none was named; SI questions of `matched` are built of near misses, of `paper` not at all. */
  readonly surrogate: Surrogate | null;
  readonly signal: AbortSignal;
}

/** Result of building a record of a triple. */
type BuiltRecord =
  | {
      readonly status: "built";
      readonly record: OfficialRecord;
      /** Origin of its SI distractors; `null` where there are none. */
      readonly explanation: SolutionExplanation | NearMissExplanation | null;
    }
  | { readonly status: "dropped"; readonly reason: string };

const TYPE_NAMES: Readonly<Record<ChangeType, OfficialRecord["type_correct"]>> = {
  add: "add_only",
  delete: "remove_only",
  modify: "modify",
};

const TOO_FEW_LINES: Readonly<Record<BuildMethod, string>> = {
  matched: "too few lines that could be meant for three distractors",
  paper: "too few lines for three distractors",
};

/**
 * Makes an official record (spec §2.1) of a triple. Draws depend on the seed and the triple's id alone, the choice among
 * them by `matched` on what the benchmark holds so far too. A question that cannot be built is left out, and the record
 * says why.
 * @throws ProbeError `model_unavailable` when the surrogate fails
 */
export async function buildRecord(triple: Triple, options: BuildOptions): Promise<BuiltRecord> {
  const hunk = hunkOf(triple);
  if (hunk.status === "dropped") return hunk;
  const { diff } = hunk;
  const locations = locationsOf(triple, diff, options);
  const solutions = await solutionsOf(triple, diff, options);
  const notBuilt = {
    ...(locations.status === "too_few_lines" && { CL: TOO_FEW_LINES[options.method] }),
    ...(solutions?.status === "not_built" && { SI: solutions.reason }),
  };
  const type = TYPE_NAMES[diff.changeType];
  const { id, language, review, repo, source, license } = triple;
  const record: OfficialRecord = {
    id,
    lang: language,
    old: diff.old,
    new: diff.new,
    review,
    type_correct: type,
    type_wrong: Object.values(TYPE_NAMES).filter((other) => other !== type),
    loc_correct: [...diff.location],
    ...(locations.status === "built" && {
      loc_wrong_easy: locations.easy.map((lines) => [...lines]),
      loc_wrong_hard: locations.hard.map((lines) => [...lines]),
    }),
    ...(solutions !== null && { solution_correct: diff.solution }),
    ...(solutions?.status === "built" && {
      solution_wrong_easy: [...solutions.easy],
      solution_wrong_hard: [...solutions.hard],
    }),
    ...(Object.keys(notBuilt).length > 0 && { not_built: notBuilt }),
    ...(repo !== undefined && { repo }),
    ...(source !== undefined && { source }),
    ...(license !== undefined && { license }),
  };
  return { status: "built", record, explanation: solutions?.status === "built" ? solutions.explanation : null };
}

function locationsOf(
  { id, preReviewLines: lines }: Triple,
  { changeType, location: truth }: HunkDiff,
  { seed, method, clOrder, locationBalance }: BuildOptions,
): LocationDistractors {
  const draw = seededIntegers(hash32(`CL ${id}`, seed));
  if (method === "matched") return matchedLocations({ truth, lines, changeType }, locationBalance, draw);
  const range = { first: changeType === "add" ? 0 : 1, last: lines.length } as const;
  return locationDistractors(truth, range, clOrder === "first" ? { kind: "first" } : { kind: "sampled", draw });
}

/** Wrong revisions of a triple; `null` for a deletion, of which the question is not asked. */
async function solutionsOf(
  triple: Triple,
  diff: HunkDiff,
  { method, seed, template, balance, surrogate, signal }: BuildOptions,
): Promise<SolutionResult<SolutionExplanation | NearMissExplanation> | null> {
  if (diff.changeType === "delete") return null;
  if (surrogate === null) {
    return method === "matched"
      ? nearMissSolutions({ triple, diff, seed }, balance)
      : { status: "not_built", reason: "no surrogate was named" };
  }
  const task = { triple, diff, template, seed, surrogate, signal };
  return method === "paper" ? paperSolutions(task) : matchedSolutions(task, balance);
}

/** Longest hunk that becomes a record, in lines before or after. */
const MAX_HUNK_LINES = 1000;

/** A triple's diff, or why it cannot become a record. */
type HunkResult =
  | { readonly status: "changed"; readonly diff: HunkDiff }
  | { readonly status: "dropped"; readonly reason: string };

/** Checks what a record needs of a triple (spec §2.2), and compares its two versions. */
export function hunkOf({ preReviewLines, postReviewLines, review }: Triple): HunkResult {
  const dropped = (reason: string): HunkResult => ({ status: "dropped", reason });
  if (review.trim() === "") return dropped("no review");
  if (preReviewLines.length === 0) return dropped("no pre-review code");
  if (postReviewLines.length === 0) return dropped("no post-review code");
  const lines = [...preReviewLines, ...postReviewLines];
  if (Math.max(preReviewLines.length, postReviewLines.length) > MAX_HUNK_LINES) {
    return dropped(`over ${MAX_HUNK_LINES} lines`);
  }
  if ([...lines, ...review.split("\n")].some((line) => line.length >= MAX_LINE_CHARACTERS)) {
    return dropped(`a line over ${MAX_LINE_CHARACTERS} characters`);
  }
  const diff = diffHunk(preReviewLines, postReviewLines);
  if (diff === null) return dropped("no change");
  if (withoutSpace(preReviewLines) === withoutSpace(postReviewLines)) return dropped("only whitespace changes");
  return { status: "changed", diff };
}

function withoutSpace(lines: readonly string[]): string {
  return lines.join("").replace(/\s+/g, "");
}
