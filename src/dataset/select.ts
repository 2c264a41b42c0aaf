import type { Language } from "../base/language.js";
import { sampled, seededIntegers } from "../base/random.js";
import type { DatasetInspection } from "./inspect.js";

/** Which examples of a dataset a run asks about. Applied in this order: languages, sample, limit. */
export interface Selection {
  /** Empty: all. */
  readonly languages: readonly Language[];
  /** Draw this many at random; `null`: all. */
  readonly sample: number | null;
  readonly seed: number;
  /** Keep the first this many; `null`: all. */
  readonly limit: number | null;
}

/** File lines of the selected examples. File order is kept, so that a sample is a sub-sequence of the file. */
export function selectExamples(
  dataset: Pick<DatasetInspection, "languages" | "lines">,
  selection: Selection,
): ReadonlySet<number> {
  let lines = dataset.lines.filter((_, position) => {
    const language = dataset.languages[position];
    return selection.languages.length === 0 || (language !== undefined && selection.languages.includes(language));
  });
  if (selection.sample !== null) {
    lines = sampled(lines, selection.sample, seededIntegers(selection.seed)).sort((a, b) => a - b);
  }
  if (selection.limit !== null) lines = lines.slice(0, selection.limit);
  return new Set(lines);
}
