import { readdir, realpath } from "node:fs/promises";
import { basename, extname, join, relative, resolve, sep } from "node:path";
import { z } from "zod";
import { badInput, messageOf, whereMissing } from "../../base/errors.js";
import { packageRoot } from "../../base/folders.js";
import { shorten } from "../../base/text.js";
import { readCsv } from "../../store/read-csv.js";
import { readText } from "../../store/text-lines.js";
import { isFile, isFolder } from "../../workspace/tree-files.js";

/** Kinds of apps that fixtures are parts of. */
const APP_TYPES = ["web", "mobile"] as const;

/** A file to refactor, with what is around it and the test that is hidden from the agent. */
export interface Fixture {
  /** Its folder's name. */
  readonly name: string;
  readonly description: string;
  readonly appType: (typeof APP_TYPES)[number];
  /** Its folder, of which an agent sees `src` alone. */
  readonly folder: string;
  /** The file to refactor: a path within `src`. */
  readonly target: string;
  /** The hidden test's file. */
  readonly testFile: string;
  /** True if its tests need a page. */
  readonly isDom: boolean;
  /** True if its tests are written for Jest; else for vitest. */
  readonly isJest: boolean;
  /** A refactoring that passes, as a patch of the folder; `null`: there is none. */
  readonly goldPatch: string | null;
}

/** Our own fixtures. */
export const OWN_FIXTURES = join(packageRoot, "datasets", "suites", "refactorbench");

const RELEASED = join("refactoring", "data");
const APP_CONFIG = "eval.config.json";
const TARGET_CONFIG = "refactoring_eval.config.json";
const TEST_NAME = /\.test\.(?:js|jsx|ts|tsx)$/;

const appSchema = z.object({ name: z.string().min(1), description: z.string(), appType: z.enum(APP_TYPES) });
const RUNNERS = ["vitest", "jest"] as const;
const runnerSchema = z.object({ testRunner: z.enum(RUNNERS).optional() });
const targetSchema = runnerSchema.extend({ targetFile: z.string().min(1), testFile: z.string().min(1) });

/**
 * Reads the fixtures of a folder, in the order of their names: one folder each, either there or in `refactoring/data` of a
 * clone of the released repository. Where a fixture does not name its target (half of the released ones do not), the
 * released table of hardness does, and its test is the one at its root: of several the one named like the target.
 * @throws ProbeError `bad_input` for what is no such folder
 */
export async function readFixtures(data: string = OWN_FIXTURES): Promise<Fixture[]> {
  const folder = (await isFolder(join(data, RELEASED))) ? join(data, RELEASED) : data;
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw badInput(
      `Expected a folder of fixtures for --data, found ${shorten(data, 300)} (${messageOf(error)}). Name a clone of the ` +
        "released repository, or leave --data out for the fixtures that come with the program.",
      error,
    );
  });
  const targets = await readHardnessTargets(folder);
  const fixtures: Fixture[] = [];
  for (const { name } of entries.filter((entry) => entry.isDirectory()).sort(byName)) {
    if (await isFile(join(folder, name, APP_CONFIG))) fixtures.push(await readFixture(join(folder, name), targets));
  }
  if (fixtures.length > 0) return fixtures;
  throw badInput(
    `Expected fixtures (folders with ${APP_CONFIG}) in ${shorten(data, 300)}, found none. Name a clone of the released repository, or a folder like it.`,
  );
}

function byName(left: { name: string }, right: { name: string }): number {
  return left.name < right.name ? -1 : 1;
}

