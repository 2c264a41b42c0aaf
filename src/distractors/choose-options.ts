import { hash32, seededIntegers } from "../base/random.js";
import { DIFFICULTIES, type Difficulty } from "../dataset/example.js";
import { diffHunk, type HunkDiff } from "../dataset/hunk-diff.js";
import type { OfficialRecord } from "../dataset/official-record.js";
import type { Triple } from "../dataset/triple.js";
import type { BuildStep } from "./build-files.js";
import { holdsFormattedLine, holdsRenamedLines } from "./location/candidate-lines.js";
import { LOCATION_WEIGHTS, type LocationHunk, locationFeatures, looksOf } from "./location/location-features.js";
import { type LocationChoice, locationChoices, locationParts } from "./location/matched-locations.js";
import { readRevision } from "./near-miss/revision.js";
import {
  explained,
  type SolutionChoice,
  solutionChoices,
  solutionParts,
  TOO_FEW,
} from "./near-miss/solution-choices.js";
import { SOLUTION_WEIGHTS, solutionFeatures } from "./near-miss/solution-features.js";
import { nextTurn, type SelectableQuestion, Selection } from "./selection/selection.js";
import type { NearMissExplanation } from "./solution/solution-task.js";

/** Reasons of a CL question that is not built. */
const FORMATTED = "a line that a formatter changed alone stands among those that were changed otherwise";
const RENAMED = "most lines are carried along by a renaming that the review does not ask for";
const TOO_FEW_LINES = "too few lines that could be meant for three distractors";

/** Options of a record, to be chosen. */
interface RecordChoices {
  readonly locations: Record<Difficulty, LocationChoice> | null;
  readonly solutions: Record<Difficulty, SolutionChoice> | null;
  /** Post-review code. */
  readonly text: string;
}

/**
 * Chooses the wrong options of a benchmark (spec §3, *matched*), block by block: the blocks before are as they are, in
 * a block each question is chosen beside all others.
 */
export class OptionChooser {
  readonly #seed: number;
  readonly #locations = new Selection(LOCATION_WEIGHTS);
  readonly #solutions = new Selection(SOLUTION_WEIGHTS);

  constructor(seed: number) {
    this.#seed = seed;
  }

