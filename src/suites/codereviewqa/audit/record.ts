import { z } from "zod";
import { messageOf, ProbeError } from "../../../base/errors.js";
import { LANGUAGES } from "../../../base/language.js";
import { shortenLines } from "../../../base/text.js";
import { readLines } from "../../../store/lines.js";
import { DIFFICULTIES } from "../example/example.js";
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

/** In the audit's folder; its first line says what the audit is. */
export const JOURNAL_FILE = "contamination.jsonl";

/**
 * Streams a journal. A torn last line is passed over.
 * @throws ProbeError `bad_input` when a whole line is damaged
 */
export async function* readRecords(path: string): AsyncGenerator<AuditRecord> {
  for await (const line of readLines(path)) {
    if (line.number > 1 && line.terminated) yield parseRecord(path, line.number, line.bytes.toString("utf8"));
  }
}

function parseRecord(path: string, line: number, text: string): AuditRecord {
  try {
    return recordSchema.parse(JSON.parse(text));
  } catch (cause) {
    const found = cause instanceof z.ZodError ? z.prettifyError(cause) : messageOf(cause);
    throw new ProbeError(
      "bad_input",
      `${path}:${line}: expected a scored text of an audit, found a damaged line (${shortenLines(found, 300)}). ` +
        "Remove this line and all after it: the same command scores them again.",
      { cause },
    );
  }
}
