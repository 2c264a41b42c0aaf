import type { Block } from "../../../report/block.js";
import { type ColumnOf, estimateColumn, numberColumn, tableOf, textColumn } from "../../../report/make-block.js";
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

const MODEL = textColumn<{ readonly model: string }>("model", "model", ({ model }) => model);

/** Columns that name one condition. */
const CONDITION: readonly ColumnOf<ConditionKey>[] = [
  MODEL,
  textColumn("test_runner", "runner", ({ testRunner }) => testRunner),
];

const PASS: readonly ColumnOf<PassRow>[] = [
  ...CONDITION,
  numberColumn("pass", "pass", "count", ({ passes }) => passes),
  estimateColumn("rate", "%, 95 % interval", "points", ({ rate }) => rate),
  numberColumn("minutes", "min, blank 0", "short", (row) => row.averageMinutesPublished, { importance: 2 }),
];

const EFFECT: readonly ColumnOf<EffectRow>[] = [
  MODEL,
  numberColumn("difference", "Δ points", "points_change", ({ difference }) => difference),
  numberColumn("enabled_only", "on only", "count", ({ enabledOnly }) => enabledOnly),
  numberColumn("disabled_only", "off only", "count", ({ disabledOnly }) => disabledOnly),
  numberColumn("p", "p", "pvalue", ({ p }) => p),
  numberColumn("q", "adjusted", "pvalue", ({ q }) => q),
];

const CONFIDENCE: readonly ColumnOf<ConfidenceRow>[] = [
  ...CONDITION,
  numberColumn("reported", "reported", "count", ({ reported }) => reported),
  numberColumn("pass", "pass", "count", ({ passes }) => passes),
  numberColumn("failed", "of reported failed", "count", (row) => row.falseConfidence, { importance: 2 }),
  estimateColumn("rate", "%, 95 % interval", "points", ({ rate }) => rate),
];

const COST: readonly ColumnOf<CostRow>[] = [
  ...CONDITION,
  numberColumn("minutes", "min", "short", (row) => row.averageMinutesPublished),
  numberColumn("usd", "USD, blank 0", "coefficient", (row) => row.averageUsdPublished),
  numberColumn("usd_measured", "USD, measured", "coefficient", ({ averageUsd }) => averageUsd),
  numberColumn("total", "total", "short", ({ totalUsd }) => totalUsd, { importance: 2 }),
  numberColumn("non_success", "no success", "count", ({ nonSuccess }) => nonSuccess),
];

const GAP: readonly ColumnOf<GapRow>[] = [
  ...CONDITION,
  numberColumn("pass", "pass", "count", ({ passes }) => passes),
  numberColumn("gap", "not", "count", ({ gap }) => gap),
  numberColumn("unreported", "of them not reported", "count", (row) => row.nonSuccessFailures),
  numberColumn("reported", "reported", "count", (row) => row.reportedSuccessFailures),
];

const BUCKET: readonly ColumnOf<BucketRow>[] = [
  textColumn("bucket", "failure", ({ bucket }) => bucket),
  numberColumn("count", "count", "count", ({ count }) => count),
  numberColumn("share", "%", "points", ({ share }) => share),
];

const MODEL_BUCKETS: readonly ColumnOf<ModelBucketsRow>[] = [
  MODEL,
  numberColumn("failures", "fail", "count", ({ failures }) => failures),
  numberColumn("non_success", "no succ.", "count", ({ counts }) => counts.non_success),
  numberColumn("syntax", "syntax", "count", ({ counts }) => counts.syntax),
  numberColumn("import", "import", "count", ({ counts }) => counts.import),
  numberColumn("dom", "DOM", "count", ({ counts }) => counts.dom),
  numberColumn("assertion", "assert", "count", ({ counts }) => counts.assertion),
  numberColumn("runtime", "run", "count", ({ counts }) => counts.runtime),
  numberColumn("other", "other", "count", ({ counts }) => counts.other),
];

const RETRY: readonly ColumnOf<RetryRow>[] = [
  ...CONDITION,
  numberColumn("success", "% in 3 tries", "points", ({ success }) => success),
  numberColumn("usd", "USD a success", "ratio", (row) => row.usdPerSuccessPublished),
  numberColumn("minutes", "min a success", "short", (row) => row.minutesPerSuccessPublished),
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
