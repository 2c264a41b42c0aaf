import { access, appendFile, constants, mkdir, open, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isSystemError, messageOf, ProbeError } from "../base/errors.js";
import type { CiReport } from "../report/junit.js";
import type { Markdown } from "../report/markdown.js";
import { writeAtomically } from "../store/atomic-write.js";
import type { CiValues } from "./ci-options.js";

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
  await mkdir(dirname(resolve(path)), { recursive: true });
  const { junitXml } = await import("../report/junit.js");
  await writeAtomically(path, (append) => append(junitXml(report)));
}

function summaryPath(environment: Readonly<Record<string, string | undefined>>): string {
  const path = environment[SUMMARY_VARIABLE];
  if (path !== undefined && path !== "") return path;
  throw new ProbeError(
    "bad_input",
    `Expected the variable ${SUMMARY_VARIABLE} to name a file for --github-summary, found ` +
      `${path === undefined ? "none" : "an empty one"}. GitHub Actions sets it; elsewhere leave the option out.`,
  );
}

async function appendSummary(path: string, markdown: Markdown): Promise<void> {
  try {
    await appendFile(path, markdown);
  } catch (cause) {
    throw new ProbeError(
      "bad_input",
      `Expected ${SUMMARY_VARIABLE} to name a file that can be written, found ${path}: ${messageOf(cause)}`,
      { cause },
    );
  }
}

async function requireReplaceable(path: string): Promise<void> {
  const info = await stat(path).catch(() => null);
  if (info === null) return await requireWritableFolder(dirname(resolve(path)));
  if (!info.isFile()) throw refuse(`${path}, which is no file`, "Name a file.");
  if (info.size > 0 && !(await isOwnReport(path))) {
    throw refuse(
      `${path}, which holds something else`,
      "Name another file; only an earlier report of probe is replaced.",
    );
  }
  await requireWritableFolder(dirname(resolve(path)));
}

async function isOwnReport(path: string): Promise<boolean> {
  const { JUNIT_HEAD } = await import("../report/junit.js");
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(JUNIT_HEAD.length), 0, JUNIT_HEAD.length, 0);
    return buffer.toString("utf8", 0, bytesRead) === JUNIT_HEAD;
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
  throw refuse(`the folder ${folder}, which cannot be written to`, "Name another.");
}

function refuse(found: string, advice: string): ProbeError {
  return new ProbeError("bad_input", `Expected a file that can be written for --junit, found ${found}. ${advice}`);
}
