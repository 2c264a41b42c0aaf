import { hash32, seededIntegers } from "../base/random.js";
import type { ChangeType } from "../dataset/example.js";
import { diffHunk, type HunkDiff } from "../dataset/hunk-diff.js";
import { MAX_LINE_CHARACTERS, type OfficialRecord } from "../dataset/official-record.js";
import type { Triple } from "../dataset/triple.js";
import type { PromptTemplate } from "../question/prompt.js";
import type { BuildMethod, BuildStep } from "./build-files.js";
import { type LocationDistractors, locationDistractors } from "./location/paper-locations.js";
import { unevenlyCut } from "./location/shown-lines.js";
import { readRevision } from "./near-miss/revision.js";
import { nearMissesOf } from "./near-miss/solution-choices.js";
import { weighedMisses } from "./near-miss/surrogate-misses.js";
import { paperSolutions } from "./solution/paper-solutions.js";
import type { SolutionResult } from "./solution/solution-task.js";
import type { Surrogate } from "./surrogate.js";
import type { Writer } from "./writer.js";
import { checkedMisses, IN_DOUBT } from "./written-misses.js";

/** `sampled`: drawn among the admissible sets. `first`: the lexicographically first ones (spec §3). */
export type ClOrder = "sampled" | "first";

export interface BuildOptions {
  readonly seed: number;
  readonly method: BuildMethod;
  /** Order of locations, for the method `paper`. */
  readonly clOrder: ClOrder;
  /** Template of the generative task. */
  readonly template: PromptTemplate;
  /** `null`: none was named; near misses of `matched` are those of code and review alone, `paper` has no SI questions. */
  readonly surrogate: Surrogate | null;
  /** `null`: no model writes near misses. */
  readonly writer: Writer | null;
  readonly signal: AbortSignal;
}

/** Result of building a record of a triple. */
type BuiltRecord =
  | ({ readonly status: "built" } & Pick<BuildStep, "explanation" | "misses"> & { readonly record: OfficialRecord })
  | { readonly status: "dropped"; readonly reason: string };

const TYPE_NAMES: Readonly<Record<ChangeType, OfficialRecord["type_correct"]>> = {
  add: "add_only",
  delete: "remove_only",
  modify: "modify",
};

/**
 * Makes an official record (spec §2.1) of a triple: whole by `paper`; by `matched` without its CL and SI options, which
 * `OptionChooser` chooses over the whole benchmark, and with the near misses that these are made of. It depends on the
 * seed and the triple alone. A question that cannot be built is left out, and the record says why.
 * @throws ProbeError `model_unavailable` when the surrogate fails
 */
export async function buildRecord(triple: Triple, options: BuildOptions): Promise<BuiltRecord> {
  const hunk = hunkOf(triple);
  if (hunk.status === "dropped") return hunk;
  const { diff } = hunk;
  return options.method === "paper" ? wholeRecord(triple, diff, options) : recordOfMisses(triple, diff, options);
}

async function recordOfMisses(whole: Triple, wholeDiff: HunkDiff, options: BuildOptions): Promise<BuiltRecord> {
  const { triple, diff } = unevenlyCut(whole, wholeDiff, options.seed);
  const record = bareRecord(triple, diff);
  if (diff.changeType === "delete") return { status: "built", record, misses: null, explanation: null };
  const revision = await readRevision(triple, diff);
  const { surrogate, writer } = options;
  const told = nearMissesOf(revision);
  const misses =
    writer !== null
      ? await checkedMisses(told, revision, { ...options, triple, writer })
      : surrogate !== null
        ? await weighedMisses(told, revision, { ...options, triple, diff, surrogate })
        : told;
  if (misses === null)
    return { status: "built", record: { ...record, not_built: { SI: IN_DOUBT } }, misses, explanation: null };
  return { status: "built", record, misses: [...misses], explanation: null };
}

async function wholeRecord(triple: Triple, diff: HunkDiff, options: BuildOptions): Promise<BuiltRecord> {
  const locations = paperLocations(triple, diff, options);
  const solutions = await solutionsOf(triple, diff, options);
  const notBuilt = {
    ...(locations.status === "too_few_lines" && { CL: "too few lines for three distractors" }),
    ...(solutions?.status === "not_built" && { SI: solutions.reason }),
  };
  const record: OfficialRecord = {
    ...bareRecord(triple, diff),
    ...(locations.status === "built" && {
      loc_wrong_easy: locations.easy.map((lines) => [...lines]),
      loc_wrong_hard: locations.hard.map((lines) => [...lines]),
    }),
    ...(solutions?.status === "built" && {
      solution_wrong_easy: [...solutions.easy],
      solution_wrong_hard: [...solutions.hard],
    }),
    ...(Object.keys(notBuilt).length > 0 && { not_built: notBuilt }),
  };
  const explanation = solutions?.status === "built" ? { ...solutions.explanation } : null;
  return { status: "built", record, explanation, misses: null };
}

/** A record without wrong locations and solutions. */
function bareRecord({ id, language, review, repo, source, license }: Triple, diff: HunkDiff): OfficialRecord {
  const type = TYPE_NAMES[diff.changeType];
  return {
    id,
    lang: language,
    old: diff.old,
    new: diff.new,
    review,
    type_correct: type,
    type_wrong: Object.values(TYPE_NAMES).filter((other) => other !== type),
    loc_correct: [...diff.location],
    ...(diff.changeType !== "delete" && { solution_correct: diff.solution }),
    ...(repo !== undefined && { repo }),
    ...(source !== undefined && { source }),
    ...(license !== undefined && { license }),
  };
}

function paperLocations(
  { id, preReviewLines: lines }: Triple,
  { changeType, location: truth }: HunkDiff,
  { seed, clOrder }: BuildOptions,
): LocationDistractors {
  const draw = seededIntegers(hash32(`CL ${id}`, seed));
  const range = { first: changeType === "add" ? 0 : 1, last: lines.length } as const;
  return locationDistractors(truth, range, clOrder === "first" ? { kind: "first" } : { kind: "sampled", draw });
}

/** Wrong revisions of a triple; `null` for a deletion, of which the question is not asked. */
async function solutionsOf(
  triple: Triple,
  diff: HunkDiff,
  { seed, template, surrogate, signal }: BuildOptions,
): Promise<SolutionResult | null> {
  if (diff.changeType === "delete") return null;
  if (surrogate === null) return { status: "not_built", reason: "no surrogate was named" };
  return paperSolutions({ triple, diff, template, seed, surrogate, signal });
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
