import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const TINY = ["run", "--model", "tiny"];
const REFACTOR = ["suite", "run", "refactorbench", "--agent", "scripted:noop"];

/** Mistakes of a user, and the end of the line that each is told: what is meant, or a line that works. */
const MISTAKES: readonly (readonly [args: string, told: string])[] = [
  // Commands.
  ["list", "Did you mean probe runs? See --help."],
  ["ls", "Did you mean probe runs? See --help."],
  ["evaluate --model tiny", "Did you mean probe run? See --help."],
  ["serve", "Did you mean probe view? See --help."],
  ["diff a b", "Did you mean probe compare? See --help."],
  ["comapre a b", "Did you mean probe compare? See --help."],
  ["validate reviews.jsonl", "Did you mean probe dataset validate? See --help."],
  ["kappa a b", "Did you mean probe dataset kappa? See --help."],
  ["check tiny", "Did you mean probe models check? See --help."],
  ["refactorbench", "Did you mean probe suite run refactorbench? See --help."],
  ["models tiny", "Did you mean probe models check tiny? See --help."],
  ["models chek tiny", "Did you mean probe models check? See --help."],
  ["suite refactorbench", "Did you mean probe suite run refactorbench? See --help."],
  ["suite run atlas", "Did you mean probe suite run swe-atlas? See --help."],
  ["engine instal", "Did you mean probe engine install? See --help."],
  ["dataset bild reviews.jsonl", "Did you mean probe dataset build? See --help."],
  ["version", "Did you mean --version? See --help."],
  // Options.
  ["--halp", "Did you mean --help? See --help."],
  ["run --taks CL", "Did you mean --task? See --help."],
  ["run --modl tiny", "Did you mean --model or --mode? See --help."],
  ["run --output here", "Did you mean --out? See --help."],
  ["run --url http://127.0.0.1", "Did you mean --base-url? See --help."],
  ["run --api-key secret", "Did you mean --api-key-env or --api-key-file? See --help."],
  ["run --fail-udner 0.5", "Did you mean --fail-under? See --help."],
  ["report latest --fromat md", "Did you mean --format? See --help."],
  ["run --task", "found none: CTR, CL, SI, ACR, CLO: comma list or repeated (default: CTR,CL,SI). See --help."],
  ["run -m", "found none: alias, provider:name or .gguf file (see: probe models). See --help."],
  ["merge latest", "Expected --out, found none. Such as: probe merge results/shard-* --out results/whole"],
  ["dataset validate", "found 0. Such as: probe dataset validate my-reviews.jsonl"],
  ["compare", "found 0. Such as: probe compare results/base results/new"],
  // Values.
  ["run --model tiny --task CL SI", "behind a flag each: --task CL,SI"],
  ["suite run refactorbench --task-id csv_report task_board", "--task-id csv_report --task-id task_board"],
  ["run tiny", "Did you mean --model tiny? See --help."],
  ["run --model tiny hard", "Did you mean --difficulty hard? See --help."],
  ["run Qwen2.5", "A model is named by --model: --model Qwen2.5. See --help."],
  ["run --difficulty esay", 'found "esay". Did you mean easy?'],
  ["run --language pyhton", 'found "pyhton". Did you mean python?'],
  ["run --ablate reviw", 'found "reviw". Did you mean review?'],
  ["run --mode fst", 'found "fst". Did you mean fast?'],
  ["run --require CL=above-floor", 'found "above-floor". Did you mean above_floor?'],
  ["report latest --table score", 'found "score". Did you mean scores?'],
  ["audit --part gld", 'found "gld". Did you mean gold?'],
  // Runs and files.
  ["report latst", "found latst. Did you mean latest?"],
  ["score base-lien", "found base-lien. Did you mean base-line?"],
  ["score 3", "found 3."],
  ["score base", 'Expected "base" to begin the name of one run, found 2: base-next, base-line.'],
];

/** Mistakes that the model has to be known for. */
const WITH_A_MODEL: readonly (readonly [args: readonly string[], told: string])[] = [
  [[...TINY, "--task", "CTRR"], 'found "CTRR". Did you mean CTR?'],
  [[...TINY, "--dataset", "strater"], "Did you mean starter?"],
  [[...TINY, "--dataset", "my-reveiws.jsonl"], "Did you mean my-reviews.jsonl?"],
  [[...TINY, "--probe", "colour.tx"], "Did you mean colour.ts?"],
  [[...REFACTOR, "--condition", "tst-runner"], "found tst-runner. Did you mean test-runner?"],
  [[...REFACTOR, "--task-id", "csv-report"], "found csv-report. Did you mean csv_report?"],
];

const isOneLine = (text: string) => /^probe: [^\n]+\n$/.test(text);

describe("a mistake is told in one line, with what is meant or a line that works", () => {
  beforeAll(async () => {
    writeFileSync(join(folder, "my-reviews.jsonl"), "");
    writeFileSync(join(folder, "colour.ts"), "");
    for (const name of ["base-line", "base-next"]) {
      const ask = ["run", "--model", "scripted:uniform", "--task", "CTR", "--limit", "1", "-q"];
      expect((await runProbe([...ask, "--out", `results/${name}`], { cwd: folder })).code).toBe(0);
    }
  });

  it.each([...MISTAKES.map(([args, told]) => [args.split(" "), told] as const), ...WITH_A_MODEL])(
    "probe %j",
    async (args, told) => {
      const { code, stdout, stderr } = await runProbe(args, { cwd: folder });
      expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: "", stderr: expect.stringContaining(`${told}\n`) });
      expect(isOneLine(stderr)).toBe(true);
    },
  );

  it("is told without what stands behind a flag that nobody knows, as it may be a secret", async () => {
    const { stderr } = await runProbe(["run", "--api-key", "sk-123"], { cwd: folder });
    expect(stderr).not.toContain("sk-123");
  });
});

describe("a run is named", () => {
  it.each(["results/base-line", "latest", "1", "2", "base-l"])("by %s", async (name) => {
    const { code, stdout } = await runProbe(["score", name, "--json"], { cwd: folder });
    expect(code).toBe(0);
    const { folder: found } = JSON.parse(stdout) as { folder: string };
    // The newest run is the first of the list.
    expect(found).toBe(["latest", "1"].includes(name) ? "results/base-next" : "results/base-line");
  });

  it("by its number, where no folder has that name", async () => {
    const copy = ["run", "--model", "scripted:oracle", "--task", "CTR", "--limit", "1", "-q", "--out", "1"];
    expect((await runProbe(copy, { cwd: folder })).code).toBe(0);
    const { stdout } = await runProbe(["score", "1", "--json"], { cwd: folder });
    expect(JSON.parse(stdout)).toMatchObject({ folder: "1" });
  });

  it("never by a number that is too high, though a name begins with it", async () => {
    const named = [
      "run",
      "--model",
      "scripted:oracle",
      "--task",
      "CTR",
      "--limit",
      "1",
      "-q",
      "--out",
      "results/9-lives",
    ];
    expect((await runProbe(named, { cwd: folder })).code).toBe(0);
    const { code, stderr } = await runProbe(["score", "9"], { cwd: folder });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("(`probe runs` lists them), found 9."),
    });
  });
});
