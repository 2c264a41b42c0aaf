import type { ProbeDefinition } from "../../../question/question.js";
import { fieldColumns } from "../../../store/record-fields.js";
import { type ColumnLine, columnsOf, type Table } from "../../../store/table.js";
import { type Generation, type GenerationOutcome, generationStatus } from "../answer/generation.js";
import { EXAMPLE_FIELDS } from "../answer/question-fields.js";
import type { GenerationScore } from "../metric/acr/generation-score.js";
import type { OpenAnswer } from "../metric/generation-summary.js";
import type { RunFile } from "./run-file.js";
import { type RunRow, runColumns } from "./run-row.js";

/** A generation and its scores; `score` is `null` for a failed one: it matches nothing, and is similar to nothing. */
export interface ScoredText extends Generation {
  readonly score: GenerationScore | null;
  /** Where the probe scores what is written itself. */
  readonly open?: OpenAnswer | undefined;
}

/** The measures of a run's probes that score what is written themselves, such as `jaccard`. */
export function gradedNames(run: Pick<RunFile, "forms">, probes: ReadonlyMap<string, ProbeDefinition>): string[] {
  const names = run.forms.flatMap(({ task }) => {
    const probe = probes.get(task);
    return probe?.kind === "generation" && probe.scoring !== undefined ? [probe.scoring.graded.name] : [];
  });
  return [...new Set(names)];
}

/**
 * The generations of a run; one of a probe that scores what is written itself has its task and its measure behind the
 * columns that all have.
 * @param graded names of those measures
 */
export function generationsTable(graded: readonly string[]): Table<RunRow<ScoredText>> {
  if (graded.length === 0) return GENERATIONS;
  const own = columnsOf<ScoredText>([
    ["task", "string", "ACR, CLO: what was to be written.", ({ task }) => task],
    ...graded.map(
      (name): ColumnLine<ScoredText> => [
        name,
        "number",
        "How near it is to what was to be written, 0–1; empty for code, and where it failed or is no answer.",
        ({ open }) => open?.score?.graded ?? null,
      ],
    ),
  ]);
  return {
    ...GENERATIONS,
    primaryKey: ["run_id", "task", "example_id"],
    columns: [...GENERATIONS.columns, ...runColumns("run", own).slice(-own.length)],
  };
}

export const GENERATIONS: Table<RunRow<ScoredText>> = {
  file: "generations.csv",
  title:
    "One row a generation: what the model wrote for an example. Only in runs that hold ACR or CLO; with CLO, task and " +
    "jaccard stand behind the last column.",
  primaryKey: ["run_id", "example_id"],
  columns: runColumns("run", [
    ...fieldColumns(EXAMPLE_FIELDS),
    ...columnsOf<ScoredText>([
      [
        "generation",
        "string",
        "The text as it came, up to the stop; guarded against spreadsheet formulas: generations.jsonl has it as it is.",
        ({ outcome }) => written(outcome)?.text ?? null,
      ],
      [
        "em",
        "boolean",
        "Exact match with the post-review code, character for character, after line numbers the model echoed are " +
          "removed. A failed generation matches nothing: false.",
        ({ score, open }) => (open === undefined ? score : open.score)?.em ?? false,
      ],
      [
        "em_trim",
        "boolean",
        "Likewise, of some run of the generated lines: text before and after is forgiven.",
        ({ score, open }) => (open === undefined ? (score?.emTrim ?? false) : null),
      ],
      [
        "em_no_space",
        "boolean",
        "Likewise, after all whitespace is removed.",
        ({ score, open }) => (open === undefined ? (score?.emNoSpace ?? false) : null),
      ],
      [
        "em_no_comment",
        "boolean",
        "Likewise, after comments (by the language's grammar) and whitespace are removed.",
        ({ score, open }) => (open === undefined ? (score?.emNoComment ?? false) : null),
      ],
      [
        "paper_em",
        "boolean",
        "Exact match as the paper's released script computes it: drops two characters a line.",
        ({ score, open }) => (open === undefined ? (score?.paperEm ?? false) : null),
      ],
      [
        "paper_em_trim",
        "boolean",
        "EM-trim of the released script, quirks included.",
        ({ score, open }) => (open === undefined ? (score?.paperEmTrim ?? false) : null),
      ],
      [
        "paper_em_no_space",
        "boolean",
        "EM-no-space of the released script: found in the generation, not equal to it.",
        ({ score, open }) => (open === undefined ? (score?.paperEmNoSpace ?? false) : null),
      ],
      [
        "paper_em_no_comment",
        "boolean",
        "EM-no-comment of the released script: // and # in every language.",
        ({ score, open }) => (open === undefined ? (score?.paperEmNoComment ?? false) : null),
      ],
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
      [
        "failure",
        "string",
        "Why it failed: context_overflow, refused, bad_response or unavailable.",
        ({ outcome }) => (outcome.status === "failed" ? outcome.failure : null),
      ],
      [
        "completion_tokens",
        "integer",
        "Tokens generated; empty where the engine does not tell.",
        ({ outcome }) => written(outcome)?.tokens ?? null,
      ],
    ]),
  ]),
};

function written(outcome: GenerationOutcome): Extract<GenerationOutcome, { status: "generated" }> | null {
  return outcome.status === "generated" ? outcome : null;
}
