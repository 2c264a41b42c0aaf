import type { ProbeDefinition } from "../../../question/question.js";
import { lineName, type PlacedColumn } from "../../../store/record-fields.js";
import { type ColumnLine, columnsOf, type Table, type TableDescription } from "../../../store/table.js";
import { GENERATION_TABLE, type Generation, generationStatus } from "../answer/generation.js";
import type { GenerationScore } from "../metric/written/generation-score.js";
import type { OpenAnswer } from "../metric/written/scored-generation.js";
import { ANSWERS, QUESTIONS, type RunRow, runColumns, SUMMARY } from "./result-tables.js";
import type { RunFile } from "./run-file.js";

/** A generation and its scores; `score` is `null` for a failed one: it matches nothing, and is similar to nothing. */
export type ScoredText = Generation & {
  readonly score: GenerationScore | null;
  /** Answer, where the probe scores what is written itself. */
  readonly open?: OpenAnswer | undefined;
};

/** Comparisons with the post-review code, exact or nearly, in the order of the table. */
const MATCHES: readonly (readonly [keyof GenerationScore, string])[] = [
  [
    "em",
    "Exact match with the post-review code, character for character, after line numbers the model echoed are " +
      "removed. A failed generation matches nothing: false.",
  ],
  ["emTrim", "Exact match of some run of the generated lines: text before and after is forgiven."],
  ["emNoSpace", "Exact match after all whitespace is removed: of the whole generation, not of a part."],
  ["emNoComment", "Exact match after comments (by the language's grammar) and whitespace are removed."],
  ["paperEm", "Exact match as the paper's released script computes it: drops two characters a line."],
  ["paperEmTrim", "EM-trim of the released script, quirks included."],
  ["paperEmNoSpace", "EM-no-space of the released script: found in the generation, not equal to it."],
  ["paperEmNoComment", "EM-no-comment of the released script: // and # in every language."],
];

const SCORE_COLUMNS: readonly PlacedColumn<ScoredText>[] = columnsOf<ScoredText>([
  ...MATCHES.map(
    ([key, description]): ColumnLine<ScoredText> => [
      lineName(key),
      "boolean",
      description,
      ({ score, open }) => (open === undefined ? (score?.[key] ?? false) : openMatch(key, open)),
    ],
  ),
  [
    "bleu",
    "number",
    "Smoothed BLEU-4 of this generation alone, 0–1; empty where it failed, or the post-review code is empty.",
    ({ score }) => score?.bleu ?? null,
  ],
  [
    "edit_similarity",
    "number",
    "1 − Levenshtein / length of the longer text, 0–1; empty where it failed.",
    ({ score }) => score?.editSimilarity ?? null,
  ],
  [
    "status",
    "string",
    "complete; truncated (cut off at the most tokens allowed); empty (nothing but whitespace); failed.",
    ({ outcome }) => generationStatus(outcome),
  ],
]).map((column) => ({ ...column, behind: "generation" }));

/** Match of an answer that its probe scores itself: the exact one alone. */
function openMatch(key: keyof GenerationScore, { score }: OpenAnswer): boolean | null {
  return key === "em" ? (score?.em ?? false) : null;
}

/** The measures of a run's probes that score what is written themselves, such as `jaccard`. */
export function gradedNames(run: Pick<RunFile, "forms">, probes: ReadonlyMap<string, ProbeDefinition>): string[] {
  const names = run.forms.flatMap(({ task }) => {
    const probe = probes.get(task);
    return probe?.kind === "generation" && probe.scoring !== undefined ? [probe.scoring.graded.name] : [];
  });
  return [...new Set(names)];
}

/** Columns of generations whose probe scores them itself: their task, and its measures. */
function gradedColumns(graded: readonly string[]): PlacedColumn<ScoredText>[] {
  if (graded.length === 0) return [];
  return columnsOf<ScoredText>([
    ["task", "string", "ACR, CLO: what was to be written.", ({ task }) => task],
    ...graded.map(
      (name): ColumnLine<ScoredText> => [
        name,
        "number",
        "Nearness to what was to be written, 0–1; empty for code, and where it failed or is no answer.",
        ({ open }) => open?.score?.graded ?? null,
      ],
    ),
  ]);
}

/**
 * The generations of a run.
 * @param graded names of the measures of probes that score generations themselves
 */
export function generationsTable(graded: readonly string[]): Table<RunRow<ScoredText>> {
  return {
    file: "generations.csv",
    title:
      "One row a generation: what the model wrote for an example. Only in runs that hold ACR or CLO; with CLO, task and " +
      "jaccard stand behind the last column, and task is part of the key.",
    primaryKey: graded.length === 0 ? ["run_id", "example_id"] : ["run_id", "task", "example_id"],
    columns: runColumns("run", GENERATION_TABLE.columns([...SCORE_COLUMNS, ...gradedColumns(graded)])),
  };
}

/** The generations of a run whose probes score none themselves. */
export const GENERATIONS = generationsTable([]);

/** The tables of a run of probes; the last one only in runs with generations. */
export const TABLES: readonly TableDescription[] = [ANSWERS, QUESTIONS, SUMMARY, GENERATIONS];
