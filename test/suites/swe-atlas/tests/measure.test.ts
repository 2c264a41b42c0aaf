import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { putBack } from "../../../../src/suites/swe-atlas/tests/measure.js";
import { useFreshFolder } from "../../../fixtures/fresh-folder.js";

const folder = useFreshFolder();

function write(path: string, text: string): void {
  mkdirSync(dirname(folder.path(path)), { recursive: true });
  writeFileSync(folder.path(path), text);
}

const putBackFile = () => putBack(folder.path("original"), folder.path("tree"), "test/unit/a.test.js");

describe("a test that is put back", () => {
  it("is as it was, where an agent changed it, removed it or put a folder in its place", async () => {
    write("original/test/unit/a.test.js", "original");
    write("tree/test/unit/a.test.js", "changed");
    await putBackFile();
    expect(readFileSync(folder.path("tree/test/unit/a.test.js"), "utf8")).toBe("original");
    write("tree2/test/unit/a.test.js/inside.js", "");
    await putBack(folder.path("original"), folder.path("tree2"), "test/unit/a.test.js");
    expect(readFileSync(folder.path("tree2/test/unit/a.test.js"), "utf8")).toBe("original");
  });

  it("replaces a file or a link that stands where its folder was, and leaves alone what the link names", async () => {
    write("original/test/unit/a.test.js", "original");
    write("elsewhere/a.test.js", "not this one");
    write("tree/test/other.txt", "");
    symlinkSync(folder.path("elsewhere"), folder.path("tree/test/unit"));
    await putBackFile();
    expect(readFileSync(folder.path("tree/test/unit/a.test.js"), "utf8")).toBe("original");
    expect(readFileSync(folder.path("elsewhere/a.test.js"), "utf8")).toBe("not this one");
    write("tree3/test", "a file");
    await putBack(folder.path("original"), folder.path("tree3"), "test/unit/a.test.js");
    expect(readFileSync(folder.path("tree3/test/unit/a.test.js"), "utf8")).toBe("original");
  });

  it("is gone where the original has none", async () => {
    write("original/other.js", "");
    write("tree/test/unit/a.test.js", "made by the agent");
    await putBackFile();
    expect(existsSync(folder.path("tree/test/unit/a.test.js"))).toBe(false);
  });
});
