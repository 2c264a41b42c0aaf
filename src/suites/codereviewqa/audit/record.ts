import { z } from "zod";
import { LANGUAGES } from "../../../base/language.js";
import { DIFFICULTIES } from "../../../dataset/example.js";
import type { JournalCodec } from "../../../store/journal/codec.js";
import { jsonRecord } from "../../../store/journal/json-record.js";
import { readJournal } from "../../../store/journal/read-journal.js";
import { AUDIT_FORMS } from "../metric/contamination/scored-set.js";

const count = z.int().nonnegative();

const place = {
  /** Which benchmark: 0 is the one that is audited. */
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
