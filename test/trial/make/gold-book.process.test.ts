import { mkdirSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ProbeError } from "../../../src/base/errors.js";
import type { BenchTask } from "../../../src/trial/bench-task.js";
import { GoldBook } from "../../../src/trial/make/gold-book.js";
import { Workspace } from "../../../src/workspace/workspace.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";

const folder = useFreshFolder();

/** Takes `old` out of a file and puts these lines in. */
const change = (lines: readonly string[]) =>
  `diff --git a/a.js b/a.js\n--- a/a.js\n+++ b/a.js\n@@ -1,3 +1,${lines.length + 2} @@\n one\n-old\n` +
  `${lines.map((line) => `+${line}\n`).join("")} two\n`;

const GOLD: Readonly<Record<string, string>> = {
  a: change(["new", "one"]),
  b: change(["new", "other"]),
  c: change(["quite", "another"]),
  d: "",
};
const task = (id: string): BenchTask => {
  const path = folder.path("tree");
  return { id, group: "g", sha256: "", source: { kind: "folder", path } };
};
const adapter = { gold: async ({ id }: BenchTask) => (GOLD[id] === undefined ? null : Buffer.from(GOLD[id] ?? "")) };

it("holds a patch beside the right solution, a copy of the original beside it, and solutions of other tasks", async () => {
  mkdirSync(folder.path("tree"));
  writeFileSync(folder.path("tree/a.js"), "one\nold\ntwo\n");
  const tree = await Workspace.create(folder.path("work"), task("a").source);
  const book = new GoldBook(adapter, ["a", "b", "c", "d", "e"].map(task));
  // The right solution adds `new` and `one`; the patch `one` and `mine`: one of three.
  // The original has `one`, `old`, `two`: `one` of four. Of the others b shares `new`, one of three, and c nothing: 1/6.
  expect(await book.compare(task("a"), Buffer.from(change(["one", "mine"])), tree)).toEqual({
    jaccard: 1 / 3,
    copy: 1 / 4,
    other: 1 / 6,
  });
  expect(await book.compare(task("a"), Buffer.alloc(0), tree)).toMatchObject({ jaccard: 0 });
  // Nothing to be like: a solution that adds nothing, and none at all.
  expect(await book.compare(task("d"), Buffer.from(change(["one"])), tree)).toBeNull();
  expect(await book.compare(task("e"), Buffer.from(change(["one"])), tree)).toBeNull();
  const alone = new GoldBook(adapter, [task("a")]);
  expect(await alone.compare(task("a"), Buffer.from(GOLD["a"] ?? ""), tree)).toMatchObject({ jaccard: 1, other: null });
});

it("has sizes of a right solution that only deletes, though no patch is like it", async () => {
  const deleting = "diff --git a/a.js b/a.js\n--- a/a.js\n+++ b/a.js\n@@ -1,3 +1,1 @@\n one\n-old\n-two\n";
  const gold = async ({ id }: BenchTask) => Buffer.from(id === "a" ? deleting : (GOLD[id] ?? ""));
  const book = new GoldBook({ gold }, ["a", "b", "c"].map(task));
  mkdirSync(folder.path("tree"));
  writeFileSync(folder.path("tree/a.js"), "one\nold\ntwo\n");
  const tree = await Workspace.create(folder.path("work"), task("a").source);
  expect(await book.compare(task("a"), Buffer.from(change(["one"])), tree)).toBeNull();
  expect(await book.facts(task("a"), Buffer.from(change(["one"])))).toMatchObject({
    gold_files: 1,
    gold_lines: 2,
    all_gold_files_edited: 1,
    file_recall: 1,
    file_precision: 1,
  });
  expect(await book.facts(task("d"), Buffer.from(change(["one"])))).not.toHaveProperty("gold_files");
  // Of the others of b, c shares nothing, and a adds nothing to share.
  expect(await book.compare(task("b"), Buffer.from(GOLD["b"] ?? ""), tree)).toMatchObject({ other: 0 });
});

it("holds a patch against what can be read where a right solution cannot", async () => {
  mkdirSync(folder.path("tree"));
  writeFileSync(folder.path("tree/a.js"), "one\nold\ntwo\n");
  const tree = await Workspace.create(folder.path("work"), task("a").source);
  const gold = (own: BenchTask) =>
    own.id === "b" ? Promise.reject(new ProbeError("bad_input", "Expected a commit.")) : adapter.gold(own);
  const book = new GoldBook({ gold }, ["a", "b", "c"].map(task));
  // Of the others c alone is left, which shares nothing.
  expect(await book.compare(task("a"), Buffer.from(GOLD["a"] ?? ""), tree)).toMatchObject({ jaccard: 1, other: 0 });
  expect(await book.compare(task("b"), Buffer.from(GOLD["a"] ?? ""), tree)).toBeNull();
});

it("holds a patch beside a copy of an original of any length", async () => {
  mkdirSync(folder.path("tree"));
  writeFileSync(folder.path("tree/a.js"), "one\n".repeat(200_000));
  const tree = await Workspace.create(folder.path("work"), task("a").source);
  const book = new GoldBook(adapter, [task("a")]);
  // The original has `one` alone, of `new` and `one`.
  expect(await book.compare(task("a"), Buffer.from(GOLD["a"] ?? ""), tree)).toMatchObject({ copy: 1 / 2 });
});

it("leaves out what is no code of the task, of either", async () => {
  mkdirSync(folder.path("tree"));
  writeFileSync(folder.path("tree/a.js"), "one\nold\ntwo\n");
  const tree = await Workspace.create(folder.path("work"), task("a").source);
  const book = new GoldBook({ ...adapter, changesOf: () => "" }, [task("a")]);
  expect(await book.compare(task("a"), Buffer.from(GOLD["a"] ?? ""), tree)).toBeNull();
});
