import { groupBy } from "../../../base/grouping.js";
import type { Block } from "../../../report/block.js";
import { type ColumnOf, estimateColumn, numberColumn, tableOf, textColumn } from "../../../report/make-block.js";
import { type Estimate, falseConfidence, proportion, retryModel } from "../../../stats/interval.js";
import { benjaminiHochberg, mcNemarExact } from "../../../stats/p-values.js";
import { FAILURE_BUCKETS, type FailureBucket } from "../failure-buckets.js";
import { FIXTURE_TABLES, type PaperTable, type Published, paperTable } from "./fixture-tables.js";
import {
  ARMS,
  type Condition,
  countOf,
  dollars,
  isFalselyConfident,
  keyOf,
  minutes,
  type PublishedRow,
  passes,
  reports,
} from "./published-row.js";

const MODEL = textColumn<{ readonly model: string }>("model", "model", ({ model }) => model);

const CONDITION: readonly ColumnOf<ReturnType<typeof keyOf>>[] = [
  MODEL,
  textColumn("test_runner", "runner", (row) => row.test_runner),
];

/** A table with a row a condition, by what its rows are made of. */
function conditionTable<Row extends object>(
  title: string,
  wants: readonly string[],
  rowOf: (rows: readonly PublishedRow[], isRounded: boolean) => Row,
) {
  const rows = ({ conditions, isRounded }: Published) =>
    conditions.map((condition) => ({ ...keyOf(condition), ...rowOf(condition.rows, isRounded) }));
  return (columns: readonly ColumnOf<ReturnType<typeof keyOf> & Row>[]) =>
    paperTable({ title, wants, rows })([...CONDITION, ...columns]);
}

/** A share with Wilson's interval; `null`: of nothing. */
function bounds(estimate: Estimate | null) {
  return { rate: estimate?.value ?? null, ci_low: estimate?.low ?? null, ci_high: estimate?.high ?? null };
}

const RATE = estimateColumn<ReturnType<typeof bounds>>("rate", "%, 95 % interval", "points", (row) =>
  row.rate === null ? null : { value: row.rate, low: row.ci_low, high: row.ci_high },
);

/** Columns of Table 9, and the classes that each counts. */
const MODEL_BUCKETS = {
  non_success: ["Reported non-success"],
  syntax: ["Syntax or parse failure"],
  import: ["Module import/export failure"],
  dom: ["DOM/query/UI mismatch"],
  assertion: ["Assertion-level behavior mismatch"],
  runtime: ["Runtime reference/type error"],
  other: ["Non-triviality failure", "Other hidden-test failure"],
} as const satisfies Record<string, readonly FailureBucket[]>;

