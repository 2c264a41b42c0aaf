import type { Block, NumberFormat } from "../../../report/block.js";
import { type ColumnOf, intervalOf, numberCell, tableOf, textCell } from "../../../report/make-block.js";
import type { Estimate } from "../../../stats/interval.js";
import type {
  BucketRow,
  ConditionKey,
  ConfidenceRow,
  CostRow,
  EffectRow,
  GapRow,
  ModelBucketsRow,
  PassRow,
  RetryRow,
} from "./paper-tables.js";
import type { PublishedTables } from "./published-tables.js";

const MODEL = left<{ readonly model: string }>("model", "model", ({ model }) => model);

/** What names a row of one condition. */
const CONDITION: readonly ColumnOf<ConditionKey>[] = [
  MODEL,
  left("test_runner", "runner", ({ testRunner }) => testRunner),
];

const PASS: readonly ColumnOf<PassRow>[] = [
  ...CONDITION,
  right("pass", "pass", "count", ({ passes }) => passes),
  estimated("rate", "%, 95 % interval", ({ rate }) => rate),
  right("minutes", "min, blank 0", "short", (row) => row.averageMinutesPublished, 2),
];

const EFFECT: readonly ColumnOf<EffectRow>[] = [
  MODEL,
  right("difference", "Δ points", "points_change", ({ difference }) => difference),
  right("enabled_only", "on only", "count", ({ enabledOnly }) => enabledOnly),
  right("disabled_only", "off only", "count", ({ disabledOnly }) => disabledOnly),
  right("p", "p", "pvalue", ({ p }) => p),
  right("q", "adjusted", "pvalue", ({ q }) => q),
];

const CONFIDENCE: readonly ColumnOf<ConfidenceRow>[] = [
  ...CONDITION,
  right("reported", "reported", "count", ({ reported }) => reported),
  right("pass", "pass", "count", ({ passes }) => passes),
  right("failed", "of reported failed", "count", (row) => row.falseConfidence, 2),
  estimated("rate", "%, 95 % interval", ({ rate }) => rate),
];

const COST: readonly ColumnOf<CostRow>[] = [
  ...CONDITION,
  right("minutes", "min", "short", (row) => row.averageMinutesPublished),
  right("usd", "USD, blank 0", "coefficient", (row) => row.averageUsdPublished),
  right("usd_measured", "USD, measured", "coefficient", ({ averageUsd }) => averageUsd),
  right("total", "total", "short", ({ totalUsd }) => totalUsd, 2),
  right("non_success", "no success", "count", ({ nonSuccess }) => nonSuccess),
];

const GAP: readonly ColumnOf<GapRow>[] = [
  ...CONDITION,
  right("pass", "pass", "count", ({ passes }) => passes),
  right("gap", "not", "count", ({ gap }) => gap),
  right("unreported", "of them not reported", "count", (row) => row.nonSuccessFailures),
  right("reported", "reported", "count", (row) => row.reportedSuccessFailures),
];

const BUCKET: readonly ColumnOf<BucketRow>[] = [
  left("bucket", "failure", ({ bucket }) => bucket),
  right("count", "count", "count", ({ count }) => count),
  right("share", "%", "points", ({ share }) => share),
];

const MODEL_BUCKETS: readonly ColumnOf<ModelBucketsRow>[] = [
  MODEL,
  right("failures", "fail", "count", ({ failures }) => failures),
  right("non_success", "no succ.", "count", ({ counts }) => counts.non_success),
  right("syntax", "syntax", "count", ({ counts }) => counts.syntax),
  right("import", "import", "count", ({ counts }) => counts.import),
  right("dom", "DOM", "count", ({ counts }) => counts.dom),
  right("assertion", "assert", "count", ({ counts }) => counts.assertion),
  right("runtime", "run", "count", ({ counts }) => counts.runtime),
  right("other", "other", "count", ({ counts }) => counts.other),
];

const RETRY: readonly ColumnOf<RetryRow>[] = [
  ...CONDITION,
  right("success", "% in 3 tries", "points", ({ success }) => success),
  right("usd", "USD a success", "ratio", (row) => row.usdPerSuccessPublished),
  right("minutes", "min a success", "short", (row) => row.minutesPerSuccessPublished),
];

/** The tables there are, in the order of the paper. */
export function tableBlocks(stats: PublishedTables): Block[] {
  return [
    tableOf("Table 3: hidden tests passed", PASS, stats.table3),
    tableOf("Table 4: what the test runner changes (McNemar, exact)", EFFECT, stats.table4),
    ...there("Table 5: reported successes that failed", CONFIDENCE, stats.table5),
    ...there("Table 6: time and cost a fixture", COST, stats.table6),
    ...there("Table 7: failures by what was reported", GAP, stats.table7),
    ...there("Table 8: failures by class", BUCKET, stats.table8),
    ...there("Table 9: failures by class and model", MODEL_BUCKETS, stats.table9),
    ...there("Table 13: cost of a success, blanks 0", RETRY, stats.table13),
  ];
}

function there<Row>(caption: string, columns: readonly ColumnOf<Row>[], rows: readonly Row[] | null): Block[] {
  return rows === null ? [] : [tableOf(caption, columns, rows)];
}

function left<Row>(id: string, label: string, text: (row: Row) => string): ColumnOf<Row> {
  return { id, label, align: "left", importance: 1, cell: (row) => textCell(text(row)) };
}

function right<Row>(
  id: string,
  label: string,
  format: NumberFormat,
  value: (row: Row) => number | null,
  importance: 1 | 2 | 3 = 1,
): ColumnOf<Row> {
  return { id, label, align: "right", importance, cell: (row) => numberCell(value(row), format) };
}

function estimated<Row>(id: string, label: string, of: (row: Row) => Estimate | null): ColumnOf<Row> {
  const cell = (row: Row) => {
    const estimate = of(row);
    return numberCell(estimate?.value, "points", { interval: intervalOf(estimate?.low, estimate?.high) });
  };
  return { id, label, align: "right", importance: 1, cell };
}
