import { z } from "zod";
import { LANGUAGES } from "../../../base/language.js";
import { DIFFICULTIES } from "../../../dataset/example.js";
import { type JournalCodec, jsonRecord } from "../../../store/journal/codec.js";
import { readJournal } from "../../../store/journal/read-journal.js";
import { columnsOf, type Table } from "../../../store/table.js";
import { type RunRow, runColumns } from "../record/result-tables.js";
import type { ContaminationRow } from "./contamination-summary.js";
import { AUDIT_FORMS, NGRAM, perplexity } from "./sequence-score.js";

const count = z.int().nonnegative();

const place = {
  /** Number of the benchmark: 0 is the one that is audited. */
  benchmark: count,
  example_id: z.string(),
  language: z.enum(LANGUAGES),
  form: z.enum(AUDIT_FORMS),
  task: z.string(),
  difficulty: z.enum(DIFFICULTIES).nullable(),
};

const recordSchema = z.discriminatedUnion("status", [
  z.object({
    ...place,
    status: z.literal("scored"),
    tokens: z.int().positive(),
    nll: z.number().nonnegative(),
    characters: z.int().positive(),
    /** ACR_RENAMED: characters that differ from ACR's text; `null` for other forms. */
    renamed_characters: z.int().positive().nullable(),
    ngram_starts: count,
    ngram_hits: count.nullable(),
    /** The n-grams that greedy generation gets right. */
    hits: z.array(z.object({ start: count, text: z.string() })),
  }),
  z.object({ ...place, status: z.literal("failed"), failure: z.string(), detail: z.string() }),
  /** There is no such text: the code has no identifier to rename. */
  z.object({ ...place, status: z.literal("not_renamed") }),
]);

/** One line of the journal: one text, and what became of it. */
export type AuditRecord = z.infer<typeof recordSchema>;

/** The journal of an audit: a line a text, in the order of the plan. */
export const AUDIT_JOURNAL: JournalCodec<AuditRecord> & { readonly file: string } = {
  file: "contamination.jsonl",
  kind: "audit",
  journal: "the scored texts of an audit",
  record: "a scored text of an audit",
  onDamage: "Remove this line and all after it: the same command scores them again.",
  version1: "facts",
  ...jsonRecord(recordSchema),
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
    columnsOf<AuditRecord>([
      ["example_id", "string", "The example, as in the dataset.", ({ example_id }) => example_id],
      ["language", "string", "Language of the code.", ({ language }) => language],
      [
        "form",
        "string",
        "ACR: prompt and post-review code. MCQA: stem and options, the right one at A.",
        ({ form }) => (form === "MCQA" ? form : "ACR"),
      ],
      ["task", "string", "ACR, CTR, CL or SI.", ({ task }) => task],
      ["difficulty", "string", "easy or hard; empty for a task that has one form.", ({ difficulty }) => difficulty],
      [
        "tokens",
        "integer",
        "Predicted tokens: BOS is not counted. Empty where the text was not scored (audit.json: why).",
        (record) => scored(record)?.tokens ?? null,
      ],
      ["nll", "number", "Sum of their negative log probabilities, nats.", (record) => scored(record)?.nll ?? null],
      [
        "perplexity",
        "number",
        "exp(nll / tokens).",
        (record) => (record.status === "scored" ? perplexity(record) : null),
      ],
      ["ngram_n", "integer", "Tokens of an n-gram.", () => NGRAM.n],
      [
        "ngram_starts",
        "integer",
        "How many n-grams were tried; 0: the text is too short.",
        (record) => scored(record)?.ngram_starts ?? null,
      ],
      [
        "ngram_hits",
        "integer",
        "How many of them greedy generation gets right; empty where the engine does not tell the most probable token.",
        (record) => scored(record)?.ngram_hits ?? null,
      ],
      ["ngram_accuracy", "number", "ngram_hits / ngram_starts.", (record) => accuracy(scored(record))],
    ]),
  ),
};

type ScoredRecord = Extract<AuditRecord, { status: "scored" }>;

function scored(record: AuditRecord): ScoredRecord | null {
  return record.status === "scored" ? record : null;
}

function accuracy(record: ScoredRecord | null): number | null {
  if (record === null || record.ngram_hits === null || record.ngram_starts === 0) return null;
  return record.ngram_hits / record.ngram_starts;
}

/** A row of the audit's summary without its audit: what `--json` prints of it. */
export const CONTAMINATION_SUMMARY_COLUMNS = columnsOf<ContaminationRow>([
  [
    "benchmark",
    "string",
    "The dataset: the audited one first, then those it is held against.",
    ({ benchmark }) => benchmark,
  ],
  ["form", "string", "ACR, MCQA, or ACR_RENAMED: ACR with its identifiers renamed.", ({ form }) => form],
  ["task", "string", "ACR, CTR, CL or SI; empty for all MCQA tasks together.", ({ task }) => task],
  [
    "difficulty",
    "string",
    "easy or hard; empty for a task that has one form, and for all together.",
    ({ difficulty }) => difficulty,
  ],
  ["group_by", "string", "overall or language.", ({ groupBy }) => groupBy],
  ["group", "string", "The language; all for overall.", ({ group }) => group],
  ["metric", "string", "See the list of metrics.", ({ metric }) => metric],
  ["value", "number", "Empty where the metric is not defined.", ({ value }) => value],
  ["ci_low", "number", "Lower end of the 95 % interval; empty where there is none.", ({ ciLow }) => ciLow],
  ["ci_high", "number", "Upper end.", ({ ciHigh }) => ciHigh],
  ["n", "integer", "What the value is taken over: see the metric.", ({ n }) => n],
]);

export const CONTAMINATION_SUMMARY: Table<RunRow<ContaminationRow>> = {
  file: "contamination_summary.csv",
  title: "One row a number about one form of one benchmark: tidy.",
  primaryKey: ["run_id", "benchmark", "form", "task", "difficulty", "group_by", "group", "metric"],
  columns: runColumns("audit", CONTAMINATION_SUMMARY_COLUMNS),
};
