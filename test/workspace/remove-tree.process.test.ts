import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { cleanTree } from "../../src/workspace/inspect-tree.js";
import { removeTree } from "../../src/workspace/remove-tree.js";
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
