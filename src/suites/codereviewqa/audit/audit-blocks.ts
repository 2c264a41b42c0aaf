import { groupName, LANGUAGES } from "../../../base/language.js";
import { counted, shorten } from "../../../base/text.js";
import { modelName } from "../../../model/vendor/model-name.js";
import type { Block, TableBlock } from "../../../report/block.js";
import {
  boundedColumn,
  type ColumnOf,
  heading,
  MISSING,
  notice,
  numberColumn,
  rightColumn,
  sentence,
  tableOf,
  textCell,
  textColumn,
  when,
} from "../../../report/make-block.js";
import {
  BENCHMARK,
  differenceBlocks,
  type FormNumbers,
  formName,
  formNumbers,
  methodBlock,
  renamingBlocks,
  taskName,
} from "./audit-differences.js";
import type { AuditFile, FormCounts, MemorisedText } from "./audit-file.js";
import type { ContaminationRow } from "./audit-record.js";
import { LEAST_EXAMPLES, tooFewText } from "./sequence-score.js";

/** A finished audit, and where it is. */
interface AuditSubject {
  readonly audit: AuditFile;
  readonly summary: readonly ContaminationRow[];
  readonly folder: string;
}

/** The report of `probe audit`: the paper's Table 4, forms, languages, differences, and texts that stand out. */
export function auditBlocks({ audit, summary, folder }: AuditSubject): Block[] {
  const benchmarks = audit.benchmarks.map(({ name, selected }) => `${name} (${counted(selected, "examples")})`);
  return [
    sentence(`${modelName(audit.model)} · ${counted(audit.sequences, "texts")} of ${benchmarks.join(", ")}`),
    ...numberBlocks(formNumbers(summary), audit.benchmarks[0]?.name ?? ""),
    ...memorisedBlocks(audit),
    ...troubleNotices(audit),
    heading(3, "Method"),
    methodBlock(audit),
    sentence(`Results: ${folder}`),
  ];
}

/** The tables of an audit. */
function numberBlocks(numbers: readonly FormNumbers[], audited: string): Block[] {
  const overall = numbers.filter(({ group }) => group === "all");
  return [
    heading(3, "By benchmark and form (paper, Table 4)"),
    tableOf(null, [BENCHMARK, FORM, ...NUMBER_COLUMNS], overall.filter(isWhole)),
    ...furtherBlocks(numbers, audited),
  ];
}

/** Numbers besides Table 4: probes, languages, differences of forms, cost of renaming. */
function furtherBlocks(numbers: readonly FormNumbers[], audited: string): Block[] {
  const overall = numbers.filter(({ group }) => group === "all");
  const own = numbers.filter(({ benchmark }) => benchmark === audited);
  return [
    ...probeBlocks(own.filter(({ group }) => group === "all")),
    ...languageBlocks(own.filter(({ group }) => group !== "all")),
    ...differenceBlocks(overall),
    ...renamingBlocks(overall, audited),
  ];
}

/** Examples named on a page as known by heart. */
const MAX_MEMORISED = 50;

/** All of an audit but its line of Table 4, for a page. */
export function detailBlocks({ audit, summary }: Pick<AuditSubject, "audit" | "summary">): Block[] {
  return [
    heading(3, modelName(audit.model)),
    ...furtherBlocks(formNumbers(summary), audit.benchmarks[0]?.name ?? ""),
    ...memorisedBlocks(audit, MAX_MEMORISED),
    ...troubleNotices(audit),
    methodBlock(audit),
  ];
}

/** The paper's Table 4 of several audits: a line a model, benchmark and form. */
export function contaminationTable(audits: readonly Pick<AuditSubject, "audit" | "summary">[]): TableBlock {
  const rows = audits.flatMap(({ audit, summary }) =>
    formNumbers(summary)
      .filter((row) => row.group === "all" && isWhole(row))
      .map((numbers) => ({ model: modelName(audit.model), numbers })),
  );
  const columns = [BENCHMARK, FORM, ...NUMBER_COLUMNS].map((column) => {
    return { ...column, cell: ({ numbers }: (typeof rows)[number]) => column.cell(numbers) };
  });
  const model = textColumn<(typeof rows)[number]>("model", "model", (row) => row.model);
  return tableOf("Contamination: perplexity and 5-gram accuracy", [model, ...columns], rows, { isSortable: true });
}

/** Not of a single probe. */
function isWhole({ form, task }: FormNumbers): boolean {
  return form !== "MCQA" || task === null;
}

const FORM = textColumn<FormNumbers>("form", "form", ({ form }) => formName(form));
const TASK = textColumn<FormNumbers>("task", "task", taskName);
const LANGUAGE = textColumn<FormNumbers>("language", "language", ({ group }) => groupName(group));

