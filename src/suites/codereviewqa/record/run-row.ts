import { type Column, columnsAbout, columnsOf } from "../../../store/table.js";

/** The run that a row belongs to, and the model it asked: the columns that open every row. */
export interface RowOwner {
  readonly runId: string;
  readonly model: string;
}

/** A row of a run's table: what it is about, and whose it is. */
export interface RunRow<Item> extends RowOwner {
  readonly item: Item;
}

/** Columns about an item, behind those of its run. `file` is where the run is described. */
export function runColumns<Item>(kind: "run" | "audit", columns: readonly Column<Item>[]): Column<RunRow<Item>>[] {
  const [what, file] = kind === "run" ? ["run", "run.json"] : ["audit", "audit.json"];
  const owner = columnsOf<RowOwner>([
    ["run_id", "string", `The ${what}, as in ${file}.`, ({ runId }) => runId],
    ["model", "string", "The model as it was named on the command line.", ({ model }) => model],
  ]);
  return [...owner, ...columnsAbout(({ item }: RunRow<Item>) => item, columns)];
}

/** The rows of a run's table, one an item. */
export function runRows<Item>(owner: RowOwner, items: readonly Item[]): RunRow<Item>[] {
  return items.map((item) => ({ runId: owner.runId, model: owner.model, item }));
}
