import { access, appendFile, constants, open, realpath, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { badInput, isSystemError, messageOf, type ProbeError } from "../base/errors.js";
import type { CiReport } from "../report/junit.js";
import type { Markdown } from "../report/markdown.js";
import { writeAtomically } from "../store/atomic-write.js";
import { makeFolder } from "../store/folder/work-folder.js";
import type { CiValues } from "./run-options.js";

/** A file that a command is about to write. */
export interface OutputFile {
  /** The option that names it, such as `out`. */
  readonly option: string;
  /** `null`: none is written. */
  readonly path: string | null;
}

/**
 * Makes sure, before any work is done, that files can be written and that nothing is lost by it: none is a file that is
 * read, two are not the same, and what exists is replaced only when that was asked for.
 * @throws ProbeError `bad_input` saying what is in the way
 */
export async function requireWritable(
  outputs: readonly OutputFile[],
  { inputs, overwrite }: { readonly inputs: readonly (string | null)[]; readonly overwrite: boolean },
): Promise<void> {
  const taken = new Map<string, string>();
  for (const input of inputs) if (input !== null) taken.set(await realPath(input), "the file that is read");
  for (const { option, path } of outputs) {
    if (path === null) continue;
    const real = await realPath(path);
    const other = taken.get(real);
    if (other !== undefined) throw refuse(option, "a file of its own", `${path}, ${other}`, "Name another file.");
    taken.set(real, `the file of --${option}`);
    await requireFree(option, path, overwrite);
    await requireFolder(option, dirname(resolve(path)));
  }
}

async function requireFree(option: string, path: string, overwrite: boolean): Promise<void> {
  const info = await stat(path).catch(() => null);
  if (info === null || (info.isFile() && overwrite)) return;
  if (info.isFile()) {
    throw refuse(option, "a new file", `${path}, which exists`, "Name another, or add --overwrite to replace it.");
  }
  throw refuse(option, "a file", `${path}, which is something else`, "Name a file.");
}

async function requireFolder(option: string, folder: string): Promise<void> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const [what, advice] = isSystemError(cause, "ENOENT")
      ? ["does not exist", "Make it first."]
      : ["cannot be written to", "Name another."];
    throw refuse(option, "a file in a writable folder", `the folder ${folder}, which ${what}`, advice, cause);
  }
}

/** The path without symbolic links; as given where there is no such file. */
async function realPath(path: string): Promise<string> {
  const absolute = resolve(path);
  return realpath(absolute).catch(() => absolute);
}

function refuse(option: string, expected: string, found: string, advice: string, cause?: unknown): ProbeError {
  return badInput(`Expected ${expected} for --${option}, found ${found}. ${advice}`, cause);
}

const SUMMARY_VARIABLE = "GITHUB_STEP_SUMMARY";

/** Results for a CI server; each is made only when it is asked for. */
export interface CiResult {
  readonly checks: () => CiReport | Promise<CiReport>;
  readonly markdown: () => Markdown | Promise<Markdown>;
}

/** Outputs of a command's results besides its own. */
interface CiOutput {
  readonly write: (result: CiResult) => Promise<void>;
}

/**
 * Makes sure, before any work is done, that `--junit` and `--github-summary` can be served. A report of an earlier run is
 * replaced, any other file is not.
 * @throws ProbeError `bad_input` saying what is in the way
 */
export async function openCiOutput(
  given: CiValues,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<CiOutput> {
  const { junit } = given;
  const summary = given.githubSummary ? summaryPath(environment) : null;
  if (junit !== null) await requireReplaceable(junit);
  return {
    write: async ({ checks, markdown }) => {
      if (junit !== null) await writeJunit(junit, await checks());
      if (summary !== null) await appendSummary(summary, await markdown());
    },
  };
}

async function writeJunit(path: string, report: CiReport): Promise<void> {
  await makeFolder(dirname(resolve(path)));
  const { junitXml } = await import("../report/junit.js");
  await writeAtomically(path, (append) => append(junitXml(report)));
}

function summaryPath(environment: Readonly<Record<string, string | undefined>>): string {
  const path = environment[SUMMARY_VARIABLE];
  if (path !== undefined && path !== "") return path;
  throw badInput(
    `Expected the variable ${SUMMARY_VARIABLE} to name a file for --github-summary, found ` +
      `${path === undefined ? "none" : "an empty one"}. GitHub Actions sets it; elsewhere leave the option out.`,
  );
}

async function appendSummary(path: string, markdown: Markdown): Promise<void> {
  try {
    await appendFile(path, markdown);
  } catch (cause) {
    throw badInput(
      `Expected ${SUMMARY_VARIABLE} to name a file that can be written, found ${path}: ${messageOf(cause)}`,
      cause,
    );
  }
}

async function requireReplaceable(path: string): Promise<void> {
  const info = await stat(path).catch(() => null);
  if (info?.isFile() === false) throw refuseReport(`${path}, which is no file`, "Name a file.");
  if (info !== null && info.size > 0 && !(await isOwnReport(path))) {
    const advice = "Name another file; only an earlier report of probe is replaced.";
    throw refuseReport(`${path}, which holds something else`, advice);
  }
  await requireWritableFolder(dirname(resolve(path)));
}

async function isOwnReport(path: string): Promise<boolean> {
  const { JUNIT_HEAD } = await import("../report/junit.js");
  return (await headOf(path, JUNIT_HEAD.length)) === JUNIT_HEAD;
}

/** The first bytes of a file, as text. */
export async function headOf(path: string, bytes: number): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The folder, or where it is still to be made: the nearest one that is there. */
async function requireWritableFolder(folder: string): Promise<void> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    if ((await stat(folder)).isDirectory()) return;
  } catch (error) {
    if (isSystemError(error, "ENOENT") && dirname(folder) !== folder) {
      return await requireWritableFolder(dirname(folder));
    }
  }
  throw refuseReport(`the folder ${folder}, which cannot be written to`, "Name another.");
}

function refuseReport(found: string, advice: string): ProbeError {
  return refuse("junit", "a file that can be written", found, advice);
}
