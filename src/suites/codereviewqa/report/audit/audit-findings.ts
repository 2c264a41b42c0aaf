import { shorten } from "../../../../base/text.js";
import type { Block, Column } from "../../../../report/block.js";
import {
  type ColumnOf,
  heading,
  MISSING,
  notice,
  numberCell,
  sentence,
  tableOf,
  textCell,
} from "../../../../report/make-block.js";
import type { AuditFile, FormCounts, MemorisedText } from "../../audit/audit-file.js";
import { LEAST_EXAMPLES, tooFewText } from "../../metric/contamination/few-examples.js";
import { taskName } from "./audit-numbers.js";

const MAX_SHOWN = 10;
const MAX_TEXT = 60;
const LONGEST_ID = 40;

/** The texts that look memorised, each with the n-grams that were hit. */
export function memorisedBlocks({ results, benchmarks }: AuditFile, most = MAX_SHOWN): Block[] {
  const memorised = results?.memorised ?? [];
  const title = "Texts that look memorised (every 5-gram hit, or a perplexity far below the others of its form)";
  if (memorised.length === 0) return [heading(3, "Memorised texts"), sentence(`${title}: none`)];
  const columns = COLUMNS.filter(({ id }) => id !== "benchmark" || benchmarks.length > 1);
  const rest = memorised.length - most;
  return [
    heading(3, "Memorised texts"),
    tableOf(`${title}: ${memorised.length}`, columns, memorised.slice(0, most)),
    ...(rest > 0 ? [sentence(`… and ${rest} more in audit.json`)] : []),
  ];
}

function named(
  label: string,
  importance: Column["importance"],
  of: (text: MemorisedText) => string,
): ColumnOf<MemorisedText> {
  return { id: label, label, align: "left", importance, cell: (text) => textCell(of(text)) };
}

const COLUMNS: readonly ColumnOf<MemorisedText>[] = [
  named("benchmark", 3, ({ benchmark }) => benchmark),
  named("example", 1, ({ example_id }) => shorten(example_id, LONGEST_ID)),
  named("language", 3, ({ language }) => language),
  named("form", 2, taskName),
  {
    id: "perplexity",
    label: "perplexity",
    align: "right",
    importance: 1,
    cell: ({ perplexity }) => numberCell(perplexity, "perplexity"),
  },
  {
    id: "median",
    label: "median",
    align: "right",
    importance: 2,
    cell: ({ median_perplexity }) => numberCell(median_perplexity, "perplexity"),
  },
  {
    id: "hits",
    label: "hits",
    align: "right",
    importance: 1,
    cell: ({ ngram_hits, ngram_starts }) => (ngram_hits === null ? MISSING : textCell(`${ngram_hits}/${ngram_starts}`)),
  },
  {
    id: "hit text",
    label: "hit text",
    align: "left",
    importance: 2,
    // Line breaks and tabs are shown as `\n` and `\t`.
    cell: ({ hits }) => textCell(hits.map(({ text }) => shorten(JSON.stringify(text), MAX_TEXT))),
  },
];

/** What was not scored, or not fully, and which examples they are; and which benchmarks are too small to say much. */
export function troubleNotices({ results, benchmarks }: AuditFile): Block[] {
  const left = benchmarks.flatMap(({ name, selected, invalid, left_out }) => [
    ...(selected < LEAST_EXAMPLES ? [`${name}: ${tooFewText(selected)}; intervals by Student's t`] : []),
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
