import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { applyMutant, type Mutant } from "../../../src/suites/refactorbench/mutants.js";
import { readFixtures } from "../../../src/suites/refactorbench/read-fixtures.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";

const folder = useFreshFolder();

describe("mutants that somebody made", () => {
  const mutant = (file: string): Mutant => ({
    name: "m",
    base: "original",
    bucket: "Passed",
    tampered: false,
    edits: [{ file, find: "mine", replace: "theirs" }],
  });

  it.each(["../outside.js", "src/../../outside.js", "ABSOLUTE", "link/outside.js", "link.js"])(
    "change nothing outside of the tree: %s",
    async (name) => {
      const tree = folder.path("tree");
      const outside = folder.path("outside.js");
      mkdirSync(join(tree, "src"), { recursive: true });
      writeFileSync(outside, "mine");
      symlinkSync(folder.path(), join(tree, "link"));
      symlinkSync(outside, join(tree, "link.js"));
      const file = name === "ABSOLUTE" ? outside : name;
      await expect(applyMutant(tree, mutant(file))).rejects.toThrow(/no path within the working tree|symbolic link/);
      expect(readFileSync(outside, "utf8")).toBe("mine");
    },
  );
});

describe("fixtures that somebody made", () => {
  const app = { name: "a", description: "", appType: "web" };

  function fixture(target: string, test: string): string {
    const data = folder.path("data");
    mkdirSync(join(data, "a", "src"), { recursive: true });
    writeFileSync(join(data, "a", "eval.config.json"), JSON.stringify(app));
    const config = { targetFile: target, testFile: test };
    writeFileSync(join(data, "a", "refactoring_eval.config.json"), JSON.stringify(config));
    writeFileSync(join(data, "a", "src", "App.js"), "");
    writeFileSync(join(data, "a", "App.test.js"), "");
    writeFileSync(folder.path("secret"), "");
    symlinkSync(folder.path("secret"), join(data, "a", "link.test.js"));
    symlinkSync(folder.path("secret"), join(data, "a", "src", "link.js"));
    return data;
  }

  it("are read where their files are their own", async () => {
    expect(await readFixtures(fixture("App.js", "App.test.js"))).toHaveLength(1);
  });

  it.each([
    ["../../../secret", "App.test.js"],
    ["link.js", "App.test.js"],
    ["App.js", "../../secret"],
    ["App.js", "link.test.js"],
  ])("name no file outside of them: %s, %s", async (target, test) => {
    await expect(readFixtures(fixture(target, test))).rejects.toThrow(/Expected the (target|hidden test) of a in /);
  });
});