/** The tables of the paper that can be recomputed, in its order. Means `_published` take blanks as 0, as the paper does. */
const PAPER_TABLES = {
  table3: conditionTable("Table 3: hidden tests passed", [], (rows) => {
    const pass = countOf(rows, passes);
    const { measured, n, published } = minutes(rows);
    return {
      n: rows.length,
      pass,
      ...bounds(proportion(pass, rows.length)),
      avg_min: measured,
      avg_min_published: n === 0 ? null : published,
    };
  })([
    numberColumn("pass", "pass", "count", ({ pass }) => pass),
    RATE,
    numberColumn("minutes", "min, blank 0", "short", (row) => row.avg_min_published, { importance: 2 }),
  ]),
  table4: paperTable({
    title: "Table 4: what the test runner changes (McNemar, exact)",
    wants: [],
    rows: ({ conditions }: Published) => effects(conditions),
  })([
    MODEL,
    numberColumn("difference", "Δ points", "points_change", ({ delta }) => delta),
    numberColumn("enabled_only", "on only", "count", (row) => row.enabled_only),
    numberColumn("disabled_only", "off only", "count", (row) => row.disabled_only),
    numberColumn("p", "p", "pvalue", ({ p }) => p),
    numberColumn("q", "adjusted", "pvalue", ({ q }) => q),
  ]),
  table5: conditionTable("Table 5: reported successes that failed", ["agent_reported_success"], (rows) => {
    const [reported, failed] = [countOf(rows, reports), countOf(rows, isFalselyConfident)];
    const rate = bounds(falseConfidence({ reported, failed }));
    return { reported, actual: countOf(rows, passes), false_confidence: failed, ...rate };
  })([
    numberColumn("reported", "reported", "count", ({ reported }) => reported),
    numberColumn("pass", "pass", "count", ({ actual }) => actual),
    numberColumn("failed", "of reported failed", "count", (row) => row.false_confidence, { importance: 2 }),
    RATE,
  ]),
  table6: conditionTable(
    "Table 6: time and cost a fixture",
    ["duration_ms", "refactoring_cost_usd", "agent_reported_success"],
    (rows) => {
      const { measured, n, published } = dollars(rows);
      return {
        avg_min_published: minutes(rows).published,
        avg_usd: measured,
        avg_usd_n: n,
        avg_usd_published: published,
        total_usd: published === null ? null : published * rows.length,
        non_success: countOf(rows, (row) => !reports(row)),
      };
    },
  )([
    numberColumn("minutes", "min", "short", (row) => row.avg_min_published),
    numberColumn("usd", "USD, blank 0", "coefficient", (row) => row.avg_usd_published),
    numberColumn("usd_measured", "USD, measured", "coefficient", (row) => row.avg_usd),
    numberColumn("total", "total", "short", (row) => row.total_usd, { importance: 2 }),
    numberColumn("non_success", "no success", "count", (row) => row.non_success),
  ]),
  table7: conditionTable("Table 7: failures by what was reported", ["agent_reported_success"], (rows) => {
    return {
      pass: countOf(rows, passes),
      gap: countOf(rows, (row) => !passes(row)),
      non_success_failures: countOf(rows, (row) => !passes(row) && !reports(row)),
      reported_success_failures: countOf(rows, isFalselyConfident),
    };
  })([
    numberColumn("pass", "pass", "count", ({ pass }) => pass),
    numberColumn("gap", "not", "count", ({ gap }) => gap),
    numberColumn("unreported", "of them not reported", "count", (row) => row.non_success_failures),
    numberColumn("reported", "reported", "count", (row) => row.reported_success_failures),
  ]),
  table8: paperTable({
    title: "Table 8: failures by class",
    wants: ["failure_bucket"],
    rows: ({ rows }: Published) => {
      const failed = rows.filter((row) => !passes(row));
      return FAILURE_BUCKETS.map((bucket) => {
        const count = countOf(failed, (row) => row.failureBucket === bucket);
        return { bucket, count, share: failed.length === 0 ? null : count / failed.length };
      });
    },
  })([
    textColumn("bucket", "failure", ({ bucket }) => bucket),
    numberColumn("count", "count", "count", ({ count }) => count),
    numberColumn("share", "%", "points", ({ share }) => share),
  ]),
  table9: paperTable({
    title: "Table 9: failures by class and model",
    wants: ["failure_bucket"],
    rows: ({ rows }: Published) =>
      [...groupBy(rows, ({ model }) => model)].map(([model, own]) => {
        const failed = own.filter((row) => !passes(row));
        const count = (buckets: readonly string[]) =>
          countOf(failed, ({ failureBucket }) => failureBucket !== null && buckets.includes(failureBucket));
        const counts = Object.entries(MODEL_BUCKETS).map(([name, buckets]) => [name, count(buckets)] as const);
        return {
          model,
          fail: failed.length,
          ...(Object.fromEntries(counts) as Readonly<Record<keyof typeof MODEL_BUCKETS, number>>),
        };
      }),
  })([
    MODEL,
    numberColumn("failures", "fail", "count", ({ fail }) => fail),
    numberColumn("non_success", "no succ.", "count", (row) => row.non_success),
    numberColumn("syntax", "syntax", "count", ({ syntax }) => syntax),
    numberColumn("import", "import", "count", (row) => row.import),
    numberColumn("dom", "DOM", "count", ({ dom }) => dom),
    numberColumn("assertion", "assert", "count", ({ assertion }) => assertion),
    numberColumn("runtime", "run", "count", ({ runtime }) => runtime),
    numberColumn("other", "other", "count", ({ other }) => other),
  ]),
  ...FIXTURE_TABLES,
  /** Cost of a success when up to three attempts are made, each as good as the one that was. */
  table13: conditionTable(
    "Table 13: cost of a success, blanks 0",
    ["duration_ms", "refactoring_cost_usd"],
    (rows, isRounded) => {
      const model = rows.length === 0 ? null : retryModel(countOf(rows, passes) / rows.length);
      const perSuccess = (mean: number | null, digits: number) => {
        const times = model?.attemptsPerSuccess ?? null;
        if (mean === null || times === null) return null;
        return (isRounded ? Number(mean.toFixed(digits)) : mean) * times;
      };
      return {
        p_succ: model?.success ?? null,
        usd_per_success_published: perSuccess(dollars(rows).published, 3),
        min_per_success_published: perSuccess(minutes(rows).published, 1),
      };
    },
  )([
    numberColumn("success", "% in 3 tries", "points", (row) => row.p_succ),
    numberColumn("usd", "USD a success", "ratio", (row) => row.usd_per_success_published),
    numberColumn("minutes", "min a success", "short", (row) => row.min_per_success_published),
  ]),
};

