import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { formatRows, tableText, writeDataPackage, writeTable } from "../../src/store/csv.js";
import {
  COUNT,
  type FieldType,
  FLAG,
  MILLISECONDS,
  MISMATCH,
  NUMBER,
  nullable,
  oneOf,
  optional,
  SHARE,
  SIZE,
  schemaType,
  TEXT,
} from "../../src/store/field-type.js";
import { JournalWriter } from "../../src/store/journal/journal-writer.js";
import { readJournal } from "../../src/store/journal/read-journal.js";
import {
  derived,
  type Fields,
  field,
  fieldColumns,
  type RecordOf,
  recordTable,
  structured,
  variants,
} from "../../src/store/record-fields.js";
import type { Column, Table } from "../../src/store/table.js";
import { collect } from "../fixtures/collect.js";

const BASKET_FIELDS = {
  basketIndex: field(COUNT),
  owner: field(TEXT, "Who carries it."),
  note: field(optional(TEXT), { column: "Remark; none without one.", cell: (note) => note ?? "none" }),
  price: field(nullable(SIZE), { column: "Euros.", behind: "ripe" }),
  content: variants(
    {
      fruit: {
        kindOfFruit: field(oneOf(["apple", "pear"]), { name: "content", column: "What is in it." }),
        ripe: field(FLAG, "Whether it can be eaten."),
        isApple: derived("boolean", "Whether it is an apple.", ({ kindOfFruit }: { readonly kindOfFruit: string }) => {
          return kindOfFruit === "apple";
        }),
      },
      book: { title: field(TEXT, { name: "content", column: "What is in it." }) },
    },
    { others: "null", status: { column: "fruit or book.", behind: "content" } },
  ),
};
type Basket = RecordOf<typeof BASKET_FIELDS>;
const BASKETS = recordTable(BASKET_FIELDS, "basket");

const PEAR: Basket = {
  basketIndex: 0,
  owner: "Ada",
  price: 1.5,
  content: { status: "fruit", kindOfFruit: "pear", ripe: true, isApple: false },
};
const BOOK: Basket = {
  basketIndex: 1,
  owner: "Bo",
  note: "heavy",
  price: null,
  content: { status: "book", title: "Emma" },
};

const cellsBy = <T>(columns: readonly Column<T>[], row: T) =>
  Object.fromEntries(columns.map(({ name, value }) => [name, value(row)]));

describe("the line of a record", () => {
  it("has the kind, then the fields in the order of the table under their names in the line", () => {
    expect(BASKETS.encode(PEAR)).toBe(
      '{"kind":"basket","basket_index":0,"owner":"Ada","price":1.5,' +
        '"status":"fruit","kind_of_fruit":"pear","ripe":true,"title":null}',
    );
    expect(BASKETS.encode(BOOK)).toBe(
      '{"kind":"basket","basket_index":1,"owner":"Bo","note":"heavy","price":null,' +
        '"status":"book","kind_of_fruit":null,"ripe":null,"title":"Emma"}',
    );
  });

  it("is read back to the record, with what follows from it", () => {
    for (const basket of [PEAR, BOOK]) expect(BASKETS.decode(BASKETS.encode(basket))).toEqual(basket);
    expect("note" in BASKETS.decode(BASKETS.encode(PEAR))).toBe(false);
  });

  it("may leave the fields of other forms out, have no kind, and have fields that the table does not know", () => {
    const table = recordTable({
      result: variants({ done: { score: field(SHARE) }, lost: { reason: field(TEXT) } }, { others: "left out" }),
    });
    expect(table.encode({ result: { status: "lost", reason: "rain" } })).toBe('{"status":"lost","reason":"rain"}');
    expect(table.decode('{"status":"done","score":0.5,"later":[1]}')).toEqual({
      result: { status: "done", score: 0.5 },
    });
  });

  it.each([
    ["no JSON", "{", /JSON/],
    ["no object", "7", /expected the line to be an object, found 7/],
    ["null", "null", /expected the line to be an object, found null/],
    ["another kind", '{"kind":"bag"}', /expected kind to be "basket", found "bag"/],
    ["a field that is not there", '{"kind":"basket"}', /expected basket_index to be a whole number from 0, found none/],
    ["a form that is none", { status: "fish" }, /expected status to be one of fruit, book, found "fish"/],
    ["a field of its form that is absent", { title: null }, /expected title to be a text, found null/],
    ["another type where null may stand", { price: "1" }, /expected price to be a number from 0 or null, found "1"/],
    [
      "another type where nothing may stand",
      { note: null },
      /expected note to be a text, or no such field, found null/,
    ],
  ])("is refused when it has %s, naming the field, what was expected and what was found", (_, line, refusal) => {
    const text =
      typeof line === "string" ? line : JSON.stringify({ ...(JSON.parse(BASKETS.encode(BOOK)) as object), ...line });
    expect(() => BASKETS.decode(text)).toThrow(refusal);
  });
});

