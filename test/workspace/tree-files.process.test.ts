import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cleanTree } from "../../src/workspace/inspect-tree.js";
import { filesOf, readTexts, removeTree } from "../../src/workspace/tree-files.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;

afterEach(() => {
  if (isRoot) process.seteuid?.(0);
});

/** 3,000 folders, each in the one before: a path of 6,000 bytes, where systems take 4,096. */
function nest(at: string): void {
  const script =
    "import os,sys\nos.chdir(sys.argv[1])\nfor _ in range(3000):\n os.mkdir('d')\n os.chdir('d')\nopen('f','w')";
  execFileSync("python3", ["-c", script, at]);
}

describe("a folder that anybody filled", () => {
  it("has no files where it is a link to itself", async () => {
    symlinkSync("loop", join(folder, "loop"));
    expect(await filesOf(join(folder, "loop"))).toEqual([]);
  });

  it("is removed with 3,000 nested ones in it", async () => {
    const deep = join(folder, "deep");
    mkdirSync(deep);
    nest(deep);
    expect(await removeTree(deep)).toBeNull();
    expect(existsSync(deep)).toBe(false);
  });

  it("is removed with names that are no text, and without what its links lead to", async () => {
    const odd = join(folder, "odd");
    mkdirSync(join(odd, "new\nline"), { recursive: true });
    writeFileSync(Buffer.concat([Buffer.from(`${odd}/`), Buffer.from([0xff, 0xfe])]), "");
    writeFileSync(join(folder, "kept"), "kept");
    symlinkSync(join(folder, "kept"), join(odd, "link"));
    symlinkSync(folder, join(odd, "up"));
    nest(odd);
    expect(await removeTree(odd)).toBeNull();
    expect(readFileSync(join(folder, "kept"), "utf8")).toBe("kept");
  });

  it("is removed by a user where folders have no rights", async () => {
    const closed = join(folder, "closed");
    mkdirSync(join(closed, "a/b/c"), { recursive: true });
    writeFileSync(join(closed, "a/b/c/file"), "");
    if (isRoot) {
      chmodSync(folder, 0o777);
      for (const path of ["", "a", "a/b", "a/b/c", "a/b/c/file"]) chownSync(join(closed, path), NOBODY, NOBODY);
    }
    for (const path of ["a/b/c", "a/b", "a"]) chmodSync(join(closed, path), 0o000);
    if (isRoot) process.seteuid?.(NOBODY);
    expect(await removeTree(closed)).toBeNull();
    expect(existsSync(closed)).toBe(false);
  });

  it.skipIf(!isRoot)("is left, and named, where it cannot be removed", async () => {
    const foreign = join(folder, "foreign");
    mkdirSync(join(foreign, "a"), { recursive: true });
    process.seteuid?.(NOBODY);
    expect(await removeTree(foreign)).toMatch(/EACCES|EPERM/);
  });

  it("is refused as a tree, by name, where folders are nested deeper than a path can say", async () => {
    const tree = join(folder, "tree");
    mkdirSync(tree);
    nest(tree);
    expect(await cleanTree(tree, { files: 10, bytes: 10 })).toMatchObject({ kind: "depth" });
    expect(await removeTree(tree)).toBeNull();
  });
});

let files: string;
beforeEach(async () => {
  files = await mkdtemp(join(tmpdir(), "probe-tree-"));
  for (const inner of ["src/deep", "node_modules/left", ".git"]) await mkdir(join(files, inner), { recursive: true });
  for (const path of ["b.txt", "src/deep/a.txt", "node_modules/left/c.txt", ".git/config"])
    await writeFile(join(files, path), path);
  await symlink("b.txt", join(files, "link.txt"));
});

describe("the files of a folder", () => {
  it("are its own, sorted, without links, packages and histories", async () => {
    expect(await filesOf(files)).toEqual(["b.txt", "src/deep/a.txt"]);
  });

  it("are none where there is no folder, or a file in its place", async () => {
    expect(await filesOf(join(files, "gone"))).toEqual([]);
    expect(await filesOf(join(files, "b.txt"))).toEqual([]);
  });

  it("are not taken for none where the folder cannot be read", async () => {
    // A name that is too long for a file system fails for every user, the root user too.
    await expect(filesOf(join(files, "n".repeat(5000)))).rejects.toThrow("ENAMETOOLONG");
  });
});

it("reads the plain files alone", async () => {
  expect(await readTexts(files, ["b.txt", "link.txt"])).toEqual([{ path: "b.txt", text: "b.txt" }]);
});