/** The columns of every table of an audit's numbers. */
const NUMBER_COLUMNS: readonly ColumnOf<FormNumbers>[] = [
  numberColumn("texts", "texts", "count", ({ metric }) => metric("perplexity_mean")?.n ?? 0, { importance: 2 }),
  boundedColumn("perplexity", "perplexity (95 %)", "perplexity", ({ metric }) => metric("perplexity_mean")),
  numberColumn("corpus", "corpus", "perplexity", ({ metric }) => metric("perplexity_corpus")?.value, { importance: 3 }),
  numberColumn("median", "median", "perplexity", ({ metric }) => metric("perplexity_median")?.value, { importance: 3 }),
  boundedColumn("ngrams", "5-gram accuracy % (95 %)", "points", ({ metric }) => metric("ngram_accuracy"), {
    shortLabel: "5-grams % (95 %)",
  }),
];

/** The numbers of the probes, where there are several. */
function probeBlocks(overall: readonly FormNumbers[]): Block[] {
  const probes = overall.filter((row) => !isWhole(row));
  if (probes.length < 2) return [];
  return [
    heading(3, `MCQA by task and difficulty: ${probes[0]?.benchmark ?? ""}`),
    tableOf(null, [TASK, ...NUMBER_COLUMNS], probes),
  ];
}

function languageBlocks(numbers: readonly FormNumbers[]): Block[] {
  const forms = numbers.filter((row) => row.form === "ACR" || (row.form === "MCQA" && row.task === null));
  const rows = LANGUAGES.flatMap((language) => forms.filter(({ group }) => group === language));
  if (new Set(rows.map(({ group }) => group)).size < 2) return [];
  return [
    heading(3, `By language: ${rows[0]?.benchmark ?? ""}`),
    tableOf(null, [LANGUAGE, FORM, ...NUMBER_COLUMNS], rows),
  ];
}

const MAX_SHOWN = 10;
const MAX_TEXT = 60;
const LONGEST_ID = 40;

/** The texts that look memorised, each with the n-grams that were hit. */
function memorisedBlocks({ results, benchmarks }: AuditFile, most = MAX_SHOWN): Block[] {
  const memorised = results?.memorised ?? [];
  const title = "Texts that look memorised (every 5-gram hit, or a perplexity far below the others of its form)";
  if (memorised.length === 0) return [heading(3, "Memorised texts"), sentence(`${title}: none`)];
  const columns = COLUMNS.filter(({ id }) => id !== "benchmark" || benchmarks.length > 1);
  const rest = memorised.length - most;
  return [
    heading(3, "Memorised texts"),
    tableOf(`${title}: ${memorised.length}`, columns, memorised.slice(0, most)),
    ...when(rest > 0, sentence(`… and ${rest} more in audit.json`)),
  ];
}

const COLUMNS: readonly ColumnOf<MemorisedText>[] = [
  textColumn("benchmark", "benchmark", ({ benchmark }) => benchmark, { importance: 3 }),
  textColumn("example", "example", ({ example_id }) => shorten(example_id, LONGEST_ID)),
  textColumn("language", "language", ({ language }) => language, { importance: 3 }),
  textColumn("form", "form", taskName, { importance: 2 }),
  numberColumn("perplexity", "perplexity", "perplexity", ({ perplexity }) => perplexity),
  numberColumn("median", "median", "perplexity", ({ median_perplexity }) => median_perplexity, { importance: 2 }),
  rightColumn("hits", "hits", ({ ngram_hits, ngram_starts }) =>
    ngram_hits === null ? MISSING : textCell(`${ngram_hits}/${ngram_starts}`),
  ),
  textColumn("hit text", "hit text", ({ hits }) => hits.map(({ text }) => shorten(JSON.stringify(text), MAX_TEXT)), {
    importance: 2,
  }),
];

/** Texts that were not scored, or not fully, with their examples; and benchmarks that are too small to say much. */
function troubleNotices({ results, benchmarks }: AuditFile): Block[] {
  const left = benchmarks.flatMap(({ name, selected, invalid, left_out }) => [
    ...(selected < LEAST_EXAMPLES ? [`${name}: ${tooFewText(selected)}`] : []),
    ...(invalid > 0 ? [`${name}: ${invalid} invalid lines skipped`] : []),
    ...(left_out > 0 ? [`${name}: ${left_out} left out (a language no probe knows, or a copy)`] : []),
  ]);
  const forms = (results?.counts ?? []).flatMap(({ benchmark, forms: counts }) =>
    counts.flatMap((form) => formTroubles(`${benchmark} ${taskName(form)}`, form)),
  );
  return [...left, ...forms].map((text) => notice("warning", text));
}

function formTroubles(name: string, { failed, too_short, not_renamed }: FormCounts): string[] {
  const failures = Object.entries(failed).map(
    ([kind, ids]) => `${name}: ${ids.length} not scored (${kind}): ${idList(ids)}`,
  );
  return [
    ...failures,
    ...(too_short.length > 0 ? [`${name}: ${too_short.length} too short for 5-grams: ${idList(too_short)}`] : []),
    ...(not_renamed.length > 0
      ? [`${name}: ${not_renamed.length} without a name to rename: ${idList(not_renamed)}`]
      : []),
  ];
}

function idList(ids: readonly string[]): string {
  const shown = ids.slice(0, MAX_SHOWN).map((id) => shorten(id, LONGEST_ID));
  const rest = ids.length - shown.length;
  return `${shown.join(", ")}${rest > 0 ? `, … and ${rest} more in audit.json` : ""}`;
}
