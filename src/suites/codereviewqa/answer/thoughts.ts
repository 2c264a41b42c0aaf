import { join } from "node:path";
import { z } from "zod";
import { type SymbolReply, THOUGHT_ENDS, type TracePoint } from "../../../model/requests.js";
import { COUNT, nullable, oneOf, optional, schemaType, TEXT } from "../../../store/field-type.js";
import type { FolderCodec } from "../../../store/journal/codec.js";
import { JournalWriter } from "../../../store/journal/journal-writer.js";
import { field, type RecordOf, recordTable, structured } from "../../../store/record-fields.js";
import { type AnswerPlace, PLACE_FIELDS, placeOf } from "./answer.js";
import { chooseByScore, logprobsOf, type ShownOptions } from "./assemble-answer.js";

const count = z.int().nonnegative();

/** Schema of a point of a trace. */
const tracePoint = z
  .object({
    /** Tokens of thoughts before it. */
    tokens: count,
    /** Symbol and option that would have been answered; `null`: undecided. */
    symbol: z.string().nullable(),
    option: count.nullable(),
    /** By symbol, nats; `null` where unknown. */
    logprobs: z.record(z.string(), z.number().nullable()),
  })
  .readonly();

const THOUGHT_FIELDS = {
  ...PLACE_FIELDS,
  text: field(nullable(TEXT)),
  tokens: field(nullable(COUNT)),
  end: field(oneOf(THOUGHT_ENDS)),
  /** The answer along the thoughts (`--trace-thoughts`), in the order of its points. */
  trace: structured(optional(schemaType("points of a trace", z.array(tracePoint).readonly()))),
};

/** Thoughts of a model before one answer. */
export type ThoughtRecord = RecordOf<typeof THOUGHT_FIELDS>;

const TABLE = recordTable(THOUGHT_FIELDS, "thoughts");

/**
 * The journal of thoughts: one a place of the answers, in front of its answer. The last of a place counts, as an answer that
 * a kill lost is thought about again.
 */
export const THOUGHT_JOURNAL: FolderCodec<ThoughtRecord> = {
  file: "thoughts.jsonl",
  kind: "thoughts",
  journal: "the thoughts of a run",
  record: "the thoughts before an answer",
  onDamage: "Remove that line: its answer stays.",
  version1: "record",
  encode: TABLE.encode,
  decode: TABLE.decode,
  placeOf,
  isFailed: () => false,
};

/** Record of the thoughts of a reply; `null`: it has none. */
export function assembleThoughts(place: AnswerPlace, shown: ShownOptions, reply: SymbolReply): ThoughtRecord | null {
  const { thoughts } = reply;
  if (thoughts === undefined) return null;
  const { text, tokens, end, trace } = thoughts;
  return { text, tokens, end, ...(trace && { trace: trace.map((point) => pointOf(point, shown)) }), ...place };
}

function pointOf({ tokens, scores }: TracePoint, shown: ShownOptions): z.infer<typeof tracePoint> {
  const outcome = chooseByScore(scores, shown);
  const chosen = outcome.status === "chosen" ? outcome : null;
  const logprobs = Object.fromEntries(logprobsOf({ scores }, shown).map(({ symbol, logprob }) => [symbol, logprob]));
  return { tokens, symbol: chosen?.chosenSymbol ?? null, option: chosen?.chosenOption ?? null, logprobs };
}

/** An order of a question, as it was asked. */
interface Asked {
  readonly place: AnswerPlace;
  readonly shown: ShownOptions;
}

/** Writer of thoughts into their journal. */
export class ThoughtWriter {
  readonly #journal: JournalWriter<ThoughtRecord>;

  private constructor(journal: JournalWriter<ThoughtRecord>) {
    this.#journal = journal;
  }

  static async open({ folder, fingerprint }: Record<"folder" | "fingerprint", string>): Promise<ThoughtWriter> {
    return new ThoughtWriter(
      await JournalWriter.open(join(folder, THOUGHT_JOURNAL.file), THOUGHT_JOURNAL, { fingerprint }),
    );
  }

  /** Resolves when the thoughts of a reply are in the file; at once where it shows none. */
  async write({ place, shown }: Asked, reply: SymbolReply): Promise<void> {
    const record = assembleThoughts(place, shown, reply);
    if (record === null || (record.text === null && record.trace === undefined)) return;
    await this.#journal.append(record);
  }

  close(): Promise<void> {
    return this.#journal.close();
  }
}
