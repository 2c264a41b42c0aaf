import { mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { filesOf, readTexts } from "../../src/workspace/tree-files.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "probe-tree-"));
  for (const inner of ["src/deep", "node_modules/left", ".git"]) await mkdir(join(folder, inner), { recursive: true });
  for (const path of ["b.txt", "src/deep/a.txt", "node_modules/left/c.txt", ".git/config"])
    await writeFile(join(folder, path), path);
  await symlink("b.txt", join(folder, "link.txt"));
});

describe("the files of a folder", () => {
  it("are its own, sorted, without links, packages and histories", async () => {
    expect(await filesOf(folder)).toEqual(["b.txt", "src/deep/a.txt"]);
  });

  it("are none where there is no folder, or a file in its place", async () => {
    expect(await filesOf(join(folder, "gone"))).toEqual([]);
    expect(await filesOf(join(folder, "b.txt"))).toEqual([]);
  });

  it("are not taken for none where the folder cannot be read", async () => {
    // A name that is too long for a file system fails for every user, the root user too.
    await expect(filesOf(join(folder, "n".repeat(5000)))).rejects.toThrow("ENAMETOOLONG");
  });
});

it("reads the plain files alone", async () => {
  expect(await readTexts(folder, ["b.txt", "link.txt"])).toEqual([{ path: "b.txt", text: "b.txt" }]);
});