  /**
   * @param steps of one block, their records without options
   * @param signal rejects with its reason where it is aborted between two questions
   */
  async choose(steps: readonly BuildStep[], signal?: AbortSignal): Promise<BuildStep[]> {
    const choices: (RecordChoices | null)[] = [];
    for (const step of steps) {
      await nextTurn(signal);
      choices.push(await this.#choicesOf(step));
    }
    const places = choices.flatMap((own) => (own?.locations == null ? [] : ofBoth(own.locations)));
    const squares = choices.flatMap((own) => (own?.solutions == null ? [] : ofBoth(own.solutions)));
    const locations = await chosenBy(this.#locations, places, signal);
    const solutions = await chosenBy(this.#solutions, squares, signal);
    return steps.map((step, i) => {
      const own = choices[i];
      if (step.record === null || own == null) return step;
      const wrong = (choice: LocationChoice) =>
        choice.triples[locations.get(choice) ?? 0]?.map((lines) => [...lines]) ?? [];
      const square = (choice: SolutionChoice) => choice.squares[solutions.get(choice) ?? 0];
      const chosen =
        own.solutions === null ? null : { easy: square(own.solutions.easy), hard: square(own.solutions.hard) };
      const record: OfficialRecord = {
        ...step.record,
        ...(own.locations !== null && {
          loc_wrong_easy: wrong(own.locations.easy),
          loc_wrong_hard: wrong(own.locations.hard),
        }),
        ...(chosen !== null && {
          solution_wrong_easy: chosen.easy?.solutions.slice(1) ?? [],
          solution_wrong_hard: chosen.hard?.solutions.slice(1) ?? [],
        }),
        ...notBuilt(step.record, own),
      };
      return {
        ...step,
        record,
        misses: null,
        explanation: chosen === null ? null : explanationOf(chosen, own.text, step),
      };
    });
  }

  /** Counts a record that was chosen before, as on resuming. */
  enter({ record }: BuildStep): void {
    if (record === null) return;
    const { triple, diff } = readRecord(record);
    for (const difficulty of DIFFICULTIES) {
      const lines = record[`loc_wrong_${difficulty}`];
      const solutions = record[`solution_wrong_${difficulty}`];
      if (lines !== undefined) {
        const hunk = hunkOf(triple, diff);
        const scores = locationFeatures(hunk, [hunk.truth, ...lines], looksOf(hunk));
        this.#locations.enter({ parts: locationParts(difficulty, hunk, triple.id) }, scores);
      }
      if (solutions !== undefined) {
        const { preReviewLines, review } = triple;
        const view = { solutions: [diff.solution, ...solutions], preReviewLines, review };
        this.#solutions.enter({ parts: solutionParts(difficulty, triple.id) }, solutionFeatures(view));
      }
    }
  }

  async #choicesOf({ record, misses }: BuildStep): Promise<RecordChoices | null> {
    if (record === null) return null;
    const { triple, diff } = readRecord(record);
    const draw = seededIntegers(hash32(`CL ${triple.id}`, this.#seed));
    const isCarried = carriedAlong({ old: diff.old, new: diff.new, review: triple.review }) !== null;
    const locations = isCarried ? null : locationChoices(hunkOf(triple, diff), triple.id, draw);
    const text = triple.postReviewLines.join("\n");
    if (misses === null) return { locations, solutions: null, text };
    return {
      locations,
      solutions: solutionChoices(misses, await readRevision(triple, diff), triple, this.#seed),
      text,
    };
  }
}

/** Index of the set of each question. */
async function chosenBy<T extends SelectableQuestion>(
  selection: Selection,
  questions: readonly T[],
  signal: AbortSignal | undefined,
): Promise<Map<T | undefined, number>> {
  return new Map((await selection.choose(questions, signal)).map((index, i) => [questions[i], index]));
}

function ofBoth<T>(choices: Record<Difficulty, T>): T[] {
  return DIFFICULTIES.map((difficulty) => choices[difficulty]);
}

function hunkOf({ preReviewLines: lines, review }: Triple, { location: truth, changeType }: HunkDiff): LocationHunk {
  return { truth, lines, changeType, review };
}

/** Triple and diff that a record was made of. */
function readRecord({ id = "", lang: language, old, new: fresh, review }: OfficialRecord): {
  readonly triple: Triple;
  readonly diff: HunkDiff;
} {
  const [preReviewLines = [], postReviewLines = []] = [old, fresh].map((code) =>
    code.split("\n").map((line) => line.slice(1)),
  );
  const diff = diffHunk(preReviewLines, postReviewLines);
  if (diff === null) throw new RangeError(`Expected a change in the record ${id}, found none.`);
  return { triple: { id, language, preReviewLines, postReviewLines, review }, diff };
}

/** Reason why the key holds lines that no review asks for, or `null`. */
function carriedAlong({ old, new: fresh, review }: Pick<OfficialRecord, "old" | "new" | "review">): string | null {
  if (holdsFormattedLine(old, fresh)) return FORMATTED;
  return holdsRenamedLines(old, fresh, review) ? RENAMED : null;
}

function notBuilt(record: OfficialRecord, { locations, solutions }: RecordChoices): Pick<OfficialRecord, "not_built"> {
  const reasons = {
    ...record.not_built,
    ...(locations === null && { CL: carriedAlong(record) ?? TOO_FEW_LINES }),
    ...(solutions === null &&
      record.not_built?.SI === undefined &&
      record.solution_correct !== undefined && { SI: TOO_FEW }),
  };
  return Object.keys(reasons).length === 0 ? {} : { not_built: reasons };
}

function explanationOf(
  chosen: Record<Difficulty, SolutionChoice["squares"][number] | undefined>,
  text: string,
  { explanation }: BuildStep,
): BuildStep["explanation"] {
  const squares: NearMissExplanation["squares"] = DIFFICULTIES.flatMap((difficulty) => {
    const misses = chosen[difficulty]?.misses;
    if (misses === undefined) return [];
    const [a, b] = misses;
    return { difficulty, a: explained(a, text), b: explained(b, text), options: ["a", "b", "a and b"] };
  });
  return { ...explanation, method: "matched", squares };
}
