import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fileTools } from "../../src/agent/file-tools.js";
import { callTool } from "../../src/agent/tool.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const tree = join(folder, "tree");
mkdirSync(join(tree, "src"), { recursive: true });
writeFileSync(join(folder, "secret"), "secret");
writeFileSync(join(tree, "src/a.js"), "one two one\n");
symlinkSync(folder, join(tree, "out"));
execFileSync("mkfifo", [join(tree, "pipe")]);

async function use(name: string, given: object, within: readonly string[] = []): Promise<string> {
  const call = { id: "1", name, arguments: JSON.stringify(given) };
  const reply = await callTool(fileTools({ tree, within }), call);
  return reply.kind === "text" ? reply.text : "";
}

describe("tools for files", () => {
  it("list, show and find", async () => {
    expect(await use("list_files", {})).toBe("src/a.js");
    expect(await use("read_file", { path: "./src/../src/a.js" })).toBe("one two one\n");
    expect(await use("search", { text: "two" })).toBe("src/a.js:1: one two one");
    expect(await use("search", { text: "three" })).toBe("not found");
  });

  it.each([
    ["../secret", /no path within the working tree/],
    ["/etc/passwd", /no path within the working tree/],
    ["out/secret", /goes over a symbolic link/],
    ["src/.git/config", /there is no .git here/],
    ["pipe", /there is no file pipe/],
    ["src", /there is no file src/],
  ])("do not read %s", async (path, why) => {
    expect(await use("read_file", { path })).toMatch(why);
  });

  it.each(["../x", "out/x", "out", "/tmp/x", "..\\x", "src/a.js/x"])("do not write %s", async (path) => {
    expect(await use("write_file", { path, content: "1" })).toMatch(/^Error: /);
    expect(existsSync(join(folder, "x"))).toBe(false);
  });

  it("write and remove only where they may", async () => {
    expect(await use("write_file", { path: "b.js", content: "1" }, ["src"])).toBe('Error: "b.js" is not in src/');
    expect(await use("write_file", { path: "src/deep/b.js", content: "1\n2\n" }, ["src"])).toBe(
      "Wrote src/deep/b.js (2 lines).",
    );
    expect(await use("write_file", { path: "src/deep/b.js", content: "1\n2" })).toBe("Wrote src/deep/b.js (2 lines).");
    expect(await use("write_file", { path: "src/deep/b.js", content: "" })).toBe("Wrote src/deep/b.js (0 lines).");
    expect(await use("remove_file", { path: "src/deep/b.js" })).toBe("Removed src/deep/b.js.");
    expect(await use("remove_file", { path: "src/deep/b.js" })).toMatch(/^Error: there is no file/);
  });

  it("replace a text that stands there once, as it is written", async () => {
    expect(await use("edit_file", { path: "src/a.js", old: "one", new: "1" })).toMatch(/found it 2 times/);
    expect(await use("edit_file", { path: "src/a.js", old: "two", new: "$& $1" })).toBe("Changed src/a.js.");
    expect(readFileSync(join(tree, "src/a.js"), "utf8")).toBe("one $& $1 one\n");
  });
});
