import { rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ExampleShelf } from "../../src/dataset/example-shelf.js";
import { collect } from "../fixtures/collect.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";
import { jsonl } from "../fixtures/jsonl.js";
import { recordWith } from "../fixtures/official-record.js";

const folder = useFreshFolder();

function write(text: string): string {
  writeFileSync(folder.path("data.jsonl"), text);
  return folder.path("data.jsonl");
}

const named = (...ids: string[]) => ids.map((id) => ({ id }));

describe("a shelf of examples", () => {
  it("gives them in the order in which they are named, each with what names it", async () => {
    const shelf = await ExampleShelf.open(
      write(
        `\ufeff${jsonl(recordWith({ id: "one", review: "é first" }), recordWith({ id: "two", review: "second" }))}`,
      ),
    );
    const read = await collect(shelf.read(named("two", "one", "two")));
    expect(read.map(([{ id }, example]) => [id, example.id, example.review])).toEqual([
      ["two", "two", "second"],
      ["one", "one", "é first"],
      ["two", "two", "second"],
    ]);
  });

  it("has the first of several by one id, and none that is not valid", async () => {
    const twice = [recordWith({ id: "one", review: "first" }), recordWith({ id: "one", review: "second" })];
    const shelf = await ExampleShelf.open(write(`${jsonl(...twice)}\n{"id":"broken"}\n`));
    expect(["one", "broken"].map((id) => shelf.has(id))).toEqual([true, false]);
    expect(await collect(shelf.read(named("one")))).toMatchObject([[{ id: "one" }, { review: "first" }]]);
    await expect(collect(shelf.read(named("broken")))).rejects.toThrow(/the example broken/);
  });

  it("says so where the file has changed since", async () => {
    const path = write(jsonl(recordWith({ id: "one" }), recordWith({ id: "two", review: "first" })));
    const shelf = await ExampleShelf.open(path);
    const swapped = jsonl(recordWith({ id: "two", review: "first" }), recordWith({ id: "one" }));
    const asLong = jsonl(recordWith({ id: "one" }), recordWith({ id: "two", review: "other" }));
    for (const changed of [swapped, asLong, ""]) {
      writeFileSync(path, changed);
      await expect(collect(shelf.read(named("two")))).rejects.toThrow(/as it was when the file was first read/);
    }
    rmSync(path);
    await expect(collect(shelf.read(named("two")))).rejects.toThrow(
      /as it was when the file was first read, found ENOENT/,
    );
  });
});
