import { z } from "zod";
import { LANGUAGES } from "../../../base/language.js";
import { DIFFICULTIES } from "../../../dataset/example.js";
import {
  COUNT,
  isCount,
  NUMBER,
  nullable,
  oneOf,
  plainType,
  SIZE,
  schemaType,
  TEXT,
} from "../../../store/field-type.js";
import type { JournalCodec } from "../../../store/journal/codec.js";
import { readJournal } from "../../../store/journal/read-journal.js";
import { field, fieldColumns, type RecordOf, recordTable, structured, variants } from "../../../store/record-fields.js";
import type { Column, Table } from "../../../store/table.js";
import { type RunRow, runColumns } from "../record/result-tables.js";
import {
  AUDIT_FORMS,
  CONTAMINATION_METRICS,
  type ContaminationMetric,
  NGRAM,
  ngramAccuracy,
  perplexity,
} from "./sequence-score.js";

/** Whole number from 1. */
const POSITIVE = plainType("integer", "a whole number from 1", (found): found is number => isCount(found) && found > 0);

const HITS = z.array(z.object({ start: z.int().nonnegative(), text: z.string() }));

/** Fields of a text, in the order of its line. */
const TEXT_FIELDS = {
  /** Number of the benchmark: 0 is the one that is audited. */
  benchmark: field(COUNT),
  exampleId: field(TEXT, "The example, as in the dataset."),
  language: field(oneOf(LANGUAGES), "Language of the code."),
  form: field(oneOf(AUDIT_FORMS), {
    column: "ACR: prompt and post-review code. MCQA: stem and options, the right one at A.",
    cell: (form) => (form === "MCQA" ? form : "ACR"),
  }),
  task: field(TEXT, "ACR, CTR, CL or SI."),
  difficulty: field(nullable(oneOf(DIFFICULTIES)), "easy or hard; empty for a task that has one form."),
  outcome: variants(
    {
      scored: {
        tokens: field(
          POSITIVE,
          "Predicted tokens: BOS is not counted. Empty where the text was not scored (audit.json: why).",
        ),
        nll: field(SIZE, "Sum of their negative log probabilities, nats."),
        characters: field(POSITIVE),
        ngramStarts: field(COUNT, "Count of n-grams tried; 0: the text is too short."),
        ngramHits: field(
          nullable(COUNT),
          "Count of them that greedy generation gets right; empty where the engine does not tell the most probable token.",
        ),
        /** ACR_RENAMED: characters that differ from ACR's text; `null` for other forms. */
        renamedCharacters: field(nullable(POSITIVE)),
        /** The n-grams that greedy generation gets right. */
        hits: structured(schemaType("a list of n-grams", HITS)),
      },
      failed: { failure: field(TEXT), detail: field(TEXT) },
      /** There is no such text: the code has no identifier to rename. */
      not_renamed: {},
    },
    { others: "left out" },
  ),
};

/** One text, and what became of it. */
export type AuditRecord = RecordOf<typeof TEXT_FIELDS>;

/** Numbers of a text that was scored. */
export type ScoredText = Extract<AuditRecord["outcome"], { readonly status: "scored" }>;

const TEXT_TABLE = recordTable(TEXT_FIELDS);

/** The journal of an audit: a line a text, in the order of the plan. */
export const AUDIT_JOURNAL: JournalCodec<AuditRecord> & { readonly file: string } = {
  file: "contamination.jsonl",
  kind: "audit",
  journal: "the scored texts of an audit",
  record: "a scored text of an audit",
  onDamage: "Remove this line and all after it: the same command scores them again.",
  version1: "facts",
  encode: TEXT_TABLE.encode,
  decode: TEXT_TABLE.decode,
};

/**
 * Streams a journal. A torn last line is passed over.
 * @throws ProbeError `bad_input` when a whole line is damaged
 */
export async function* readRecords(path: string): AsyncGenerator<AuditRecord> {
  for await (const { record } of readJournal(path, AUDIT_JOURNAL)) yield record;
}

/** The texts of an audit (`probe audit`). A text that was not scored has no numbers. */
export const CONTAMINATION: Table<RunRow<AuditRecord>> = {
  file: "contamination.csv",
  title: "One row a text: an example in one form, as the model finds it.",
  primaryKey: ["run_id", "example_id", "form", "task", "difficulty"],
  columns: runColumns(
    "audit",
    TEXT_TABLE.columns<AuditRecord>([
      { ...numberOf("perplexity", "exp(nll / tokens).", perplexity), behind: "nll" },
      {
        name: "ngram_n",
        type: "integer",
        description: "Tokens of an n-gram.",
        value: () => NGRAM.n,
        behind: "perplexity",
      },
      { ...numberOf("ngram_accuracy", "ngram_hits / ngram_starts.", ngramAccuracy), behind: "ngram_hits" },
    ]),
  ),
};

/** Column of a number of texts that were scored. */
function numberOf(name: string, description: string, value: (text: ScoredText) => number | null): Column<AuditRecord> {
  const cell = ({ outcome }: AuditRecord) => (outcome.status === "scored" ? value(outcome) : null);
  return { name, type: "number", description, value: cell };
}

/** Fields of a row of the summary. */
const SUMMARY_FIELDS = {
  benchmark: field(TEXT, "The dataset: the audited one first, then those it is held against."),
  form: field(oneOf(AUDIT_FORMS), "ACR, MCQA, or ACR_RENAMED: ACR with its identifiers renamed."),
  task: field(nullable(TEXT), "ACR, CTR, CL or SI; empty for all MCQA tasks together."),
  difficulty: field(
    nullable(oneOf(DIFFICULTIES)),
    "easy or hard; empty for a task that has one form, and for all together.",
  ),
  groupBy: field(oneOf(["overall", "language"]), "overall or language."),
  group: field(TEXT, "The language; all for overall."),
  metric: field(oneOf(Object.keys(CONTAMINATION_METRICS) as ContaminationMetric[]), "See the list of metrics."),
  value: field(nullable(NUMBER), "Empty where the metric is not defined."),
  ciLow: field(nullable(NUMBER), "Lower end of the 95 % interval; empty where there is none."),
  ciHigh: field(nullable(NUMBER), "Upper end."),
  n: field(COUNT, "Count of cases of the value: see the metric."),
};

/** One number about one form of one benchmark. */
export type ContaminationRow = RecordOf<typeof SUMMARY_FIELDS>;

/** Columns of such a row without its audit: what `--json` prints of it. */
export const CONTAMINATION_SUMMARY_COLUMNS: readonly Column<ContaminationRow>[] = fieldColumns(SUMMARY_FIELDS);

export const CONTAMINATION_SUMMARY: Table<RunRow<ContaminationRow>> = {
  file: "contamination_summary.csv",
  title: "One row a number about one form of one benchmark: tidy.",
  primaryKey: ["run_id", "benchmark", "form", "task", "difficulty", "group_by", "group", "metric"],
  columns: runColumns("audit", CONTAMINATION_SUMMARY_COLUMNS),
};
