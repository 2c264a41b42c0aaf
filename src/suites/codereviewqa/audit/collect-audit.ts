import { median } from "simple-statistics";
import type { ProbeError } from "../../../base/errors.js";
import type { Language } from "../../../base/language.js";
import { shorten } from "../../../base/text.js";
import type { WorkIdentity } from "../../../store/identity.js";
import { foreignRecord, type JournalEntry, readJournal } from "../../../store/journal/read-journal.js";
import type { FormCounts, MemorisedText } from "./audit-file.js";
import { AUDIT_JOURNAL, type AuditRecord, readRecords, type ScoredText } from "./audit-record.js";
import { formKey, perplexity, type ScoredSet, type ScoreSummary, type SequenceForm } from "./sequence-score.js";

/** Content of a journal: a few numbers a text. */
interface CollectedAudit {
  readonly sets: readonly ScoredSet[];
  /** One a benchmark. */
  readonly counts: readonly { readonly benchmark: string; readonly forms: FormCounts[] }[];
}

/** A benchmark and what was scored of it, as a plan or `audit.json` knows it. */
interface AuditedBenchmark {
  readonly name: string;
  readonly forms: readonly SequenceForm[];
}

/**
 * Reads the journal of a finished audit.
 * @param identity of the audit; without it, that the journal belongs to it is not checked
 * @throws ProbeError `bad_input` when the journal is damaged, or holds what does not belong to the audit
 */
export async function collectAudit(
  journal: string,
  { benchmarks }: { readonly benchmarks: readonly AuditedBenchmark[] },
  identity?: WorkIdentity,
): Promise<CollectedAudit> {
  const collectors = benchmarks.map(({ name, forms }) => ({
    name,
    forms: forms.map(({ form, task, difficulty }) => ({ form, task, difficulty })),
    examples: new Map<string, { language: Language; scores: Map<string, ScoreSummary> }>(),
    counts: new Map(forms.map((form) => [formKey(form), new FormCounter()])),
  }));
  for await (const entry of readJournal(journal, AUDIT_JOURNAL, identity && { identity })) {
    const { record } = entry;
    const collector = collectors[record.benchmark];
    const counter = collector?.counts.get(formKey(record));
    if (counter === undefined && entry.form.version > 1) throw foreignText(journal, entry);
    counter?.note(record);
    const { exampleId, language, outcome } = record;
    if (collector === undefined || outcome.status !== "scored") continue;
    const example = collector.examples.get(exampleId) ?? { language, scores: new Map() };
    collector.examples.set(exampleId, example);
    const { status: _, hits: __, ...score } = outcome;
    example.scores.set(formKey(record), score);
  }
  return {
    sets: collectors.map(({ name, forms, examples }) => {
      return { benchmark: name, forms, examples: [...examples].map(([id, example]) => ({ id, ...example })) };
    }),
    counts: collectors.map(({ name, forms, counts }) => ({
      benchmark: name,
      forms: forms.map((form) => ({ ...form, ...(counts.get(formKey(form)) ?? new FormCounter()).counts() })),
    })),
  };
}

function foreignText(journal: string, entry: JournalEntry<AuditRecord>): ProbeError {
  const { benchmark, form, task, difficulty } = entry.record;
  const found = shorten([`dataset ${benchmark + 1}`, form, task, difficulty ?? ""].join(" ").trim(), 120);
  return foreignRecord(journal, AUDIT_JOURNAL, entry, found);
}

type Counts = Omit<FormCounts, "form" | "task" | "difficulty">;

class FormCounter {
  #scored = 0;
  readonly #failed = new Map<string, string[]>();
  readonly #tooShort: string[] = [];
  readonly #notRenamed: string[] = [];

  note({ exampleId: id, outcome }: AuditRecord): void {
    if (outcome.status === "not_renamed") this.#notRenamed.push(id);
    else if (outcome.status === "failed") {
      this.#failed.set(outcome.failure, [...(this.#failed.get(outcome.failure) ?? []), id]);
    } else {
      this.#scored++;
      if (outcome.ngramStarts === 0) this.#tooShort.push(id);
    }
  }

