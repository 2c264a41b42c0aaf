import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import { z } from "zod";
import { badInput, whereMissing } from "../../base/errors.js";
import { programIdentity } from "../../base/program-identity.js";
import { shellWord } from "../../base/text.js";
import { onDisk } from "../../store/atomic-write.js";
import type { CI_SERVERS } from "../command-options.js";
import type { ModelPart } from "./config-parts.js";

/** A file to be written. */
export interface PlannedFile {
  /** From the working directory. */
  readonly path: string;
  readonly text: string;
}

interface JobRequest {
  readonly server: (typeof CI_SERVERS)[number];
  readonly model: ModelPart;
  readonly workingDirectory: string;
}

const CANDIDATE = "results/candidate";
const JUNIT = "reports/probe.xml";
const PAGE = "reports/page.html";

/**
 * A CI job that asks the model, fails where a score is under the bar of `probe.config.json`, and keeps the answers and
 * their page. Names stand in it as data: the words of a command are quoted for the shell, the whole for YAML.
 * @throws ProbeError `bad_input` for a name that the CI server itself would evaluate
 */
export function ciJob(request: JobRequest): PlannedFile {
  return request.server === "github" ? githubJob(request) : gitlabJob(request);
}

const HEAD = "# Written by `probe init`. What is asked, and the bar, stand in probe.config.json.\n";

/** @throws ProbeError `bad_input` for a file in the job's place that is no such job: it may have all others of a project */
export async function requireJob(path: string): Promise<void> {
  const text = await onDisk(path, () => readFile(path, "utf8").catch(whereMissing(HEAD)));
  if (text.startsWith(HEAD)) return;
  throw badInput(
    `Expected a job of \`probe init\` to replace at ${path}, found another file. Move it away, give the command again, ` +
      "and put the two together; or leave --ci out.",
  );
}

function githubJob(request: JobRequest): PlannedFile {
  const { model } = request;
  const { keyVariable } = model;
  const evaluated = model.words.find((word) => word.includes(`\${{`));
  if (evaluated !== undefined) {
    throw badInput(
      "Expected names without ${{ for a job of GitHub Actions, which evaluates what follows, found one. Leave --ci out.",
    );
  }
  const always = `\${{ !cancelled() }}`;
  const steps = [
    { uses: "actions/checkout@v4" },
    { uses: "actions/setup-node@v4", with: { "node-version": 20 } },
    { name: "Install", run: installLines(request).join("\n") },
    { name: "Ask the model", run: `${runLine(model)} --github-summary` },
    { name: "Make the page", if: always, run: PAGE_LINE },
    {
      name: "Keep the answers and the reports",
      if: always,
      uses: "actions/upload-artifact@v4",
      with: { name: "probe", path: `${CANDIDATE}\nreports\n` },
    },
  ];
  const probe = {
    "runs-on": "ubuntu-latest",
    "timeout-minutes": 60,
    ...(keyVariable !== null && { env: { [keyVariable]: `\${{ secrets.${keyVariable} }}` } }),
    steps,
  };
  const on = { workflow_dispatch: null, pull_request: null };
  const job = { name: "probe", on, permissions: { contents: "read" }, jobs: { probe } };
  return { path: ".github/workflows/probe.yml", text: yamlText(job) };
}

function gitlabJob(request: JobRequest): PlannedFile {
  const probe = {
    image: "node:20",
    script: [...installLines(request), runLine(request.model)],
    after_script: [PAGE_LINE],
    artifacts: { when: "always", paths: [CANDIDATE, "reports"], reports: { junit: JUNIT } },
  };
  return { path: ".gitlab-ci.yml", text: yamlText({ probe }) };
}

function yamlText(job: object): string {
  return `${HEAD}${stringify(job, { lineWidth: 0, nullStr: "" })}`;
}

function runLine({ words }: ModelPart): string {
  const run = ["probe", "run", ...words, "--out", CANDIDATE, "--quiet", "--junit", JUNIT];
  return `npx ${run.map(shellWord).join(" ")}`;
}

const PAGE_LINE = `npx probe report ${CANDIDATE} --out ${PAGE}`;

/** The program comes with the project's own packages, or else from a tarball that `npm pack` made. */
function installLines({ model, workingDirectory }: JobRequest): string[] {
  return [
    isPackageOf(workingDirectory) ? "npm ci" : `npm install --no-save ./${tarball()}`,
    ...(model.needsEngine ? ["npx probe engine install"] : []),
  ];
}

/** The tarball that a CI job installs where the project does not name the package; `null`: it does. */
export function wantedTarball(workingDirectory: string): string | null {
  return isPackageOf(workingDirectory) ? null : tarball();
}

function tarball(): string {
  const { name, version } = programIdentity();
  return `tools/${name}-${version}.tgz`;
}

const dependencies = z.record(z.string(), z.string()).optional();
const manifestSchema = z.object({ name: z.string().optional(), dependencies, devDependencies: dependencies });

/** Tests if the project there has this package, or is it. */
function isPackageOf(folder: string): boolean {
  const path = join(folder, "package.json");
  if (!existsSync(path)) return false;
  const { name } = programIdentity();
  try {
    const manifest = manifestSchema.parse(JSON.parse(readFileSync(path, "utf8")));
    return manifest.name === name || Object.hasOwn({ ...manifest.dependencies, ...manifest.devDependencies }, name);
  } catch {
    return false;
  }
}
