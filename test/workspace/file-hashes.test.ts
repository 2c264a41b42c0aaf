import { mkdirSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { sha256 } from "../../src/base/sha256.js";
import { fileHashes } from "../../src/workspace/tree-files.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";

const folder = useFreshFolder();

it("the files of a folder are told by path and hash, in order; of none there is nothing to tell", async () => {
  mkdirSync(folder.path("tree/sub"), { recursive: true });
  writeFileSync(folder.path("tree/z.txt"), "z");
  writeFileSync(folder.path("tree/sub/a.txt"), "a");
  expect(await fileHashes(folder.path("tree"))).toEqual([`/sub/a.txt ${sha256("a")}`, `/z.txt ${sha256("z")}`]);
  expect(await fileHashes(folder.path("elsewhere"))).toEqual([]);
});
