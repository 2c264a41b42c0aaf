import Table from "cli-table3";
import { printable } from "../../../../base/text.js";
import type { AuditFile, FormCounts, MemorisedText } from "../../audit/audit-file.js";
import { LEAST_EXAMPLES, tooFewText } from "../../metric/contamination/few-examples.js";
import { STYLE, taskName } from "./audit-numbers.js";

const MAX_SHOWN = 10;
const MAX_TEXT = 60;

/** The texts that look memorised, each with the n-grams that were hit. */
export function memorisedLines(memorised: readonly MemorisedText[], isSeveral: boolean): string[] {
  const title = "Texts that look memorised (every 5-gram hit, or a perplexity far below the others of its form)";
  if (memorised.length === 0) return [`${title}: none`];
  const table = new Table({
    head: [
      ...(isSeveral ? ["benchmark"] : []),
      "example",
      "language",
      "form",
      "perplexity",
      "median",
      "hits",
      "hit text",
    ],
    style: STYLE,
  });
  for (const text of memorised.slice(0, MAX_SHOWN)) {
    table.push([
      ...(isSeveral ? [printable(text.benchmark)] : []),
      printable(text.example_id, 40),
      text.language,
      taskName(text),
      text.perplexity.toFixed(2),
      text.median_perplexity.toFixed(2),
      text.ngram_hits === null ? "–" : `${text.ngram_hits}/${text.ngram_starts}`,
      text.hits.map((hit) => quoted(hit.text)).join("\n"),
    ]);
  }
  const rest = memorised.length - MAX_SHOWN;
  return [`${title}: ${memorised.length}`, table.toString(), ...(rest > 0 ? [`… and ${rest} more in audit.json`] : [])];
}

/** Line breaks and tabs are shown as `\n` and `\t`. */
function quoted(text: string): string {
  return printable(JSON.stringify(text), MAX_TEXT);
}

/** What was not scored, or not fully, and which examples they are; and which benchmarks are too small to say much. */
export function troubleLines({ results, benchmarks }: AuditFile): string[] {
  const left = benchmarks.flatMap(({ name, selected, invalid, left_out }) => [
    ...(selected < LEAST_EXAMPLES ? [`${printable(name)}: ${tooFewText(selected)}; intervals by Student's t`] : []),
    ...(invalid > 0 ? [`${printable(name)}: ${invalid} invalid lines skipped`] : []),
    ...(left_out > 0 ? [`${printable(name)}: ${left_out} left out (a language no probe knows, or a copy)`] : []),
  ]);
  const forms = (results?.counts ?? []).flatMap(({ benchmark, forms: counts }) =>
    counts.flatMap((form) => formTroubles(`${printable(benchmark)} ${taskName(form)}`, form)),
  );
  return [...left, ...forms];
}

function formTroubles(name: string, { failed, too_short, not_renamed }: FormCounts): string[] {
  const failures = Object.entries(failed).map(
    ([kind, ids]) => `${name}: ${ids.length} not scored (${printable(kind)}): ${idList(ids)}`,
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
  const shown = ids.slice(0, MAX_SHOWN).map((id) => printable(id, 40));
  const rest = ids.length - shown.length;
  return `${shown.join(", ")}${rest > 0 ? `, … and ${rest} more in audit.json` : ""}`;
}
