import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../../../src/base/sha256.js";
import { differencesOf, findExamples, hashDatasets } from "../../../../src/suites/codereviewqa/report/report-data.js";
import { jsonl } from "../../../fixtures/jsonl.js";
import { recordWith } from "../../../fixtures/official-record.js";
import { makeRunFile } from "../../../fixtures/run-file.js";
import { temporaryFolder } from "../../../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const TEXT = jsonl(recordWith({ id: "one" }), recordWith({ id: "two" }));

const asked = (source: string, hash = sha256(TEXT)) => ({ ...makeRunFile().dataset, source, sha256: hash });

function write(name: string, text = TEXT): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe("the examples that a run asked about", () => {
  it("are those of the file that the run names, if its bytes are the same", async () => {
    const found = await findExamples(asked(write("data.jsonl")), []);
    expect(found.status === "found" && ["one", "two"].map((id) => found.examples.has(id))).toEqual([true, true]);
  });

  it("are not those of a file that has changed since", async () => {
    const found = await findExamples(asked(write("changed.jsonl", `${TEXT}\n`)), []);
    expect(found).toMatchObject({ status: "missing", reason: expect.stringMatching(/has changed since .*--dataset/) });
  });

  it("are missing where the file is gone, and nothing is fetched for them", async () => {
    const gone = await findExamples(asked(join(folder, "gone.jsonl")), []);
    expect(gone).toMatchObject({ status: "missing", reason: expect.stringContaining("is not where it was") });
    const hub = await findExamples(asked("hf:nobody/nothing@0123456789abcdef0123456789abcdef01234567/x.jsonl"), []);
    expect(hub).toMatchObject({ status: "missing" });
  });

  it("are those of --dataset, whatever its name", async () => {
    const path = write("moved.jsonl");
    const run = makeRunFile({ dataset: asked("gone.jsonl") });
    const files = await hashDatasets([path], [{ run }]);
    expect((await findExamples(run.dataset, files)).status).toBe("found");
  });

  it("are refused in a --dataset that no run asked about", async () => {
    const path = write("other.jsonl", `${TEXT}\n`);
    const run = makeRunFile({ dataset: asked("gone.jsonl") });
    await expect(hashDatasets([path], [{ run }])).rejects.toThrow(/to be what the runs asked about/);
    await expect(hashDatasets([folder], [{ run }])).rejects.toThrow(/Expected a file for --dataset/);
  });
});

describe("runs that were asked alike", () => {
  const run = makeRunFile();
  const asked = (orders: string, each?: number) => ({
    folder: orders,
    run: {
      ...run,
      parameters: { ...run.parameters, orders },
      forms: [{ task: "CL", difficulty: "easy" as const, questions: 3, skipped: 0, ...(each && { orders: each }) }],
    },
  });

  it("have as many orders, however --orders said it", () => {
    // 4! = 24 are all; rotations of four options are four.
    expect(differencesOf([asked("all"), asked("24")])).toEqual([]);
    expect(differencesOf([asked("cyclic", 4), asked("4", 4)])).toEqual([]);
    expect(differencesOf([asked("all"), asked("4", 4)])).toEqual(["orders"]);
  });

  it("are asked for the same thoughts: nothing said of them is not other than off", () => {
    const { parameters } = makeRunFile();
    const thinking = (...thoughts: (string | null)[]) =>
      thoughts.map((think) => ({ folder: "r", run: makeRunFile({ parameters: { ...parameters, think } }) }));
    expect(differencesOf(thinking(null, "off"))).toEqual([]);
    expect(differencesOf(thinking("off", "high"))).toEqual(["thoughts"]);
  });
});
