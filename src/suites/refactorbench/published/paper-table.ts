import type { ColumnOf } from "../../../report/make-block.js";
import type { FixtureFacts } from "./fixture-facts.js";
import type { Condition } from "./published-conditions.js";
import type { PublishedRow } from "./published-row.js";

/** Rows to recompute the tables from. */
export interface Published {
  readonly rows: readonly PublishedRow[];
  readonly conditions: readonly Condition[];
  /** `true`: Table 13 from rounded means, dollars to three decimals, minutes to one, as the printed one was made. */
  readonly isRounded: boolean;
  readonly facts: ReadonlyMap<string, FixtureFacts>;
}

/** A table of the paper. */
export interface PaperTable<Row> {
  readonly title: string;
  /** Columns that it wants besides those of all tables. */
  readonly wants: readonly string[];
  /** Rows, by the names that `--json` prints. */
  readonly rows: (from: Published) => Row[];
  /** Columns for people. */
  readonly columns: readonly ColumnOf<Row>[];
}

/** A table, once its columns are told, which are of its rows. */
export function paperTable<Row>(table: Omit<PaperTable<Row>, "columns">) {
  return (columns: PaperTable<Row>["columns"]): PaperTable<Row> => ({ ...table, columns });
}