  counts(): Counts {
    return {
      scored: this.#scored,
      failed: Object.fromEntries(this.#failed),
      too_short: this.#tooShort,
      not_renamed: this.#notRenamed,
    };
  }
}

/** Bounds beyond which a text of one form of one benchmark stands out. */
interface Standard {
  readonly medianPerplexity: number;
  /** `null`: no text stands out by its perplexity. */
  readonly lowBound: number | null;
}

/**
 * The texts that look memorised, in the order of the journal: all n-grams hit, or a log perplexity far below those of the
 * same form of the same benchmark (`lowPerplexityBound`). Renamed code is not looked at: nobody can have seen it.
 */
export async function memorisedTexts(journal: string, sets: readonly ScoredSet[]): Promise<MemorisedText[]> {
  const standards = sets.map(({ examples, forms }) => {
    const looked = forms.filter(({ form }) => form !== "ACR_RENAMED").map(formKey);
    return new Map(looked.map((key) => [key, standardOf(examples.flatMap(({ scores }) => scores.get(key) ?? []))]));
  });
  const found: MemorisedText[] = [];
  for await (const record of readRecords(journal)) {
    const standard = standards[record.benchmark]?.get(formKey(record));
    const benchmark = sets[record.benchmark]?.benchmark;
    const { outcome } = record;
    if (outcome.status !== "scored" || standard === undefined || benchmark === undefined) continue;
    const reasons = reasonsOf(outcome, standard);
    if (reasons.length > 0) found.push({ ...memorised(record, outcome, benchmark, standard), reasons });
  }
  return found;
}

function standardOf(scores: readonly ScoreSummary[]): Standard {
  const logs = scores.map(({ nll, tokens }) => nll / tokens).sort((a, b) => a - b);
  const middle = ((logs[(logs.length - 1) >> 1] ?? 0) + (logs[logs.length >> 1] ?? 0)) / 2;
  return { medianPerplexity: Math.exp(middle), lowBound: lowPerplexityBound(logs) };
}

function reasonsOf({ ngramStarts, ngramHits, nll, tokens }: ScoredText, { lowBound }: Standard) {
  const isAllHit = ngramStarts > 0 && ngramHits === ngramStarts;
  const isLow = lowBound !== null && nll / tokens < lowBound;
  return [...(isAllHit ? (["all_ngrams"] as const) : []), ...(isLow ? (["low_perplexity"] as const) : [])];
}

function memorised(
  { exampleId, language, form, task, difficulty }: AuditRecord,
  text: ScoredText,
  benchmark: string,
  { medianPerplexity }: Standard,
) {
  return {
    benchmark,
    example_id: exampleId,
    language,
    form,
    task,
    difficulty,
    perplexity: perplexity(text),
    median_perplexity: medianPerplexity,
    ngram_hits: text.ngramHits,
    ngram_starts: text.ngramStarts,
    hits: text.hits,
  };
}

/** A median absolute deviation of this many times estimates a normal distribution's standard deviation. */
const CONSISTENT = 1.4826;
const DEVIATIONS = 3;
/** Fewer values do not tell their spread well enough. */
const LEAST_VALUES = 10;

/**
 * The log perplexity below which a text stands out of its set: median − 3 × 1.4826 × MAD of the set's log perplexities.
 * The median and the MAD do not follow the very outliers that are looked for.
 * @returns `null` for fewer than 10 values, or where half of them are the same
 */
export function lowPerplexityBound(logPerplexities: readonly number[]): number | null {
  if (logPerplexities.length < LEAST_VALUES) return null;
  const centre = median([...logPerplexities]);
  const spread = CONSISTENT * median(logPerplexities.map((value) => Math.abs(value - centre)));
  return spread > 0 ? centre - DEVIATIONS * spread : null;
}
