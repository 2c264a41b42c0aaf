import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { checkOut, diffCommits, hasCommit } from "../../src/workspace/received-repository.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const clone = join(folder, "clone");
const mark = join(folder, "ran");
const run = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: clone })
    .toString()
    .trim();
const commits: string[] = [];

/** Every place of a clone that names a program, or changes what comes out of it. */
beforeAll(() => {
  mkdirSync(clone);
  run("init", "-q");
  for (const text of ["one\n", "two\n"]) {
    writeFileSync(join(clone, "a.txt"), text);
    writeFileSync(join(clone, "id.txt"), "$Format:%an$ $Id$\n");
    writeFileSync(join(clone, "a.test.js"), "1\n");
    writeFileSync(
      join(clone, ".gitattributes"),
      "*.txt filter=x diff=x ident export-subst\n*.test.js export-ignore text eol=crlf\n",
    );
    run("add", "-A");
    run("commit", "-qm", text.trim());
    commits.push(run("rev-parse", "HEAD"));
  }
  const program = `touch ${mark}; cat`;
  const [smudge, fetch] = [JSON.stringify(program), JSON.stringify(`touch ${mark}`)];
  writeFileSync(
    join(clone, ".git/config"),
    `[core]\n\tfsmonitor = ${fetch}\n\tsshCommand = ${fetch}\n\tattributesFile = ${join(folder, "attributes")}\n\tpager = ${fetch}
[filter "x"]\n\tsmudge = ${smudge}\n\tclean = ${smudge}\n\trequired = true
[diff "x"]\n\ttextconv = ${fetch}\n\tcommand = ${fetch}
[tar "tar"]\n\tcommand = ${fetch}
[alias]\n\tread-tree = !${fetch}
[extensions]\n\tpartialClone = x\n[remote "x"]\n\tpromisor = true\n\turl = ext::sh -c ${fetch}\n\tuploadpack = ${fetch}
[include]\n\tpath = ${join(folder, "more")}\n`,
  );
  writeFileSync(join(clone, ".git/info/attributes"), "* filter=x diff=x\n");
});

describe("a clone of somebody else's", () => {
  it("gives the files of a commit as they were written, and runs nothing that it names", async () => {
    const tree = join(folder, "tree");
    mkdirSync(tree);
    await checkOut(clone, commits[0]!, tree);
    expect(readFileSync(join(tree, "a.txt"), "utf8")).toBe("one\n");
    expect(readFileSync(join(tree, "id.txt"), "utf8")).toBe("$Format:%an$ $Id$\n");
    expect(readFileSync(join(tree, "a.test.js"), "utf8")).toBe("1\n");
    expect(existsSync(mark)).toBe(false);
  });

  it("says which commits it has, by hash and by name, and asks no remote for others", async () => {
    expect(await hasCommit(clone, commits[1]!)).toBe(true);
    expect(await hasCommit(clone, commits[1]!.slice(0, 8))).toBe(true);
    expect(await hasCommit(clone, "HEAD~1")).toBe(true);
    expect(await hasCommit(clone, "0".repeat(40))).toBe(false);
    expect(await hasCommit(clone, "--output=x")).toBe(false);
    expect(await hasCommit(join(folder, "none"), "HEAD")).toBe(false);
    expect(existsSync(mark)).toBe(false);
  });

  it("shows what differs between two commits by git's own lines", async () => {
    const file = join(folder, "patch");
    await diffCommits(clone, commits[0]!, commits[1]!, file);
    expect(readFileSync(file, "utf8")).toMatch(/^-one\n\+two\n$/m);
    expect(existsSync(mark)).toBe(false);
  });

  it("is read where it is a further work tree, and with a pipe for its list of names", async () => {
    const further = join(folder, "further");
    execFileSync("git", ["clone", "-q", "--bare", clone, join(folder, "bare")], { env: { PATH: process.env["PATH"] } });
    execFileSync("git", ["--git-dir", join(folder, "bare"), "worktree", "add", "-q", further, commits[0]!]);
    expect(await hasCommit(further, commits[0]!)).toBe(true);
    execFileSync("rm", ["-f", join(folder, "bare/packed-refs")]);
    execFileSync("mkfifo", [join(folder, "bare/packed-refs")]);
    symlinkSync("/etc/passwd", join(folder, "bare/refs/heads/link"));
    expect(await hasCommit(join(folder, "bare"), "main")).toBe(false);
  });
});
