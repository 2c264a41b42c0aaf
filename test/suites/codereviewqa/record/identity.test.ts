import { describe, expect, it } from "vitest";
import { NO_CONNECTION } from "../../../../src/model/model.js";
import { workDifferences } from "../../../../src/store/folder/work-folder.js";
import { shortFingerprint } from "../../../../src/store/identity.js";
import { RUN_WORK } from "../../../../src/suites/codereviewqa/ask/folder.js";
import type { PlannedForm, RunPlan } from "../../../../src/suites/codereviewqa/ask/plan.js";
import type { RunRequest } from "../../../../src/suites/codereviewqa/ask/request.js";
import { loadTemplate } from "../../../../src/suites/codereviewqa/question/template.js";
import { newRunFile, parametersOf, runFingerprint } from "../../../../src/suites/codereviewqa/record/identity.js";
import type { RunFile } from "../../../../src/suites/codereviewqa/record/run-file.js";
import { makeRunFile, makeRunModel } from "../../../fixtures/run-file.js";

const REQUEST: RunRequest = {
  model: { label: "mine", provider: "scripted", name: "uniform", settings: { threads: 2, gpu: "false" } },
  tasks: ["CL"],
  difficulties: ["easy", "hard"],
  dataset: "data.jsonl",
  selection: { languages: ["go", "ruby"], sample: 10, seed: 7, limit: null },
  promptMode: "completion",
  mode: "fast",
  connection: NO_CONNECTION,
  price: null,
  earlyStop: false,
  probes: [],
  namedProbes: 0,
  skipInvalid: true,
};
const MODEL = { identity: { provider: "scripted", rule: "uniform", seed: 7 }, maxOpenGroups: 1, close: async () => {} };
const NOW = new Date("2026-11-21T23:03:54.123Z");

/** CL in both difficulties about two examples: 2 questions of 24 orders each form. */
async function makePlan(request: RunRequest): Promise<RunPlan> {
  const { probe } = await import("../../../../probes/cl.js");
  const template = await loadTemplate("CL");
  const forms = (["easy", "hard"] as const).map(
    (difficulty): PlannedForm => ({ probe, difficulty, template, questions: 2, skipped: 0 }),
  );
  return {
    request,
    forms,
    dataset: {
      path: "data.jsonl",
      sha256: "d".repeat(64),
      languages: ["go", "ruby", "c"],
      lines: [1, 2, 4],
      invalidLines: 1,
      problems: [],
    },
    selected: new Set([1, 2]),
    selectionSha256: "s".repeat(64),
    questions: 4,
    plannedAnswers: 96,
    ownProbes: [],
    generations: 0,
  };
}

const newRun = async (request = REQUEST, now = NOW) => newRunFile(await makePlan(request), MODEL, now);

describe("newRunFile", () => {
  it("records what is asked of which model about which data, and nothing answered", async () => {
    const run = await newRun();
    expect(run).toMatchObject({
      schema_version: 1,
      status: "running",
      model: { label: "mine", identity: MODEL.identity },
      dataset: { source: "data.jsonl", sha256: "d".repeat(64), examples: 3, selected: 2, invalid: 1 },
      forms: [
        { task: "CL", difficulty: "easy", questions: 2, skipped: 0 },
        { task: "CL", difficulty: "hard", questions: 2, skipped: 0 },
      ],
      questions: 4,
      planned_answers: 96,
      counts: { chosen: 0, undecided: 0, failed: 0, failures: {} },
      generations: 0,
      generation_counts: { complete: 0, truncated: 0, empty: 0, failed: 0, failures: {} },
      tokens: { prompt: null, cached: null, completion: null, evaluated: null },
      times: { created_at: "2026-11-21T23:03:54.123Z", asking_ms: 0, sessions: 0 },
    });
  });

  it("records the prompt of both difficulties once, with its hash", async () => {
    const { id, sha256 } = await loadTemplate("CL");
    expect((await newRun()).prompts).toEqual([{ id, sha256 }]);
  });

  it("has an id of time, model and fingerprint", async () => {
    const run = await newRun();
    expect(run.run_id).toBe(`20261121T230354Z-mine-${shortFingerprint(runFingerprint(run))}`);
  });

  it.each(["../../etc/passwd", "scripted:/tmp/a b.jsonl", "..", "C:\\m.gguf", "日本", `${"x/".repeat(200)}.gguf`])(
    "has an id that is a plain folder name, whatever the model's label: %s",
    async (label) => {
      const { run_id } = await newRun({ ...REQUEST, model: { ...REQUEST.model, label } });
      expect(run_id).toMatch(/^20261121T230354Z-[A-Za-z0-9._-]*-[0-9a-f]{8}$/);
      expect(run_id.length).toBeLessThan(80);
    },
  );
});

