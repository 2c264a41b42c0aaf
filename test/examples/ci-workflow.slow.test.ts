import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { packageRoot } from "../../src/base/folders.js";
import { PROBE } from "../fixtures/cli.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

/** What GitHub Actions takes, as far as the example uses it: anything else in it is a mistake. */
const stepSchema = z.union([
  z.strictObject({ name: z.string(), if: z.string().optional(), run: z.string() }),
  z.strictObject({
    name: z.string().optional(),
    if: z.string().optional(),
    uses: z.string().regex(/^[\w-]+\/[\w-]+@v\d+$/),
    with: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  }),
]);
const workflowSchema = z.strictObject({
  name: z.string(),
  on: z.strictObject({ workflow_dispatch: z.null(), pull_request: z.null() }),
  permissions: z.strictObject({ contents: z.literal("read") }),
  jobs: z.strictObject({
    probe: z.strictObject({
      "runs-on": z.literal("ubuntu-latest"),
      "timeout-minutes": z.int(),
      env: z.record(z.string(), z.string()),
      steps: z.array(stepSchema),
    }),
  }),
});

const { jobs } = workflowSchema.parse(parse(readFileSync(join(packageRoot, "examples/ci/probe.yml"), "utf8")));
const { steps, env } = jobs.probe;

const folder = temporaryFolder();

/** A step as the runner does it: by bash, which ends at the first command that fails. */
async function step(
  name: string,
  model: string,
  out = "results/candidate",
): Promise<{ readonly code: number; readonly stderr: string }> {
  const found = steps.find((one) => one.name === name);
  if (found === undefined || !("run" in found)) throw new Error(`No step ${name}.`);
  const variables = { ...process.env, ...env, MODEL: model, GITHUB_STEP_SUMMARY: join(folder, "summary.md") };
  const bash = promisify(execFile)(
    "bash",
    ["-e", "-o", "pipefail", "-c", found.run.replace("results/candidate --quiet", `${out} --quiet`)],
    { cwd: folder, env: variables },
  );
  const said = (stderr: string) => stderr.replace(/^npm warn .*\n/gm, "");
  return bash.then(
    ({ stderr }) => ({ code: 0, stderr: said(stderr) }),
    ({ code, stderr }) => ({ code, stderr: said(stderr) }),
  );
}

describe("the example workflow", () => {
  beforeAll(() => {
    // As after the step that installs.
    mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
    symlinkSync(PROBE, join(folder, "node_modules/.bin/probe"));
    writeFileSync(join(folder, "package.json"), "{}");
  });

  it("installs the package of this version, with the engine", () => {
    const { version } = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8"));
    const install = steps.find(({ name }) => name === "Install");
    expect(install).toHaveProperty("run", expect.stringContaining(`code-review-probe-${version}.tgz`));
    expect(install).toHaveProperty("run", expect.stringContaining("npx probe engine install"));
  });

  it("runs: a good model passes, is compared, and has its page", async () => {
    expect(await step("Ask the model", "scripted:oracle")).toEqual({ code: 0, stderr: "" });
    // The baseline is right nowhere.
    await step("Ask the model", "scripted:always-B", "baseline");
    expect(await step("Compare with the baseline", "")).toMatchObject({ code: 0 });
    expect(await step("Make the page", "")).toMatchObject({ code: 0 });
    const made = ["reports/run.xml", "reports/compare.xml", "reports/page.html", "summary.md"];
    expect(made.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
    expect(readFileSync(join(folder, "summary.md"), "utf8")).toContain(
      "| CTR | a score of at least 0.2 | 1.0000 | yes |",
    );
  });

  it("ends with 5 for a model that binds no letters, after everything is written", async () => {
    const again = join(folder, "results/candidate");
    rmSync(again, { recursive: true });
    const { code, stderr } = await step("Ask the model", "scripted:always-A");
    expect(code).toBe(5);
    expect(stderr).toMatch(/^CTR: expected a score of at least 0\.2 \(--fail-under\), found 0\.0000\n/);
    expect(stderr).toMatch(/^CL hard: expected readable \(--require\), found unreadable/m);
    expect(readFileSync(join(folder, "reports/run.xml"), "utf8")).toContain('type="fail_under"');
    // A later look at the same run, by other thresholds.
    const score = promisify(execFile)(process.execPath, [PROBE, "score", again, "--fail-under", "SI=0.5"]);
    await expect(score).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Expected --fail-under to name a form of the run"),
    });
  });
});
