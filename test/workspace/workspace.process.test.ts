import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Bytes } from "../../src/base/text.js";
import { Workspace } from "../../src/workspace/workspace.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
let made = 0;
const place = () => join(folder, `w${made++}`);

function source(): string {
  const path = place();
  mkdirSync(join(path, "src"), { recursive: true });
  mkdirSync(join(path, ".git"));
  writeFileSync(join(path, ".git/config"), "[core]\n");
  writeFileSync(join(path, "src/a.js"), "export const a = 1;\r\nexport const b = 2;\n");
  writeFileSync(join(path, "src/b.js"), "export const c = 3;\n");
  writeFileSync(join(path, "picture.bin"), Buffer.from([0, 1, 2, 255, 0, 10]));
  return path;
}

const workspace = (path = source()) => Workspace.create(place(), { kind: "folder", path });
const write = (space: Workspace, path: string, text: string) => writeFileSync(join(space.tree, path), text);

async function patchOf(space: Workspace): Promise<Bytes> {
  const patch = await space.patch();
  if (patch.status === "refused") throw new Error(patch.detail);
  return patch.bytes;
}

/** The tree that the patch makes of a fresh one. */
async function again(patch: Bytes, path = source()): Promise<Workspace> {
  const fresh = await workspace(path);
  expect(await fresh.apply(patch)).toBeNull();
  return fresh;
}

describe("a file that is restored", () => {
  const BEFORE = "export const c = 3;\n";
  const restored = async (space: Workspace) => {
    await space.restore(["src/b.js"]);
    return readFileSync(join(space.tree, "src/b.js"), "utf8");
  };

  it("is as in the source, where it was changed, removed, or a folder stands in its place", async () => {
    const space = await workspace();
    write(space, "src/b.js", "changed");
    expect(await restored(space)).toBe(BEFORE);
    rmSync(join(space.tree, "src/b.js"));
    expect(await restored(space)).toBe(BEFORE);
    rmSync(join(space.tree, "src/b.js"));
    mkdirSync(join(space.tree, "src/b.js"));
    write(space, "src/b.js/inside.js", "");
    expect(await restored(space)).toBe(BEFORE);
  });

  it("replaces a file or a link where its folder was, and leaves alone what the link names", async () => {
    const [space, elsewhere] = [await workspace(), place()];
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, "b.js"), "not this one");
    rmSync(join(space.tree, "src"), { recursive: true });
    symlinkSync(elsewhere, join(space.tree, "src"));
    expect(await restored(space)).toBe(BEFORE);
    expect(readFileSync(join(elsewhere, "b.js"), "utf8")).toBe("not this one");
    rmSync(join(space.tree, "src"), { recursive: true });
    write(space, "src", "a file");
    expect(await restored(space)).toBe(BEFORE);
  });

  it("is gone where the source has none", async () => {
    const space = await workspace();
    write(space, "src/c.js", "made");
    await space.restore(["src/c.js", "none/at/all.js"]);
    expect(existsSync(join(space.tree, "src/c.js"))).toBe(false);
  });
});

