import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { MADE_UP_MODELS, madeUpAnswers } from "../../../../src/suites/codereviewqa/cli/demo-handler.js";
import { runProbe } from "../../../fixtures/cli.js";
import { jsonl } from "../../../fixtures/jsonl.js";
import { recordWith } from "../../../fixtures/official-record.js";
import { findPython, runPython } from "../../../fixtures/python.js";
import { readTable, summaryValue } from "../../../fixtures/tables.js";
import { temporaryFolder } from "../../../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const python = findPython("json");
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** What a template, a shell, YAML, Python, a file name or UTF-8 could stumble over. */
const HOSTILE = recordWith({
  id: '../../{{ env.HOME }}\n---\n"x" \ud800',
  review:
    "---\n{{ env.HOME }} {{ prompt }} {% raw %} {# no #} {{{% ''' \"\"\" \\n \\ $(x) \u2028 \ud800 file:///etc/passwd",
  license: "mine\n---\nlicense: mit",
});
const LONG = recordWith({ id: "long", review: "y".repeat(20_000) });

const DATA = join(folder, "data.jsonl");
const RUN = join(folder, "run");
/** Half of the questions are known whatever the order, half are not: neither accuracy is 0 or 1. */
const FORM = { task: "CL", difficulty: "hard", metric: "" };

const out = (name: string) => join(folder, name);
const exported = async (what: string, format: string) => {
  const { code, stderr } = await runProbe(["export", what, "--format", format, "--out", out(format)], { cwd: folder });
  expect(stderr).toBe("");
  expect(code).toBe(0);
  return out(format);
};
const summary = (metric: string) => Number(summaryValue(RUN, { ...FORM, metric }));

beforeAll(async () => {
  const ids = Array.from({ length: 10 }, (_, i) => `id ${i}`);
  writeFileSync(DATA, jsonl(HOSTILE, LONG, ...ids.map((id) => recordWith({ id }))));
  const [nervous, reader] = ["made-up-nerves", "made-up-reader"].map((name) =>
    MADE_UP_MODELS.find((m) => m.name === name),
  );
  if (nervous === undefined || reader === undefined) throw new Error("Expected the made-up models of the demo.");
  const answers = join(folder, "answers.jsonl");
  const half = [HOSTILE.id ?? "", ...ids.slice(5)];
  writeFileSync(answers, madeUpAnswers(nervous, half) + madeUpAnswers(reader, [LONG.id ?? "", ...ids.slice(0, 5)]));
  const asked = ["--dataset", DATA, "--task", "CL", "--difficulty", "hard", "--out", RUN];
  expect((await runProbe(["run", "--model", `scripted:${answers}`, ...asked], { cwd: folder })).code).toBe(0);
});

describe("probe export of a run", () => {
  it("writes a log of inspect_ai: a sample an answer, the run's own metrics", async () => {
    const logs = readdirSync(await exported(RUN, "inspect-log"));
    expect(logs).toEqual([
      expect.stringMatching(/^\d{4}(-\d\d){2}T\d\d(-\d\d){2}\+00-00_codereviewqa-cl-hard_\w{22}\.json$/),
    ]);
    const text = readFileSync(join(out("inspect-log"), logs[0] ?? ""), "utf8");
    expect(text.isWellFormed() && !/\\ud8/.test(text)).toBe(true);
    expect(text).not.toMatch(/base_url|api_key|connection/);
    const log = JSON.parse(text);
    // `EvalLog`, format 2, of inspect_ai 0.3: its readers take the members in this order.
    expect(Object.keys(log)).toEqual(["version", "status", "eval", "plan", "results", "stats", "samples"]);
    expect([log.version, log.status]).toEqual([2, "success"]);
    const answers = readTable(RUN, "answers.csv");
    expect(log.samples).toHaveLength(12 * 24);
    expect(new Set(log.samples.map(({ id }: { id: string }) => id)).size).toBe(12 * 24);
    for (const [i, sample] of log.samples.entries()) {
      const answer = answers[i];
      expect(sha256(sample.input)).toBe(answer?.["prompt_sha256"]);
      expect(sample.target).toBe(answer?.["correct_symbol"]);
      expect(sample.output.choices[0].message.content).toBe(answer?.["chosen_symbol"]);
      expect(sample.scores.letter.value).toBe(answer?.["correct"] === "true" ? "C" : "I");
    }
    // 12 questions under 24 orders.
    expect(log.results).toMatchObject({ total_samples: 288, completed_samples: 288 });
    const { metrics } = log.results.scores[0];
    for (const name of ["invariant_accuracy", "mean_accuracy"]) expect(metrics[name].value).toBe(summary(name));
    expect(summary("invariant_accuracy")).toBeGreaterThan(0);
    expect(summary("mean_accuracy")).toBeGreaterThan(summary("invariant_accuracy"));
  });

  it("says that the prompts are not at hand where the data are gone", async () => {
    const moved = out("moved");
    await runProbe(["run", "--model", "scripted:oracle", "--dataset", DATA, "--limit", "1", "--out", moved], {
      cwd: folder,
    });
    writeFileSync(DATA, `${readFileSync(DATA, "utf8")}\n`);
    const { code, stderr } = await runProbe(["export", moved, "--format", "inspect-log", "--out", out("blind")]);
    writeFileSync(DATA, readFileSync(DATA, "utf8").slice(0, -1));
    expect(code).toBe(0);
    expect(stderr).toContain("without prompts");
    const [first] = readdirSync(out("blind"));
    expect(readFileSync(join(out("blind"), first ?? ""), "utf8")).toContain(
      "(the text of this prompt is not at hand, SHA-256 ",
    );
  });
});