/** The effect of the test runner on each model, over the fixtures that both arms of a provider have. */
function effects(conditions: readonly Condition[]) {
  const models = [...new Set(conditions.map(({ model }) => model))];
  const found = models.flatMap((model) => {
    const [enabled, disabled] = [ARMS.enabled, ARMS.disabled].map((arm) =>
      conditions.find((condition) => condition.model === model && condition.testRunner === arm),
    );
    return enabled === undefined || disabled === undefined ? [] : [effectOf(model, enabled.rows, disabled.rows)];
  });
  // Adjusted for the number of models (Benjamini-Hochberg); not in the paper.
  const adjusted = benjaminiHochberg(found.map(({ p }) => p));
  return found.map((effect, i) => ({ ...effect, q: adjusted[i] ?? 1 }));
}

function effectOf(model: string, enabled: readonly PublishedRow[], disabled: readonly PublishedRow[]) {
  const pairOf = ({ provider, fixture }: PublishedRow) => JSON.stringify([provider, fixture]);
  const without = new Map(disabled.map((row) => [pairOf(row), row.passesTests]));
  const pairs = enabled.flatMap((row) => {
    const off = without.get(pairOf(row));
    return off === undefined ? [] : [{ on: row.passesTests, off }];
  });
  const count = (on: boolean, off: boolean) => pairs.filter((pair) => pair.on === on && pair.off === off).length;
  const [enabledOnly, disabledOnly] = [count(true, false), count(false, true)];
  return {
    model,
    both: count(true, true),
    enabled_only: enabledOnly,
    disabled_only: disabledOnly,
    neither: count(false, false),
    delta: pairs.length === 0 ? null : (enabledOnly - disabledOnly) / pairs.length,
    p: mcNemarExact(enabledOnly, disabledOnly),
  };
}

type Tables = typeof PAPER_TABLES;

/** The rows of each table; `null`: columns that it wants are missing. */
export type PaperRows = { readonly [Name in keyof Tables]: ReturnType<Tables[Name]["rows"]> | null };

const ALL = Object.entries(PAPER_TABLES) as readonly [keyof Tables, PaperTable<unknown>][];

/** Columns that each table lacks; none for those that are whole. */
export function lackingColumns(has: (column: string) => boolean): { table: string; missing: readonly string[] }[] {
  return ALL.flatMap(([table, { wants }]) => {
    const missing = wants.filter((column) => !has(column));
    return missing.length === 0 ? [] : [{ table, missing }];
  });
}

export function paperRows(from: Published, has: (column: string) => boolean): PaperRows {
  const made = ALL.map(([name, { wants, rows }]) => [name, wants.every(has) ? rows(from) : null]);
  return Object.fromEntries(made) as PaperRows;
}

/** The tables there are, in the order of the paper. */
export function tableBlocks(tables: PaperRows): Block[] {
  return ALL.flatMap(([name, { title, columns }]) => {
    const rows = tables[name];
    return rows === null ? [] : [tableOf(title, columns, rows)];
  });
}