describe("a workspace", () => {
  it("holds the source without its repository, and has none inside", async () => {
    const space = await workspace();
    expect(readFileSync(join(space.tree, "src/a.js"), "utf8")).toBe("export const a = 1;\r\nexport const b = 2;\n");
    expect(existsSync(join(space.tree, ".git"))).toBe(false);
    expect((await patchOf(space)).length).toBe(0);
  });

  it("has the source in a folder of it where that is asked for", async () => {
    const space = await Workspace.create(place(), { kind: "folder", path: join(source(), "src"), at: "app/src" });
    expect(readFileSync(join(space.tree, "app/src/b.js"), "utf8")).toBe("export const c = 3;\n");
  });

  it("comes from a folder with a patch on it, whose differences are no part of its own patch", async () => {
    const changed = await workspace();
    write(changed, "src/b.js", "export const c = 5;\n");
    const patch = await patchOf(changed);
    const space = await Workspace.create(place(), { kind: "folder", path: source(), patch });
    expect(readFileSync(join(space.tree, "src/b.js"), "utf8")).toBe("export const c = 5;\n");
    expect((await patchOf(space)).length).toBe(0);
    const twice = Workspace.create(place(), { kind: "folder", path: space.tree, patch });
    await expect(twice).rejects.toThrow(/Expected `git apply --binary` to work/);
  });

  it("comes from a commit too, with a patch on it, without its history", async () => {
    const repository = source();
    rmSync(join(repository, ".git"), { recursive: true });
    const run = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: repository });
    run("init", "-q");
    run("add", "-A");
    run("commit", "-qm", "one");
    writeFileSync(join(repository, "src/b.js"), "export const c = 4;\n");
    const patch = run("diff");
    run("commit", "-qam", "two");
    const commit = run("rev-parse", "HEAD~1").toString().trim();
    const base = { kind: "commit", repository, commit, patch } as const;
    const space = await Workspace.create(place(), base);
    expect(readFileSync(join(space.tree, "src/b.js"), "utf8")).toBe("export const c = 4;\n");
    expect(existsSync(join(space.tree, ".git"))).toBe(false);
    expect((await patchOf(space)).length).toBe(0);
    const unknown = Workspace.create(place(), { ...base, commit: "0123456" });
    await expect(unknown).rejects.toThrow("Expected `git read-tree 0123456^{commit}` to work");
  });

  it("gives a patch that makes the same tree of a fresh one: new, changed, deleted, binary, executable", async () => {
    const space = await workspace();
    write(space, "src/a.js", "export const a = 2;\r\n");
    rmSync(join(space.tree, "src/b.js"));
    write(space, "new é.txt", "new\n");
    chmodSync(join(space.tree, "new é.txt"), 0o755);
    writeFileSync(join(space.tree, "picture.bin"), Buffer.from([9, 0, 255]));
    const fresh = await again(await patchOf(space));
    expect(readFileSync(join(fresh.tree, "src/a.js"), "utf8")).toBe("export const a = 2;\r\n");
    expect(existsSync(join(fresh.tree, "src/b.js"))).toBe(false);
    expect(lstatSync(join(fresh.tree, "new é.txt")).mode & 0o111).not.toBe(0);
    expect([...readFileSync(join(fresh.tree, "picture.bin"))]).toEqual([9, 0, 255]);
    expect(await space.changedFiles()).toEqual([
      { path: "new é.txt", change: "added" },
      { path: "picture.bin", change: "modified" },
      { path: "src/a.js", change: "modified" },
      { path: "src/b.js", change: "deleted" },
    ]);
  });

  it("leaves packages and caches out of the patch", async () => {
    const space = await workspace();
    mkdirSync(join(space.tree, "src/node_modules/x"), { recursive: true });
    write(space, "src/node_modules/x/index.js", "1");
    expect((await patchOf(space)).length).toBe(0);
  });

  it("says why a patch does not apply, and changes nothing then", async () => {
    const space = await workspace();
    write(space, "src/a.js", "export const a = 2;\n");
    const patch = await patchOf(space);
    const other = await workspace();
    write(other, "src/a.js", "something else\n");
    expect(await other.apply(patch)).toMatch(/patch does not apply/);
    expect(readFileSync(join(other.tree, "src/a.js"), "utf8")).toBe("something else\n");
    expect(await other.apply(Buffer.from("no patch at all\n"))).toMatch(/No valid patches|error/);
  });
});