async function readFixture(folder: string, targets: ReadonlyMap<string, string>): Promise<Fixture> {
  const name = basename(folder);
  const { description, appType } = await readConfig(join(folder, APP_CONFIG), appSchema);
  const { target, test, testRunner } = await targetAndTest(folder, targets.get(name) ?? null);
  const source = join(folder, "src");
  const targetFile = await requireFile(source, target, `the target of ${name}`);
  const testFile = await requireFile(folder, test, `the hidden test of ${name}`);
  const gold = join(folder, "gold.patch");
  return {
    name,
    description,
    appType,
    folder,
    testFile,
    target: relative(source, targetFile).split(sep).join("/"),
    isDom: /\.[jt]sx$/.test(target) || (await importsReact(testFile)) || (await importsReact(targetFile)),
    isJest: (testRunner ?? runnerOf(await readText(testFile))) === "jest",
    goldPatch: (await isFile(gold)) ? gold : null,
  };
}

/** The runner that a test is written for: Jest where it names Jest's own object, and nothing of vitest. */
function runnerOf(test: string): (typeof RUNNERS)[number] {
  const isForJest = /["']@jest\/globals["']|\bjest\.\w+\(/.test(test);
  return isForJest && !/["']vitest["']|\bvi\.\w+\(/.test(test) ? "jest" : "vitest";
}

/** Place of what is refactored and of what judges it. */
interface Places extends z.infer<typeof runnerSchema> {
  readonly target: string;
  readonly test: string;
}

async function targetAndTest(folder: string, known: string | null): Promise<Places> {
  const config = join(folder, TARGET_CONFIG);
  if (await isFile(config)) {
    const { targetFile, testFile, ...rest } = await readConfig(config, targetSchema);
    return { target: targetFile, test: testFile, ...rest };
  }
  if (known === null) {
    throw badInput(
      `Expected ${TARGET_CONFIG} in ${folder}, or its target in the table of hardness of the released repository, found neither.`,
    );
  }
  const tests = (await readdir(folder)).filter((name) => TEST_NAME.test(name));
  const stem = basename(known, extname(known));
  const like = tests.filter((name) => name.replace(TEST_NAME, "") === stem);
  const [test, ...others] = tests.length > 1 ? like : tests;
  if (test !== undefined && others.length === 0) return { target: known, test };
  throw badInput(
    `Expected one hidden test in ${folder}, or one named like ${stem}, found ${tests.length === 0 ? "none" : tests.join(", ")}.`,
  );
}

/** A file within a folder: a name or a link that leads out of it is refused. */
async function requireFile(folder: string, path: string, what: string): Promise<string> {
  const file = resolve(folder, path);
  if (file.startsWith(resolve(folder) + sep) && (await isFile(file)) && (await isReallyIn(folder, file))) return file;
  throw badInput(`Expected ${what} in ${folder}, found no ${shorten(path, 300)}.`);
}

async function isReallyIn(folder: string, file: string): Promise<boolean> {
  return (await realpath(file)).startsWith((await realpath(folder)) + sep);
}

async function importsReact(file: string): Promise<boolean> {
  return /(?:from|import|require\()\s*["'](?:react(?:-dom)?(?:\/[^"']*)?|@testing-library\/[^"']+)["']/.test(
    await readText(file),
  );
}

async function readConfig<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  try {
    return schema.parse(JSON.parse(await readText(path)));
  } catch (error) {
    const found = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error);
    throw badInput(`Expected a configuration in ${path}, found: ${shorten(found, 300)}`, error);
  }
}

/** Path in the released repository, from its folder of fixtures. */
const TABLE = "../../data/eval-results/refactorbench_js_fixture_hardness.csv";

/** The targets that the released table of hardness tells, by fixture; none where there is no such table. */
async function readHardnessTargets(fixtures: string): Promise<ReadonlyMap<string, string>> {
  const path = join(fixtures, TABLE);
  const text = await readText(path).catch(whereMissing(null, "ENOENT", "ENOTDIR"));
  const rows = text === null ? [] : readCsv(path, text).rows;
  return new Map(
    rows.flatMap(({ cells }) => {
      const [fixture, target] = [cells["fixture"], cells["target_file"]];
      return fixture && target ? [[fixture, target]] : [];
    }),
  );
}
