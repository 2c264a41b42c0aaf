import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { checkOut, commitObstacle, diffCommits, hasCommit } from "../../src/workspace/received-repository.js";
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

  it("says which commits it has, by hash alone, and asks no remote for others", async () => {
    expect(await hasCommit(clone, commits[1]!)).toBe(true);
    expect(await hasCommit(clone, commits[1]!.slice(0, 8))).toBe(true);
    expect(await hasCommit(clone, "HEAD")).toBe(false);
    expect(await hasCommit(clone, "0".repeat(40))).toBe(false);
    expect(await hasCommit(clone, "--output=x")).toBe(false);
    expect(await hasCommit(join(folder, "none"), commits[1]!)).toBe(false);
    expect(existsSync(mark)).toBe(false);
  });

  it("shows what differs between two commits by git's own lines", async () => {
    const file = join(folder, "patch");
    await diffCommits(clone, commits[0]!, commits[1]!, file);
    expect(readFileSync(file, "utf8")).toMatch(/^-one\n\+two\n$/m);
    expect(existsSync(mark)).toBe(false);
  });

  it("is read where it is a further work tree of a repository that names it", async () => {
    const further = join(folder, "further");
    execFileSync("git", ["clone", "-q", "--bare", clone, join(folder, "bare")], { env: { PATH: process.env["PATH"] } });
    execFileSync("git", ["--git-dir", join(folder, "bare"), "worktree", "add", "-q", further, commits[0]!]);
    expect(await hasCommit(further, commits[0]!)).toBe(true);
    expect(await hasCommit(join(folder, "bare"), commits[0]!)).toBe(true);
  });

  const file = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  /** Ways in which what is sent can name the objects of a repository that the user has. */
  const elsewhere: Record<string, (sent: string) => void> = {
    "a file .git": (sent) => file(join(sent, ".git"), "gitdir: ../../clone/.git\n"),
    "a link .git": (sent) => symlinkSync("../../clone/.git", join(sent, ".git")),
    commondir: (sent) => {
      file(join(sent, ".git"), "gitdir: own/worktrees/x\n");
      file(join(sent, "own/worktrees/x/gitdir"), `${join(sent, ".git")}\n`);
      file(join(sent, "own/worktrees/x/commondir"), "../../../../../clone/.git\n");
    },
    "a link objects": (sent) => {
      mkdirSync(join(sent, ".git"));
      symlinkSync("../../../clone/.git/objects", join(sent, ".git/objects"));
    },
    "a link below objects": (sent) => {
      mkdirSync(join(sent, ".git/objects"), { recursive: true });
      for (const name of readdirSync(join(clone, ".git/objects")))
        symlinkSync(join(clone, ".git/objects", name), join(sent, ".git/objects", name));
    },
    alternates: (sent) => file(join(sent, ".git/objects/info/alternates"), `${join(clone, ".git/objects")}\n`),
  };

  it.each(Object.keys(elsewhere))("has no commits of a repository that it names by %s", async (way) => {
    const sent = join(folder, "sent", way);
    mkdirSync(sent, { recursive: true });
    elsewhere[way]!(sent);
    expect(await hasCommit(sent, commits[0]!)).toBe(false);
    expect(await commitObstacle(sent, commits[0]!)).toBe(
      `${sent} is no clone that has its objects itself: make one by git clone --no-local, without --reference`,
    );
    await expect(checkOut(sent, commits[0]!, join(folder, "never"))).rejects.toThrow("has its objects itself");
  });
});
