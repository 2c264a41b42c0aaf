import { mkdir, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { withConfigDefaults } from "../../src/console/config-defaults.js";
import { flagOf } from "../../src/console/option.js";
import { runOptions } from "../../src/console/run-options.js";
import { RUN_OPTIONS } from "../../src/suites/codereviewqa/options.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";

const TABLE = runOptions(RUN_OPTIONS);
const folder = useFreshFolder();

async function defaulted(run: object, given: Readonly<Record<string, unknown>> = {}) {
  await writeFile(folder.path("probe.config.json"), JSON.stringify({ run }));
  return withConfigDefaults(TABLE, given, folder.path());
}

describe("withConfigDefaults", () => {
  it("gives what the command line leaves out, as it would be typed, and says so", async () => {
    const run = { model: "my model.gguf", task: ["CTR", "CL"], limit: 20, "early-stop": true, "fail-under": 0.6 };
    expect(await defaulted(run, { limit: "3", quiet: undefined })).toEqual({
      given: { model: "my model.gguf", task: ["CTR", "CL"], limit: "3", earlyStop: true, failUnder: "0.6" },
      modelHolder: "probe.config.json",
      message: "From probe.config.json: --model 'my model.gguf' --task CTR --task CL --early-stop --fail-under 0.6",
    });
  });

  it("says nothing where there is no file, or nothing is left to say", async () => {
    const nothing = { modelHolder: null, message: null };
    expect(await withConfigDefaults(TABLE, { model: "tiny" }, folder.path())).toEqual({
      given: { model: "tiny" },
      ...nothing,
    });
    expect(await defaulted({ model: "qwen", "early-stop": false }, { model: "tiny" })).toEqual({
      given: { model: "tiny" },
      ...nothing,
    });
  });

  it("leaves a run that is gone on with as it is, but holds it against the bar", async () => {
    const run = { model: "qwen", limit: 20, dataset: "starter", concurrency: 2, require: "above_floor" };
    expect(await defaulted(run, { resume: "results/run" })).toEqual({
      given: { resume: "results/run", require: "above_floor" },
      modelHolder: null,
      message: "From probe.config.json: --require above_floor",
    });
  });

  // Everything that names a server, a key or code, that places results, or lifts a guard.
  it.each([
    "baseUrl",
    "base-url",
    "apiKeyEnv",
    "api-key-file",
    "modelArg",
    "probe",
    "out",
    "resume",
    "junit",
    "githubSummary",
    "force",
    "dryRun",
    "json",
    "quiet",
  ])("refuses %s by its name", async (key) => {
    await expect(defaulted({ [key]: "x" })).rejects.toThrow(
      `probe.config.json, run: Expected no ${key}: what names servers, keys or code,`,
    );
  });

  it("takes no option that was not said to be harmless", () => {
    const taken = Object.entries(TABLE).flatMap(([name, { inConfig }]) => (inConfig === undefined ? [] : flagOf(name)));
    expect(taken).toEqual([
      "model",
      "task",
      "difficulty",
      "ablate",
      "dataset",
      "language",
      "sample",
      "seed",
      "limit",
      "prompt-mode",
      "mode",
      "early-stop",
      "think",
      "trace-thoughts",
      "orders",
      "repeats",
      "until",
      "batch",
      "skip-invalid",
      "concurrency",
      "allow-generated",
      "fail-under",
      "require",
    ]);
  });

  it.each([
    [{ limt: 3 }, "Expected options of the command (model, task,"],
    [{ limt: 3 }, "require), found limt. Did you mean limit?"],
    [{ limit: 0 }, 'Expected a whole number of at least 1 for --limit, found "0".'],
    [{ limit: true }, "Expected one value for limit, found true."],
    [{ limit: [1, 2] }, "Expected one value for limit, found [1,2]."],
    [{ task: true }, "Expected a value or a list of values for task, found true."],
    [{ "early-stop": "no" }, 'Expected true or false for early-stop, found "no".'],
    [{ require: "best" }, "Expected readable or above_floor, such as CL=above_floor for --require"],
  ])("refuses %j, and says that the file has it", async (run, message) => {
    await expect(defaulted(run)).rejects.toThrow(message);
    await expect(defaulted(run)).rejects.toThrow(/^probe\.config\.json, run: /);
  });

  it.each([{ limit: null }, { task: { CL: 1 } }, { model: "" }, []])("refuses %j as a section", async (run) => {
    await expect(defaulted(run)).rejects.toThrow("Expected probe.config.json to hold");
  });

  it("takes data from below its folder, and none from elsewhere", async () => {
    await mkdir(folder.path("data"));
    await symlink(tmpdir(), folder.path("link"));
    for (const dataset of ["starter", "data/mine.jsonl", "./..mine.jsonl"]) {
      expect((await defaulted({ dataset })).given).toEqual({ dataset });
    }
    for (const dataset of ["hf:Tomo-Melb/CodeReviewQA", "../mine.jsonl", "..", "link", "/etc/hostname"]) {
      await expect(defaulted({ dataset })).rejects.toThrow(
        `Expected a file inside its folder for dataset, found "${dataset}"`,
      );
    }
  });
});
