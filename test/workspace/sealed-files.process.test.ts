import { execFileSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { copyTree, readSealed, removeSealed, sealedText, writeSealed } from "../../src/workspace/sealed-files.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const outside = temporaryFolder();
const root = join(outside, "root");
mkdirSync(join(root, "in"), { recursive: true });
writeFileSync(join(outside, "key"), "private");
writeFileSync(join(root, "in/report.json"), "{}");
symlinkSync(join(outside, "key"), join(root, "link"));
symlinkSync(outside, join(root, "out"));
symlinkSync("in", join(root, "alias"));
execFileSync("mkfifo", [join(root, "pipe")]);
writeFileSync(join(root, "sparse"), "");
truncateSync(join(root, "sparse"), 10 * 1024 ** 4);

describe("what a cage could write", () => {
  it("is read where it is a plain file in plain folders", async () => {
    expect((await readSealed({ root, path: "in/report.json" })).toString()).toBe("{}");
    expect(await sealedText(root, "in/none")).toBeNull();
  });

  it.each([
    ["link", /symbolic link/],
    ["out/key", /a link or a file where a folder has to be|symbolic link/],
    ["alias/report.json", /a link or a file where a folder has to be|symbolic link/],
    ["pipe", /no plain file/],
    ["in", /no plain file/],
    ["sparse", /a file of 10995116277760 bytes \(at most 33554432\)/],
    ["../key", /leads out/],
    ["in/none", /no such file/],
    [`${"a/".repeat(3000)}b`, /no such file/],
    ["a".repeat(300), /too long/],
  ])("is not read by %s, and nothing waits", async (path, why) => {
    await expect(readSealed({ root, path })).rejects.toThrow(why);
  });

  it("is not read from a socket", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(root, "socket"), resolve));
    await expect(readSealed({ root, path: "socket" })).rejects.toThrow(/no plain file/);
    server.close();
  });

  it.each(["link", "out/key", "alias/new", "pipe", "in", "../key"])("is not written by %s", async (path) => {
    await expect(writeSealed({ root, path }, "changed")).rejects.toThrow();
    expect(readFileSync(join(outside, "key"), "utf8")).toBe("private");
    expect(existsSync(join(root, "in/new"))).toBe(false);
  });

  it("keeps the rights of a file that is written again, and leaves another name of it as it was", async () => {
    writeFileSync(join(outside, "startup"), "mine", { mode: 0o755 });
    linkSync(join(outside, "startup"), join(root, "startup"));
    await writeSealed({ root, path: "startup" }, "theirs");
    expect(readFileSync(join(root, "startup"), "utf8")).toBe("theirs");
    expect(statSync(join(root, "startup")).mode & 0o777).toBe(0o755);
    expect(readFileSync(join(outside, "startup"), "utf8")).toBe("mine");
    await writeSealed({ root, path: "new/folder/file" }, "1");
    expect(await sealedText(root, "new/folder/file")).toBe("1");
  });

  it("is removed where it is a plain file alone", async () => {
    await expect(removeSealed({ root, path: "pipe" })).rejects.toThrow(/no plain file/);
    await removeSealed({ root, path: "new/folder/file" });
    expect(existsSync(join(root, "new/folder/file"))).toBe(false);
  });

  it("is copied without pipes, links as links", async () => {
    const copy = join(outside, "copy");
    await copyTree(root, copy, (path) => !path.endsWith("sparse"));
    expect(existsSync(join(copy, "pipe"))).toBe(false);
    expect(readFileSync(join(copy, "in/report.json"), "utf8")).toBe("{}");
    expect(
      execFileSync("readlink", [join(copy, "link")])
        .toString()
        .trim(),
    ).toBe(join(outside, "key"));
  });
});
