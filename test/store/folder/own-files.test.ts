import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { requireEmptyFolder } from "../../../src/store/folder/own-files.js";
import { temporaryFolder } from "../../fixtures/temporary-folder.js";

const folder = temporaryFolder();

describe("requireEmptyFolder", () => {
  it("accepts a folder that is not there, and one that holds nothing", async () => {
    mkdirSync(join(folder, "empty"));
    await requireEmptyFolder(join(folder, "new"), "a run");
    await requireEmptyFolder(join(folder, "empty"), "a run");
  });

  it("refuses one with files, and what is no folder", async () => {
    mkdirSync(join(folder, "full"));
    writeFileSync(join(folder, "full", "mine.txt"), "");
    await expect(requireEmptyFolder(join(folder, "full"), "a run")).rejects.toThrow(
      "to be new, empty or a run, found 1 other files",
    );
    await expect(requireEmptyFolder(join(folder, "full", "mine.txt"), "a run")).rejects.toThrow("Expected a folder at");
  });
});