describe("probe export of a benchmark", () => {
  it.skipIf(python === null)(
    "as tasks of lm-eval: its functions come to what the run's summary says, over the same prompts",
    async () => {
      const tasks = await exported(DATA, "lm-eval");
      expect(parse(readFileSync(join(tasks, "codereviewqa.yaml"), "utf8"))).toEqual({
        group: "codereviewqa",
        task: ["ctr", "cl_easy", "cl_hard", "si_easy", "si_hard"].map((form) => `codereviewqa_${form}`),
      });
      const program = `
import csv, hashlib, json, sys
sys.path.insert(0, sys.argv[1] if len(sys.argv) > 1 else json.loads(sys.stdin.read()))
import orders
docs = list(orders.rows("cl_hard"))
answers = list(csv.DictReader(open(${JSON.stringify(join(RUN, "answers.csv"))}, encoding="utf-8", newline="")))
assert len(docs) == len(answers) == 288, (len(docs), len(answers))
scored, written = [], []
for doc, answer in zip(docs, answers):
    assert hashlib.sha256(doc["prompt"].encode()).hexdigest() == answer["prompt_sha256"]
    assert doc["order"] == answer["permutation"] and doc["letters"][doc["target"]] == answer["correct_symbol"]
    scored.append(orders.by_probability(doc, [(float(answer["logprob_" + letter.lower()]), False) for letter in doc["letters"]]))
    written.append(orders.by_letter(doc, ["**" + answer["chosen_symbol"] + "**."]))
names = ["invariant_accuracy", "mean_accuracy"]
print(json.dumps([[getattr(orders, name)([each[name] for each in items]) for name in names] for items in (scored, written, scored[:-1])]))
`;
      const [scored, written, cut] = JSON.parse(runPython(python ?? "", program, JSON.stringify(tasks)));
      const [invariant, mean] = [summary("invariant_accuracy"), summary("mean_accuracy")];
      expect(scored).toEqual([expect.closeTo(invariant, 12), expect.closeTo(mean, 12)]);
      expect(written).toEqual(scored);
      // A question without its last order is not right, and has no mean.
      expect(cut[0]).toBeLessThanOrEqual(invariant);
      expect(readFileSync(join(tasks, "codereviewqa_cl_hard.yaml"), "utf8")).toBe(
        "include: _choice.yaml\ntask: codereviewqa_cl_hard\ndataset_kwargs:\n  form: cl_hard\n",
      );
    },
  );

  it.skipIf(python === null)(
    "as tasks of inspect_ai: the run's numbers by its metrics, and no text of the data in a program",
    async () => {
      const tasks = await exported(DATA, "inspect-task");
      const programs = readdirSync(tasks).filter((name) => name.endsWith(".py"));
      expect(programs).toEqual(["codereviewqa.py", "orders.py"]);
      for (const name of programs) {
        expect(spawnSync(python ?? "", ["-m", "py_compile", join(tasks, name)]).status).toBe(0);
        expect(readFileSync(join(tasks, name), "utf8")).not.toContain("env.HOME");
      }
      // The names that the task imports, as inspect_ai 0.3 has them: it tells metrics of samples from older ones by the
      // annotation of their argument, and gives only these the samples' metadata.
      const program = `
import csv, json, sys, types
from inspect import signature
class Kept:
    def __init__(self, **fields): self.__dict__.update(fields)
def module(name, **members):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(members)
same = lambda function: function
module("inspect_ai", Task=Kept, task=same)
module("inspect_ai.dataset", MemoryDataset=lambda samples, name: samples, Sample=Kept)
module("inspect_ai.model", GenerateConfig=Kept)
module("inspect_ai.scorer", CORRECT="C", INCORRECT="I", SampleScore=Kept, Score=Kept, metric=same, scorer=lambda metrics: same)
module("inspect_ai.solver", generate=lambda: None)
sys.path.insert(0, json.loads(sys.stdin.read()))
import codereviewqa
answers = list(csv.DictReader(open(${JSON.stringify(join(RUN, "answers.csv"))}, encoding="utf-8", newline="")))
samples = codereviewqa.codereviewqa("cl_hard").dataset
assert [sample.target for sample in samples] == [answer["correct_symbol"] for answer in answers]
assert len({sample.id for sample in samples}) == 288
scores = [
    Kept(score=Kept(value="C" if answer["correct"] == "true" else "I"), sample_metadata=sample.metadata)
    for sample, answer in zip(samples, answers)
]
measures = [codereviewqa.invariant_accuracy(), codereviewqa.mean_accuracy()]
assert all(signature(measure).parameters["scores"].annotation == list[Kept] for measure in measures)
print(json.dumps([measure(scores) for measure in measures]))
`;
      expect(JSON.parse(runPython(python ?? "", program, JSON.stringify(tasks)))).toEqual([
        expect.closeTo(summary("invariant_accuracy"), 12),
        expect.closeTo(summary("mean_accuracy"), 12),
      ]);
    },
  );

  it("as tests of promptfoo: the same prompts, in which nothing is left to fill in", async () => {
    const tests = await exported(DATA, "promptfoo");
    const load = (name: string) => import(pathToFileURL(join(tests, name)).href);
    const [{ prompt }, { letter }] = [await load("prompt.mjs"), await load("letter.mjs")];
    const lines = readFileSync(join(tests, "tests.jsonl"), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    // CTR has 6 orders, CL and SI 24 of each difficulty.
    expect(lines).toHaveLength(12 * (6 + 4 * 24));
    const asked = lines.filter(({ vars }) => vars.form === "cl_hard");
    for (const [i, answer] of readTable(RUN, "answers.csv").entries()) {
      const [{ content }] = JSON.parse(prompt(asked[i]));
      expect(content.replaceAll(/\{\{ "[{#]" \}\}/g, "")).not.toMatch(/\{[{%#]|#\}/);
      expect(sha256(content.replaceAll(/\{\{ "([{#])" \}\}/g, "$1"))).toBe(answer["prompt_sha256"]);
      expect(letter(` (${answer["correct_symbol"]})`, asked[i]).pass).toBe(true);
      expect(letter("Because", asked[i]).pass).toBe(false);
    }
    // Results as `promptfoo eval -o` of 0.123 writes them.
    const answered = readTable(RUN, "answers.csv").map(({ correct }, i) => ({
      provider: { id: "echo", label: "" },
      vars: asked[i].vars,
      success: correct === "true",
      response: { output: "A" },
    }));
    const accuracy = (results: readonly object[]) => {
      writeFileSync(join(tests, "results.json"), JSON.stringify({ results: { version: 3, results } }));
      const { stdout } = spawnSync(process.execPath, ["accuracy.mjs"], { cwd: tests, encoding: "utf8" });
      return JSON.parse(stdout);
    };
    expect(accuracy(answered)).toEqual({
      name: "echo cl_hard",
      invariant_accuracy: expect.closeTo(summary("invariant_accuracy"), 12),
      mean_accuracy: expect.closeTo(summary("mean_accuracy"), 12),
    });
    // A question that is right under 23 orders and failed under one is not right, and has no mean.
    const [first, ...rest] = answered.slice(0, 24).map((each) => ({ ...each, success: true }));
    expect(accuracy([{ ...first, success: false, response: { error: "gone" } }, ...rest])).toEqual({
      name: "echo cl_hard",
      invariant_accuracy: 0,
      mean_accuracy: null,
    });
    for (const name of ["promptfooconfig.yaml", "tests.jsonl"]) {
      expect(readFileSync(join(tests, name), "utf8")).not.toMatch(/env\.HOME|passwd/);
    }
  });

  it("as Parquet and a card for the hub: every field again, and a front matter that the data cannot end", async () => {
    const hub = await exported(DATA, "hub");
    const [, front = "", ...rest] = readFileSync(join(hub, "README.md"), "utf8").split(/^---$/m);
    expect(parse(front)).toMatchObject({
      license: ["other", "unknown"],
      license_name: "see-the-column-license",
      size_categories: ["n<1K"],
      configs: [{ config_name: "default", data_files: [{ split: "test", path: "data/test.parquet" }] }],
    });
    expect(rest).toHaveLength(1);
    const rows = await parquetReadObjects({ file: await asyncBufferFromFile(join(hub, "data/test.parquet")) });
    const records = readFileSync(join(hub, "benchmark.jsonl"), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)))).toEqual(
      records,
    );
    expect(records[0]).toMatchObject({ review: HOSTILE.review.toWellFormed(), loc_wrong_hard: HOSTILE.loc_wrong_hard });
    // Read back by this program.
    const { code } = await runProbe(["dataset", "validate", join(hub, "benchmark.jsonl")]);
    expect(code).toBe(0);
  });

  it("is refused where it would replace something, or is of the wrong kind, and leaves nothing", async () => {
    const refusals = [
      [DATA, "lm-eval", folder, "Expected a new folder for --out"],
      [DATA, "inspect-log", out("none"), "a format of data sets for --format"],
      [RUN, "hub", out("none"), `--format hub --out ${out("none")}\n`],
      ["starter", "lm-evla", out("none"), "Did you mean lm-eval?"],
      [out("missing"), "hub", out("none"), "Expected a folder of a run"],
    ] as const;
    for (const [what, format, to, said] of refusals) {
      const { code, stderr } = await runProbe(["export", what, "--format", format, "--out", to], { cwd: folder });
      expect(code).toBe(2);
      expect(stderr).toContain(said);
    }
    expect(readdirSync(folder)).not.toContain("none");
  });
});
