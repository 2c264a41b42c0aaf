/** A column of a table: its name, its Frictionless type, and what a reader must know. */
export interface Column {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean";
  readonly description: string;
}

export interface TableDefinition {
  /** File name in the run's folder. */
  readonly file: string;
  readonly title: string;
  readonly primaryKey: readonly string[];
  readonly columns: readonly Column[];
}
