import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { requireWritable } from "../../../src/console/output-file.js";
import { temporaryFolder } from "../../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
writeFileSync(at("in.jsonl"), "in");
writeFileSync(at("old.jsonl"), "old");
mkdirSync(at("sub"));
symlinkSync(at("in.jsonl"), at("link.jsonl"));

const check = (paths: readonly string[], overwrite = false) =>
  requireWritable(
    paths.map((path, i) => ({ option: i === 0 ? "out" : "drops", path })),
    { inputs: [at("in.jsonl")], overwrite },
  );

describe("requireWritable", () => {
  it("lets new files pass, and existing ones that may be replaced", async () => {
    await expect(check([at("new.jsonl"), at("sub/new.jsonl")])).resolves.toBeUndefined();
    await expect(check([at("old.jsonl")], true)).resolves.toBeUndefined();
  });

  it.each<[string, string[], boolean, RegExp]>([
    [
      "a file that exists",
      ["old.jsonl"],
      false,
      /a new file for --out, found .*old\.jsonl, which exists\..*--overwrite/,
    ],
    ["the input", ["in.jsonl"], true, /--out, found .*in\.jsonl, the file that is read/],
    ["the input by another name", ["sub/../link.jsonl"], true, /--out, found .*link\.jsonl, the file that is read/],
    ["two outputs in one", ["new.jsonl", "sub/../new.jsonl"], true, /--drops, found .*, the file of --out/],
    ["a folder", ["sub"], true, /--out, found .*sub, which is something else/],
    ["a folder that is not there", ["no/new.jsonl"], false, /--out, found the folder .*no, which does not exist/],
  ])("refuses %s", async (_, names, overwrite, says) => {
    await expect(check(names.map(at), overwrite)).rejects.toMatchObject({
      code: "bad_input",
      message: expect.stringMatching(says) as string,
    });
  });
});
