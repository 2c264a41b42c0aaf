import { readdir, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import {
  casesOf,
  failedCount,
  findRunFile,
  mostOptions,
  mostPlaces,
  readRunFile,
  writeRunFile,
} from "../../../../src/suites/codereviewqa/record/run-file.js";
import { useFreshFolder } from "../../../fixtures/fresh-folder.js";
import { makeRunFile } from "../../../fixtures/run-file.js";

const folder = useFreshFolder();

describe("run.json", () => {
  it("is read as it was written, and nothing else is left in the folder", async () => {
    const run = makeRunFile({
      status: "complete",
      counts: { chosen: 5, undecided: 0, failed: 1, failures: { refused: 1 } },
    });
    await writeRunFile(folder.path(), makeRunFile());
    await writeRunFile(folder.path(), run);
    expect(await readRunFile(folder.path())).toEqual(run);
    expect(await readdir(folder.path())).toEqual(["run.json"]);
  });

  it("is read as it was recorded before there were generations", async () => {
    const { generations: _, generation_counts: __, tokens, ...before } = makeRunFile({ status: "complete" });
    const { completion: ___, ...tokensBefore } = tokens;
    await writeFile(folder.path("run.json"), JSON.stringify({ ...before, tokens: tokensBefore }));
    expect(await readRunFile(folder.path())).toEqual(makeRunFile({ status: "complete" }));
  });

  it("counts what failed among answers and generations", () => {
    const generated = { complete: 1, truncated: 1, empty: 1, failed: 3, failures: { refused: 3 } };
    const counts = { chosen: 5, undecided: 1, failed: 2, failures: { refused: 2 } };
    expect(failedCount(makeRunFile({ counts, generation_counts: generated }))).toBe(5);
  });

  it("is found to be absent in an empty folder, no folder, or a file", async () => {
    await writeFile(folder.path("file"), "");
    expect(await findRunFile(folder.path())).toBeNull();
    expect(await findRunFile(folder.path("none"))).toBeNull();
    expect(await findRunFile(folder.path("file"))).toBeNull();
  });

  it("is asked for where there is none: the message names the folder", async () => {
    await expect(readRunFile(folder.path("none"))).rejects.toMatchObject({
      code: "bad_input",
      message: expect.stringContaining(folder.path("none")),
    });
  });

  it("quotes a damaged file as it is: the console makes visible what a terminal would obey", async () => {
    await writeFile(folder.path("run.json"), "\u001b[31mred\n");
    const error: unknown = await readRunFile(folder.path()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: expect.stringContaining("\u001b[31mred") });
  });

  it.each([
    ["is not JSON", "{", "JSON"],
    ["is of another schema version", JSON.stringify({ ...makeRunFile(), schema_version: 2 }), "schema_version"],
    ["has an unknown status", JSON.stringify({ ...makeRunFile(), status: "done" }), "status"],
    ["lacks its questions", JSON.stringify({ ...makeRunFile(), questions: undefined }), "questions"],
  ])("is refused when it %s", async (_, text, named) => {
    await writeFile(folder.path("run.json"), text);
    await expect(findRunFile(folder.path())).rejects.toMatchObject({
      code: "bad_input",
      message: expect.stringContaining(named),
    });
  });
});

const form = (options?: number) => ({
  task: "X",
  difficulty: null,
  questions: 1,
  skipped: 0,
  ...(options === undefined ? {} : { options }),
});

describe("mostPlaces", () => {
  it("is N! of the form with the most options", () => {
    // 3! = 6, 5! = 120
    expect(mostPlaces({ forms: [form(3)], parameters: {} })).toBe(6);
    expect(mostOptions({ forms: [form(3), form(5)] })).toBe(5);
    expect(mostPlaces({ forms: [form(3), form(5)], parameters: {} })).toBe(120);
  });

  it("is 24 for a run that was recorded when four were the most", () => {
    expect(mostPlaces({ forms: [form()], parameters: {} })).toBe(24);
    // 4! orders, three times
    expect(mostPlaces({ forms: [form()], parameters: { repeats: 3, orders: "cyclic" } })).toBe(72);
  });
});

const dataset = { source: "s", sha256: "d", selection_sha256: "i", examples: 3, selected: 3, invalid: 0 };

it("takes examples for cases of their own, whatever their ids look like", () => {
  expect(casesOf({ dataset })).toBeNull();
});

it("takes hunks of a task for one case where the examples are such", () => {
  const caseOf = casesOf({ dataset: { ...dataset, hunks_of_tasks: true } });
  expect(["a/b#1", "a/b#2", "a/c#1", "alone"].map((id) => caseOf?.(id))).toEqual(["a/b", "a/b", "a/c", "alone"]);
});