describe("the columns of a record", () => {
  it("stand in the order of the fields, each behind the one that it names", () => {
    expect(BASKETS.columns().map(({ name }) => name)).toEqual([
      "owner",
      "note",
      "content",
      "status",
      "ripe",
      "price",
      "is_apple",
    ]);
  });

  it("have the cells of their fields; those of forms that a row has not are empty", () => {
    expect(cellsBy(BASKETS.columns(), PEAR)).toEqual({
      owner: "Ada",
      note: "none",
      content: "pear",
      status: "fruit",
      ripe: true,
      price: 1.5,
      is_apple: false,
    });
    expect(cellsBy(BASKETS.columns(), BOOK)).toMatchObject({ note: "heavy", content: "Emma", ripe: null, price: null });
  });

  it("take columns that are computed from more than the record", () => {
    const columns = BASKETS.columns<Basket & { readonly weight: number }>([
      { name: "weight", type: "number", description: "Grams.", value: ({ weight }) => weight, behind: "owner" },
    ]);
    expect(columns.map(({ name }) => name).slice(0, 3)).toEqual(["owner", "weight", "note"]);
    expect(columns[1]?.value({ ...PEAR, weight: 9 })).toBe(9);
  });

  it("are refused where one stands behind a column that is not there", () => {
    const table = recordTable({
      depth: field(COUNT, "How deep."),
      size: field(COUNT, { column: "How much.", behind: "colour" }),
    });
    expect(() => table.columns()).toThrow("Expected a column colour for size to stand behind, found none.");
  });

  it("can be several of one field", () => {
    const pair: FieldType<readonly number[]> = {
      cellType: "number",
      expected: "two numbers",
      read: (found) => (Array.isArray(found) && found.length === 2 ? [Number(found[0]), Number(found[1])] : MISMATCH),
      write: (value) => value,
    };
    const span = structured(pair, (name) =>
      ["from", "to"].map((end, i) => ({
        name: `${name}_${end}`,
        type: "number" as const,
        description: end,
        value: (value) => value[i] ?? null,
      })),
    );
    expect(cellsBy(fieldColumns({ span }), { span: [3, 7] })).toEqual({ span_from: 3, span_to: 7 });
  });
});

describe("a type of field", () => {
  const types: Record<string, [FieldType<unknown>, readonly unknown[], readonly unknown[]]> = {
    TEXT: [TEXT, ["", "a"], [1, null, undefined, []]],
    FLAG: [FLAG, [true, false], ["true", 0, null]],
    NUMBER: [NUMBER, [-1, 0.5], ["1", null, Number.POSITIVE_INFINITY, Number.NaN]],
    SIZE: [SIZE, [0, 2.5], [-0.1, "1", null]],
    SHARE: [SHARE, [0, 1, 0.25], [-0.1, 1.1, null]],
    COUNT: [COUNT, [0, 12], [-1, 0.5, 2 ** 53, "1", null]],
    MILLISECONDS: [MILLISECONDS, [0, 1.5], [-1, null]],
    oneOf: [oneOf(["a", "b"]), ["a", "b"], ["c", null, 0]],
    nullable: [nullable(TEXT), ["a", null], [undefined, 1]],
    optional: [optional(TEXT), ["a", undefined], [null, 1]],
    schemaType: [schemaType("a list of texts", z.array(z.string())), [[], ["a"]], [[1], "a", null]],
  };

  it.each(Object.entries(types))("%s takes its values, and no other", (_, [type, values, others]) => {
    for (const value of values) expect(type.read(value)).toEqual(value);
    for (const value of others) expect(type.read(value)).toBe(MISMATCH);
  });

  it("writes milliseconds to the microsecond, and absent values as absent", () => {
    expect(MILLISECONDS.write(1.23456)).toBe(1.235);
    expect(nullable(MILLISECONDS).write(null)).toBeNull();
    expect(nullable(MILLISECONDS).write(1.23456)).toBe(1.235);
    expect(optional(MILLISECONDS).write(undefined)).toBeUndefined();
    expect(optional(MILLISECONDS).write(1.23456)).toBe(1.235);
  });
});

describe("a field that is added to the table", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "fields-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const codecOf = <F extends Fields>(fields: F) => ({
    kind: "baskets",
    journal: "baskets",
    record: "a basket",
    onDamage: "Remove it.",
    version1: "record" as const,
    ...recordTable(fields, "basket"),
  });

  it("is written, read, checked, and in the table, its schema and the data dictionary: one place is changed", async () => {
    const later = { ...BASKET_FIELDS, weightGrams: field(optional(COUNT), "Weight, grams.") };
    const path = join(folder, "baskets.jsonl");
    const earlier = await JournalWriter.open(path, codecOf(BASKET_FIELDS), { shop: "corner" });
    await earlier.append(PEAR);
    await earlier.close();
    const writer = await JournalWriter.open(path, codecOf(later), { shop: "corner" });
    await writer.append({ ...BOOK, weightGrams: 412 });
    await writer.close();

    expect(readFileSync(path, "utf8").split("\n")[2]).toContain('"title":"Emma","weight_grams":412,"crc":');
    // A line of before has no such field, and is read as it was.
    const records = (await collect(readJournal(path, codecOf(later)))).map(({ record }) => record);
    expect(records).toEqual([PEAR, { ...BOOK, weightGrams: 412 }]);
    const damaged = JSON.stringify({ ...(JSON.parse(BASKETS.encode(BOOK)) as object), weight_grams: -1 });
    expect(() => codecOf(later).decode(damaged)).toThrow(/weight_grams to be a whole number from 0, or no such field/);

    const table: Table<RecordOf<typeof later>> = {
      file: "baskets.csv",
      title: "One row a basket.",
      primaryKey: ["owner"],
      columns: codecOf(later).columns(),
    };
    expect(tableText(table, records)).toBe(
      formatRows([
        ["owner", "note", "content", "status", "ripe", "price", "is_apple", "weight_grams"],
        ["Ada", "none", "pear", "fruit", true, 1.5, false, null],
        ["Bo", "heavy", "Emma", "book", null, null, null, 412],
      ]),
    );
    await writeTable(join(folder, table.file), table, records);
    await writeDataPackage(folder, "baskets", [table]);
    const dictionary = readFileSync(join(folder, "datapackage.json"), "utf8");
    expect(JSON.parse(dictionary)).toMatchObject({ resources: [{ name: "baskets" }] });
    expect(dictionary).toMatch(/"name": "weight_grams",\s+"type": "integer",\s+"description": "Weight, grams\."/);
  });
});