describe("a workspace in which somebody hostile worked", () => {
  it("shows what a .git, a .gitignore or a .gitattributes of the tree would hide, and runs nothing of theirs", async () => {
    const space = await workspace();
    const ran = join(folder, "ran");
    execFileSync("git", ["init", "-q"], { cwd: space.tree });
    mkdirSync(join(space.tree, ".git/hooks"), { recursive: true });
    write(space, ".git/hooks/pre-commit", `#!/bin/sh\ntouch ${ran}\n`);
    write(space, ".git/config", `[core]\n\tfsmonitor = touch ${ran}\n[filter "x"]\n\tclean = touch ${ran}\n`);
    write(space, ".gitignore", "*\n");
    write(space, ".gitattributes", "* filter=x -diff text eol=crlf export-ignore\n");
    write(space, "hidden.js", "one\n");
    mkdirSync(join(space.tree, "nested/.git"), { recursive: true });
    write(space, "nested/inner.js", "two\n");
    const patch = await patchOf(space);
    expect(existsSync(ran)).toBe(false);
    expect(patch.toString()).toContain("+one");
    expect(patch.toString()).toContain("+two");
    const fresh = await again(patch);
    expect(readFileSync(join(fresh.tree, "nested/inner.js"), "utf8")).toBe("two\n");
    expect(existsSync(join(fresh.tree, ".git"))).toBe(false);
  });

  it.each([
    ["to a file of the host", "/etc/passwd"],
    ["above the tree", "../../secret"],
    ["to nothing yet, above the tree", "src/../../later"],
  ])("refuses a symbolic link %s", async (_, target) => {
    const space = await workspace();
    symlinkSync(target, join(space.tree, "link"));
    expect(await space.patch()).toEqual({
      status: "refused",
      detail: "a symbolic link that leads out of the tree: link",
    });
  });

  it("refuses links that lead out only together", async () => {
    const space = await workspace();
    mkdirSync(join(space.tree, "d/e"), { recursive: true });
    symlinkSync("../..", join(space.tree, "d/e/up"));
    symlinkSync("d/e/up/..", join(space.tree, "out"));
    expect(await space.patch()).toMatchObject({ status: "refused", detail: expect.stringContaining("out") });
  });

  it("takes a link within the tree", async () => {
    const space = await workspace();
    symlinkSync("src/a.js", join(space.tree, "link"));
    const fresh = await again(await patchOf(space));
    expect(lstatSync(join(fresh.tree, "link")).isSymbolicLink()).toBe(true);
  });

  it("takes names that other systems would take for a repository", async () => {
    const space = await workspace();
    for (const name of ["git~1", "src/.git ", ".gi\u200ct"]) write(space, name, name);
    const fresh = await again(await patchOf(space));
    expect(readFileSync(join(fresh.tree, "src/.git "), "utf8")).toBe("src/.git ");
  });

  it("refuses a link that git does not take, and says so: who left it is judged by that", async () => {
    const space = await workspace();
    symlinkSync("src/a.js", join(space.tree, ".gitmodules"));
    expect(await space.patch()).toMatchObject({
      status: "refused",
      detail: expect.stringMatching(/^what git does not take: .*\.gitmodules/),
    });
  });

  it("refuses a patch that makes a link out of the tree, or writes above it", async () => {
    const fresh = await workspace();
    const link =
      "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n\\ No newline at end of file\n";
    expect(await fresh.apply(Buffer.from(link))).toBe("a symbolic link that leads out of the tree: l");
    const above = "diff --git a/../x b/../x\nnew file mode 100644\n--- /dev/null\n+++ b/../x\n@@ -0,0 +1 @@\n+1\n";
    expect(await (await workspace()).apply(Buffer.from(above))).toMatch(/invalid path/);
  });

  it("has everything deleted where the tree is gone, or something else is in its place", async () => {
    for (const replace of [
      () => {},
      (tree: string) => symlinkSync("/etc", tree),
      (tree: string) => writeFileSync(tree, "x"),
    ]) {
      const space = await workspace();
      rmSync(space.tree, { recursive: true });
      replace(space.tree);
      const fresh = await again(await patchOf(space));
      expect(existsSync(join(fresh.tree, "src"))).toBe(false);
    }
  });

  it("refuses a patch over 20 MB by its size, and a tree that grew without end before git reads it", async () => {
    const space = await workspace();
    writeFileSync(join(space.tree, "large.txt"), "x\n".repeat(11_000_000));
    expect(await space.patch()).toMatchObject({
      status: "refused",
      detail: expect.stringMatching(/^a patch of \d+ bytes/),
    });
    execFileSync("truncate", ["-s", "5G", join(space.tree, "sparse")]);
    expect(await space.patch()).toMatchObject({ status: "refused", detail: expect.stringMatching(/^more than fits/) });
  });

  it("has git unpack no patch that says it is larger than what may be added", async () => {
    const patch = Buffer.from("diff --git a/z b/z\nnew file mode 100644\nGIT binary patch\nliteral 268435457\nzc\n\n");
    const fault = "more than fits: binary parts of 268435457 bytes (at most 268435456)";
    expect(await (await workspace()).apply(patch)).toBe(fault);
    await expect(Workspace.create(place(), { kind: "folder", path: source(), patch })).rejects.toThrow(fault);
  });

  it.runIf(process.platform === "linux")("lets git take 2 GB for a patch, and no more", async () => {
    // Eight bytes, packed by zlib and in base 85: 20 bytes become 3 GB.
    const patch = `diff --git a/src/b.js b/src/b.js
index 5f0cabef84f69125e47a46aee4b39e428849260b..1111111111111111111111111111111111111111 100644
GIT binary patch
delta 8
Nc-j+b00N!~A^;5l0>uCT

`;
    expect(await (await workspace()).apply(Buffer.from(patch))).toMatch(/^fatal: Out of memory/);
  });

  it("has code as lines in its patch, whatever bytes hide it as a binary file", async () => {
    const space = await workspace();
    const code = Buffer.from("one\n/*\0\xff*/ two();\r\n", "latin1");
    writeFileSync(join(space.tree, "src/b.js"), code);
    writeFileSync(join(space.tree, "new.py"), "# \0\nthree()");
    const patch = await patchOf(space);
    for (const line of ["-export const c = 3;", "+one", "+three()"]) expect(patch.toString()).toContain(`\n${line}\n`);
    const fresh = await again(patch);
    expect(readFileSync(join(fresh.tree, "src/b.js")).equals(code)).toBe(true);
    expect(readFileSync(join(fresh.tree, "new.py"), "utf8")).toBe("# \0\nthree()");
  });

  it("lists every changed file, also among so many others that their names are megabytes", async () => {
    const space = await workspace();
    write(space, "src/b.js", "changed");
    // 2 × 2,500 names of 240 characters: 0.6 MB before the changed file and as much behind it.
    for (const around of ["a", "z"]) {
      mkdirSync(join(space.tree, around));
      for (let i = 0; i < 2500; i++) write(space, `${around}/${String(i).padStart(238, "0")}`, "");
    }
    const changed = await space.changedFiles();
    expect(changed).toHaveLength(5001);
    expect(changed).toContainEqual({ path: "src/b.js", change: "modified" });
  });

  it("does not mind sockets, pipes, and folders without rights", async () => {
    const space = await workspace();
    execFileSync("mkfifo", [join(space.tree, "pipe")]);
    mkdirSync(join(space.tree, "closed"));
    write(space, "closed/x.js", "1\n");
    chmodSync(join(space.tree, "closed"), 0);
    expect((await patchOf(space)).toString()).toContain("closed/x.js");
  });
});

