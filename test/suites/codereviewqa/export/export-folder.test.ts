import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { portableId } from "../../../../src/suites/codereviewqa/export/benchmark.js";
import { portableJson, textFile, writeFolder } from "../../../../src/suites/codereviewqa/export/export-folder.js";
import { temporaryFolder } from "../../../fixtures/temporary-folder.js";

const folder = temporaryFolder();

it("writes a folder whole, also in place of an empty one", async () => {
  const path = join(folder, "whole");
  mkdirSync(path);
  expect(await writeFolder(path, [textFile("a.txt", "a"), textFile("b/c.txt", "c")])).toEqual(["a.txt", "b/c.txt"]);
  expect(readFileSync(join(path, "b/c.txt"), "utf8")).toBe("c");
  await expect(writeFolder(path, [textFile("a.txt", "other")])).rejects.toThrow("2 files in it");
  expect(readFileSync(join(path, "a.txt"), "utf8")).toBe("a");
});

it("leaves nothing of a folder that could not be written", async () => {
  const broken = { name: "b.txt", write: () => Promise.reject(new Error("no more")) };
  await expect(writeFolder(join(folder, "half"), [textFile("a.txt", "a"), broken])).rejects.toThrow("no more");
  expect(readdirSync(folder)).toEqual(["whole"]);
});

it("leaves a folder that another process wrote meanwhile as it is", async () => {
  const path = join(folder, "raced");
  const slow = {
    name: "a.txt",
    write: async () => {
      mkdirSync(path);
      writeFileSync(join(path, "a.txt"), "first");
    },
  };
  await expect(writeFolder(path, [slow])).rejects.toMatchObject({
    code: "bad_input",
    message: expect.stringContaining("found something else in its place"),
  });
  expect(readFileSync(join(path, "a.txt"), "utf8")).toBe("first");
  expect(readdirSync(folder).filter((name) => name.startsWith("raced"))).toEqual(["raced"]);
});

it("writes what UTF-8 has bytes for, and keeps two ids apart", () => {
  expect(portableJson({ text: "a\ud800b", pair: "\u{1f600}" })).toBe('{"text":"a\ufffdb","pair":"\u{1f600}"}');
  expect(new Set(["a\ud800", "a\ud801", "a\ufffd"].map(portableId)).size).toBe(3);
});
