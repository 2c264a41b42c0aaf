import { cp, mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applyMutant, type Mutant, readMutants } from "../../../src/suites/refactorbench/mutants.js";
import type { Fixture } from "../../../src/suites/refactorbench/read-fixtures.js";
import { readFixtures } from "../../../src/suites/refactorbench/read-fixtures.js";
import { readOriginal, type Scores, scoreRefactoring } from "../../../src/suites/refactorbench/refactor-scores.js";
import { runHiddenTest, runOwnTest } from "../../../src/suites/refactorbench/runner/hidden-test.js";
import { providedPackages } from "../../../src/suites/refactorbench/runner/install-runner.js";
import { type BenchRoom, openRoom } from "../../../src/trial/bench-room.js";
import { type Cage, openCage } from "../../../src/workspace/cage.js";
import { runCommand } from "../../../src/workspace/run-command.js";
import { isRunnerMissing, testRunner } from "../../fixtures/test-runner.js";

const { signal } = new AbortController();
const isWhole = process.env["PROBE_SLOW_TESTS"] === "1";
if (!isWhole)
  process.stdout.write("One mutant of two of our own fixtures; with PROBE_SLOW_TESTS=1, all eight of each\n");
const fixtures = await readFixtures();
const own = await Promise.all(
  fixtures.map(async (fixture) => ({ fixture, mutants: fixture.goldPatch === null ? [] : await readMutants(fixture) })),
);

/**
 * Those that are graded here: one in node, one of phones. `suite check` grades the right solution of interval_set and its
 * mutants of all kinds (test/e2e), and JSX in `.js` and hooks are among the rules of the runner (`runner-rules`).
 */
const SAMPLE = ["csv_report", "habit_mobile"];
const judged = own.filter(({ fixture, mutants }) => mutants.length > 0 && (isWhole || SAMPLE.includes(fixture.name)));

/** One of each fixture, each of another kind. */
function sampleOf(mutants: readonly Mutant[], fixture: number): Mutant[] {
  return mutants.filter((_, i) => isWhole || i === 2 * fixture);
}

describe.skipIf(isRunnerMissing)("our own fixtures, with the real runner", () => {
  let cage: Cage;
  let room: BenchRoom;
  beforeAll(async () => {
    cage = await openCage({ sandbox: "auto", hidden: [] });
    room = await openRoom("own fixtures of refactorbench");
  });
  afterAll(() => room.close());

  /** Lays out a base, changes it, and scores what it is then. */
  async function scored(
    fixture: Fixture,
    base: Mutant["base"],
    change: (tree: string) => Promise<void> = async () => undefined,
  ): Promise<Scores> {
    const tree = await mkdtemp(join(tmpdir(), "probe-own-"));
    const bench = room.open(cage, signal);
    try {
      await cp(join(fixture.folder, "src"), join(tree, "src"), { recursive: true });
      if (base === "gold") await applyGold(fixture, tree);
      await change(tree);
      const hidden = await runHiddenTest(
        { tree, original: fixture.folder, testFile: fixture.testFile, isDom: fixture.isDom },
        { runner: testRunner(), bench },
      );
      return await scoreRefactoring({
        fixture,
        tree,
        hidden,
        reportedSuccess: true,
        original: await readOriginal(fixture),
        provided: await providedPackages(),
      });
    } finally {
      await rm(tree, { recursive: true, force: true });
      await bench.close();
    }
  }

  async function applyGold({ goldPatch }: Fixture, tree: string): Promise<void> {
    const { PATH = "" } = process.env;
    const argv = ["git", "apply", "--whitespace=nowarn", goldPatch!] as const;
    const { code, output } = await runCommand({ argv, cwd: tree, env: { PATH }, limitMs: 30_000 }, signal);
    expect(output).toBe("");
    expect(code).toBe(0);
  }

  it("are five that can be judged, and one that cannot", async () => {
    expect(own.map(({ fixture, mutants }) => [fixture.name, mutants.length])).toEqual([
      ["broken_example", 0],
      ["csv_report", 8],
      ["draft_hook", 8],
      ["habit_mobile", 8],
      ["interval_set", 8],
      ["task_board", 8],
    ]);
  });

  for (const [place, { fixture, mutants }] of judged.entries()) {
    describe(fixture.name, () => {
      it("is passed by the gold refactoring, which decomposes it", async () => {
        expect(await scored(fixture, "gold")).toMatchObject({
          passesTests: true,
          decomposed: true,
          decomposedLenient: true,
          tampered: false,
          failureBucket: "Passed",
          failureKind: null,
          filesCompiled: 1,
          filesCompiledPublished: 1,
        });
      });

      it.each(sampleOf(mutants, place))("puts the mutant $name into $bucket", async (mutant) => {
        const scores = await scored(fixture, mutant.base, (tree) => applyMutant(tree, mutant));
        expect(scores).toMatchObject({ failureBucket: mutant.bucket, tampered: mutant.tampered, decomposed: false });
        expect(scores.passesTests).toBe(mutant.name === "no-op");
      });
    });
  }

  it("is passed by a file that is moved whole and passed on, which is the lenient headline and not the headline", async () => {
    const { fixture } = own.find((each) => each.fixture.name === "interval_set")!;
    const moved = async (tree: string) => {
      await rename(join(tree, "src", fixture.target), join(tree, "src/whole.js"));
      await writeFile(join(tree, "src", fixture.target), 'export * from "./whole.js";\n');
    };
    const scores = await scored(fixture, "original", moved);
    expect(scores).toMatchObject({ passesTests: true, nonTrivial: true, decomposedLenient: true, decomposed: false });
  });

  it("runs a test that an agent wrote beside src, without a line-up", async () => {
    const { fixture } = own.find((each) => each.fixture.name === "interval_set")!;
    const bench = room.open(cage, signal);
    const tree = await bench.folder();
    await cp(join(fixture.folder, "src"), join(tree, "src"), { recursive: true });
    await mkdir(join(tree, "scratch"));
    const test = 'import { union } from "../src/intervalSet"; it("a", () => expect(union([], [])).toEqual([1]));';
    await writeFile(join(tree, "scratch/own.test.js"), test);
    const run = { runner: testRunner(), bench };
    const result = await runOwnTest({ tree, path: "scratch/own.test.js", isDom: false }, run);
    expect(result).toMatchObject({ passes: false, testsFailed: 1, failureKind: "AssertionError", lineUp: null });
    await bench.close();
  });

  it("has one whose test fails on the code as it is, behind a link to the runner too, such as of a cache on another disk", async () => {
    const { folder: tree, testFile, isDom } = own.find((each) => each.fixture.name === "broken_example")!.fixture;
    const bench = room.open(cage, signal);
    const place = await bench.folder();
    await symlink(testRunner().folder, join(place, "runner"));
    const linked = { ...testRunner(), folder: join(place, "runner") };
    const result = await runHiddenTest({ tree, original: tree, testFile, isDom }, { runner: linked, bench });
    expect(result).toMatchObject({ passes: false, failureKind: "AssertionError" });
    await bench.close();
  });
});
