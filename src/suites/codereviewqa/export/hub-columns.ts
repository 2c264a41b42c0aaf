import type { SchemaElement } from "hyparquet-writer";
import type { OfficialRecord } from "../../../dataset/official-record.js";

/** Kinds of cells: a text, texts, line numbers, sets of line numbers. */
type CellKind = "text" | "texts" | "lines" | "sets";

interface HubColumn {
  readonly name: keyof OfficialRecord;
  readonly kind: CellKind;
  readonly describe: string;
}

/** Columns of the table on the hub: the fields of a record, none besides. */
export const HUB_COLUMNS: readonly HubColumn[] = [
  { name: "id", kind: "text", describe: "Name of the example." },
  { name: "lang", kind: "text", describe: "Language of the code." },
  { name: "old", kind: "text", describe: "Hunk before the review, with marker columns." },
  { name: "new", kind: "text", describe: "Hunk after it." },
  { name: "review", kind: "text", describe: "The reviewer's comment." },
  { name: "type_correct", kind: "text", describe: "Type of change that it asks for." },
  { name: "type_wrong", kind: "texts", describe: "The two other types." },
  { name: "loc_correct", kind: "lines", describe: "Lines of the hunk before that it concerns; 0 is before the first." },
  { name: "loc_wrong_easy", kind: "sets", describe: "Three wrong sets of lines, easy to tell." },
  { name: "loc_wrong_hard", kind: "sets", describe: "Three wrong sets of lines, hard to tell." },
  { name: "solution_correct", kind: "text", describe: "The right revision, changed lines only." },
  { name: "solution_wrong_easy", kind: "texts", describe: "Three wrong revisions, easy to tell." },
  { name: "solution_wrong_hard", kind: "texts", describe: "Three wrong revisions, hard to tell." },
  { name: "not_built", kind: "text", describe: "Reasons why questions could not be built, by task, as JSON." },
  { name: "not_asked", kind: "text", describe: "Reasons why questions are not asked, by form, as JSON." },
  { name: "repo", kind: "text", describe: "Repository." },
  { name: "source", kind: "text", describe: "Origin of the review." },
  { name: "license", kind: "text", describe: "Licence of the code." },
];

/** A list or a text; an object as JSON. */
export function cellOf(value: OfficialRecord[keyof OfficialRecord]): unknown {
  if (value === undefined) return null;
  return typeof value === "string" || Array.isArray(value) ? value : JSON.stringify(value);
}

/** The elements of Parquet's schema that a column is. */
export function schemaOf({ name, kind }: HubColumn): SchemaElement[] {
  switch (kind) {
    case "text":
      return [textElement(name)];
    case "texts":
      return listOf(name, [textElement("element")]);
    case "lines":
      return listOf(name, [LINE]);
    case "sets":
      return listOf(name, listOf("element", [LINE]));
  }
}

const LINE: SchemaElement = { name: "element", type: "INT32", repetition_type: "OPTIONAL" };

function textElement(name: string): SchemaElement {
  return { name, type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" };
}

/** A list as Parquet has it since 2.4: three levels. */
function listOf(name: string, element: readonly SchemaElement[]): SchemaElement[] {
  return [
    { name, repetition_type: "OPTIONAL", num_children: 1, converted_type: "LIST" },
    { name: "list", repetition_type: "REPEATED", num_children: 1 },
    ...element,
  ];
}