describe("a run with ACR", () => {
  it("records how many generations there will be, and how they are asked for", async () => {
    const { probe } = await import("../../../../probes/acr.js");
    const template = await loadTemplate("ACR");
    const form: PlannedForm = { probe, difficulty: null, template, questions: 2, skipped: 0 };
    const plan = { ...(await makePlan(REQUEST)), forms: [form], questions: 0, plannedAnswers: 0, generations: 2 };
    const run = newRunFile(plan, MODEL, NOW);
    expect(run).toMatchObject({
      forms: [{ task: "ACR", difficulty: null, questions: 2, skipped: 0 }],
      questions: 0,
      planned_answers: 0,
      generations: 2,
      parameters: { temperature: 0, max_completion_tokens: 512 },
    });
  });

  it("is what a run without ACR does not mention", async () => {
    expect(Object.keys((await newRun()).parameters)).not.toContain("max_completion_tokens");
  });
});

describe("parametersOf", () => {
  it("keeps everything that was asked for but model and data", () => {
    expect(parametersOf(REQUEST)).toEqual({
      tasks: ["CL"],
      difficulties: ["easy", "hard"],
      languages: ["go", "ruby"],
      sample: 10,
      seed: 7,
      limit: null,
      prompt_mode: "completion",
      mode: "fast",
      early_stop: false,
      skip_invalid: true,
      model_args: ["threads=2", "gpu=false"],
    });
  });
});

describe("fingerprint", () => {
  it("does not depend on when the run began, nor on the path of the data", async () => {
    const first = runFingerprint(await newRun());
    expect(runFingerprint(await newRun(REQUEST, new Date(0)))).toBe(first);
    expect(runFingerprint(await newRun({ ...REQUEST, dataset: "/elsewhere/data.jsonl" }))).toBe(first);
  });

  it("depends on model, data, prompts and parameters", () => {
    const run = makeRunFile();
    const others = [
      { model: { ...run.model, identity: { ...run.model.identity, rule: "uniform" } } },
      { dataset: { ...run.dataset, sha256: "00" } },
      { dataset: { ...run.dataset, selection_sha256: "00" } },
      { parameters: { ...run.parameters, seed: 1 } },
      { prompts: [{ id: "paper/CTR", sha256: "00" }] },
    ].map((change) => runFingerprint(makeRunFile(change)));
    expect(new Set([runFingerprint(run), ...others]).size).toBe(6);
  });
});

const differencesOf = (recorded: RunFile, asked: RunFile) => workDifferences(RUN_WORK, recorded, asked);

describe("what has to be the same for a run to go on", () => {
  const run = makeRunFile();

  it("finds none between runs that ask the same, whenever and wherever", () => {
    const later = makeRunFile({
      run_id: "other",
      status: "interrupted",
      dataset: { ...run.dataset, source: "/elsewhere" },
    });
    expect(differencesOf(run, later)).toEqual([]);
  });

  it("finds none after a run was written to disk and read again", async () => {
    const asked = await newRun();
    expect(differencesOf(JSON.parse(JSON.stringify(asked)), asked)).toEqual([]);
  });

  it("names each difference with both values", () => {
    const asked = makeRunFile({
      model: makeRunModel("tiny", { provider: "scripted", rule: "uniform", seed: 1 }),
      dataset: { ...run.dataset, sha256: "00", selection_sha256: "11" },
      parameters: { ...run.parameters, tasks: ["CTR", "CL"], seed: 1 },
      prompts: [
        { id: "paper/CTR", sha256: "22" },
        { id: "paper/CL", sha256: "33" },
      ],
    });
    expect(differencesOf(run, asked)).toEqual([
      'model: the run has "scripted:oracle", this command "tiny"',
      'model rule: the run has "oracle", this command "uniform"',
      "model seed: the run has none, this command 1",
      `dataset sha256: the run has "${"cd".repeat(32)}", this command "00"`,
      `selected examples: the run has "${"ef".repeat(32)}", this command "11"`,
      `prompt paper/CTR: the run has "${"12".repeat(32)}", this command "22"`,
      'prompt paper/CL: the run has none, this command "33"',
      'parameter tasks: the run has ["CTR"], this command ["CTR","CL"]',
      "parameter seed: the run has 0, this command 1",
    ]);
  });

  it("tells an absent limit from a limit of 0", () => {
    const asked = makeRunFile({ parameters: { ...run.parameters, limit: 0 } });
    expect(differencesOf(run, asked)).toEqual(["parameter limit: the run has null, this command 0"]);
  });
});

describe("how a server was reached", () => {
  it("is recorded with the connection, not with the parameters, and never with a password", async () => {
    const settings = {
      baseUrl: ["http://me:secret@127.0.0.1:1/v1", "http://127.0.0.1:2/v1"],
      apiKeyEnv: "LAB_KEY",
      topLogprobs: 5,
    };
    const request: RunRequest = { ...REQUEST, model: { ...REQUEST.model, settings } };
    const run = newRunFile(await makePlan(request), MODEL, NOW);
    expect(run.model.connection).toMatchObject({
      base_urls: ["http://127.0.0.1:1/v1", "http://127.0.0.1:2/v1"],
      api_key_env: "LAB_KEY",
    });
    expect(run.parameters["model_args"]).toEqual(["topLogprobs=5"]);
    expect(JSON.stringify(run)).not.toContain("secret");
  });
});
