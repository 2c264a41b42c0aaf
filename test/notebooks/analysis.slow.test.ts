import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { findPython } from "../fixtures/python.js";
import { readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const ROOT = join(import.meta.dirname, "../..");

function check(...args: string[]) {
  return spawnSync(process.execPath, ["scripts/check-notebook.mjs", ...args], { cwd: ROOT, encoding: "utf8" });
}

/** The starter examples as if each task had three hunks. */
function writeHunks(path: string) {
  const lines = readFileSync(join(ROOT, "datasets/starter.jsonl"), "utf8").trim().split("\n");
  const hunks = lines.map((line, i) => {
    const task = `task-${Math.floor(i / 3)}`;
    return JSON.stringify({ ...JSON.parse(line), id: `${task}#${i}`, source: `suite ${task} file` });
  });
  writeFileSync(path, hunks.join("\n"));
}

it("the notebook is committed without outputs", () => {
  expect(check()).toMatchObject({ status: 0, stdout: "notebooks/analysis.ipynb: without outputs\n" });
});

const python = findPython("pandas", "matplotlib", "nbconvert", "ipykernel");
if (python === null)
  process.stdout.write("Skipping the notebook: no Python with pandas, matplotlib, nbconvert, ipykernel\n");

describe.skipIf(python === null)("the notebook, executed", () => {
  const folder = temporaryFolder();
  const run = join(folder, "run");

  beforeAll(async () => {
    // A model whose name pandas takes for a missing value unless told otherwise.
    const models = { NA: { model: "scripted:uniform", settings: {} } };
    writeFileSync(join(folder, "probe.config.json"), JSON.stringify({ models }));
    const args = ["--task", "CTR,CL,SI,ACR", "--language", "go,py", "--limit", "15", "--seed", "3"];
    const { stderr } = await runProbe(["run", "--model", "NA", ...args, "--out", run, "--quiet"], { cwd: folder });
    expect(stderr).toBe("");
  });

  it("finds every number of summary.csv again, and draws three plots", () => {
    const { status, stdout, stderr } = check(run);
    expect(stderr).toBe("");
    expect(status).toBe(0);
    const metrics = readTable(run, "summary.csv").map((row) => row["metric"]);
    const count = (...names: string[]) => metrics.filter((metric) => names.includes(metric ?? "")).length;
    // A value each; with the ends of its interval for those that have Wilson's.
    const numbers =
      count("plurality_agreement", "mean_accuracy") +
      3 * count("invariant_accuracy", "em", "em_trim", "em_no_space", "em_no_comment");
    expect(numbers).toBeGreaterThan(100);
    expect(stdout).toContain(`${numbers} of ${numbers} numbers equal summary.csv, 3 plots`);
  });

  const DESIGNS: [string, string[]][] = [
    [
      "fewer orders, each asked twice, beside both kinds of writing",
      ["--task", "CTR,ACR,CLO", "--orders", "cyclic", "--repeats", "2"],
    ],
    [
      "questions about hunks of tasks that stop early, of forms that stop once decided",
      ["--task", "CTR,CL", "--early-stop", "--until", "decided", "--dataset", "hunks.jsonl"],
    ],
  ];

  it.each(DESIGNS)("finds the numbers of %s", async (name, design) => {
    writeHunks(join(folder, "hunks.jsonl"));
    const args = ["--model", "scripted:uniform", "--limit", "60", ...design, "--out", name, "--quiet"];
    expect((await runProbe(["run", ...args], { cwd: folder })).stderr).toBe("");
    expect(check(join(folder, name))).toMatchObject({ status: 0, stderr: "" });
  });

  // `.ci/run` executes it so, too.
  it.runIf(process.env["PROBE_SLOW_TESTS"] === "1")(
    "is executed by the command of its page, with the folder of a run as one names it there",
    () => {
      const page = readFileSync(join(ROOT, "docs/results.md"), "utf8");
      const command = /`(PROBE_RUN=\S+ (\S+) -m nbconvert [^`]+)`/.exec(page);
      const words =
        command?.[1]?.replace("results/…", relative(ROOT, run)).replace(command[2] ?? "", python ?? "") ?? "";
      const { status, stderr } = spawnSync("sh", ["-c", `${words} --output-dir ${folder}`], {
        cwd: ROOT,
        encoding: "utf8",
      });
      expect({ status, stderr }).toMatchObject({ status: 0, stderr: expect.stringContaining("analysis.ipynb") });
    },
  );

  it("names the folder that it does not find", () => {
    const { status, stderr } = check("results/no-such-run");
    expect(status).toBe(1);
    expect(stderr).toContain("Expected PROBE_RUN to name the folder of a finished run, found results/no-such-run.");
  });

  it("fails where a number of summary.csv is another by 1e-9", () => {
    const altered = join(folder, "altered");
    cpSync(run, altered, { recursive: true });
    const path = join(altered, "summary.csv");
    const text = readFileSync(path, "utf8");
    const line = text.split("\r\n").find((row) => row.includes(",CTR,,none,language,python,mean_accuracy,"))!;
    const value = line.split(",")[8]!;
    writeFileSync(path, text.replace(line, line.replace(value, String(Number(value) + 1e-9))));
    const { status, stderr } = check(altered);
    expect(status).toBe(1);
    expect(stderr).toMatch(/AssertionError: these differ from summary\.csv/);
    expect(stderr).toMatch(/CTR\s+language\s+python\s+mean_accuracy/);
  });
});