describe("a repository whose attributes give files the line ends of Windows", () => {
  /** A clone with such a file, with one whose bytes are so without attributes, and git's own patch of a change of both. */
  function clone() {
    const path = place();
    mkdirSync(path);
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", path, "-c", "user.name=a", "-c", "user.email=a@b", ...args]);
    const files = (word: string) => {
      writeFileSync(join(path, "run [1].bat"), `one\r\n${word}\r\nthree\r\n`);
      writeFileSync(join(path, "plain.txt"), `one\r\n${word}\r\n`);
    };
    git("init", "-q");
    writeFileSync(join(path, ".gitattributes"), "*.bat text eol=crlf\n*.txt -text\n");
    files("two");
    git("add", "-A");
    git("commit", "-qm", "a");
    const archive = place();
    mkdirSync(archive);
    execFileSync("tar", ["-x", "-C", archive], { input: git("archive", "HEAD") });
    files("deux");
    return { path, archive, commit: git("rev-parse", "HEAD").toString().trim(), patch: git("diff") };
  }

  it("takes git's own patch, on the commit and on what git archive makes of it", async () => {
    const { path, archive, commit, patch } = clone();
    // What a commit holds has the line ends of patches; an archive those of the attributes.
    const sources = [
      [{ kind: "commit", repository: path, commit, patch: null }, "one\ndeux\nthree\n"],
      [{ kind: "folder", path: archive }, "one\r\ndeux\r\nthree\r\n"],
    ] as const;
    for (const [from, batch] of sources) {
      const space = await Workspace.create(place(), from);
      expect(await space.apply(patch)).toBeNull();
      expect(readFileSync(join(space.tree, "run [1].bat"), "utf8")).toBe(batch);
      expect(readFileSync(join(space.tree, "plain.txt"), "utf8")).toBe("one\r\ndeux\r\n");
      // The patch of the tree, of its bytes as they are, makes the same of a fresh one.
      const fresh = await Workspace.create(place(), from);
      expect(await fresh.apply(await patchOf(space))).toBeNull();
      expect(readFileSync(join(fresh.tree, "run [1].bat"), "utf8")).toBe(batch);
    }
  });

  it("still refuses a patch of other lines", async () => {
    const { archive, patch } = clone();
    const space = await Workspace.create(place(), { kind: "folder", path: archive });
    write(space, "run [1].bat", "one\r\nother\r\nthree\r\n");
    expect(await space.apply(patch)).toMatch(/patch/);
    expect(readFileSync(join(space.tree, "plain.txt"), "utf8")).toBe("one\r\ntwo\r\n");
  });
});
