import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const TINY = ["run", "--model", "tiny"];
const ORACLE = ["run", "--model", "scripted:oracle"];
const OPENAI = ["run", "--model", "openai:gpt-4o", "--base-url", "http://127.0.0.1:1/v1"];
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
  ["help run", "Did you mean probe run --help? See --help."],
  ["models list", "Did you mean probe models? See --help."],
  ["suite check refactor", "Did you mean probe suite check refactorbench? See --help."],
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
  ["run --MODEL tiny", "Unknown argument: --MODEL. Did you mean --model? See --help."],
  ["run -model tiny", "Unknown argument: -model. Did you mean --model? See --help."],
  // A dash that an editor made of two.
  ["run —model tiny", "Unknown argument: —model. Did you mean --model? See --help."],
  ["run --model tiny --tasks CL", "Unknown argument: --tasks. Did you mean --task? See --help."],
  ["run --model scripted:oracle --model tiny", "Expected one value for --model, found 2."],
  ["run --model=", "Expected a value for --model, found an empty text."],
  ["report latest --width page", "--table scores --format latex"],
  ["dataset build my-reviews.jsonl", "Expected --out, found none: JSONL file to write. See --help."],
  ["dataset sample my-reviews.jsonl --out s", "all where there are fewer. See --help."],
  ["suite inject smellbench", "--tests test --out cases"],
  ["dataset validate", "found 0. Such as: probe dataset validate my-reviews.jsonl"],
  ["compare", "found 0. Such as: probe compare results/base results/new"],
  // Values.
  ["run --model tiny --task CL SI", "behind a flag each: --task CL,SI"],
  ["suite run refactorbench --task-id csv_report task_board", "--task-id csv_report --task-id task_board"],
  ["run my-reviews.jsonl", "Did you mean --dataset my-reviews.jsonl? See --help."],
  ["run --model tiny reviews.csv", "Did you mean --dataset reviews.csv? See --help."],
  ["run --limit -5", 'Expected a whole number of at least 1 for --limit, found "-5".'],
  ["run --limit 10%", 'Expected a whole number of at least 1 for --limit, found "10%".'],
  ["run --shard 5/4", 'Expected i/n, such as 2/4 for --shard, found "5/4".'],
  ["run --fail-under 80%", 'found "80%". Did you mean 0.8?'],
  ["run --fail-under CL=50", 'found "50". Did you mean 0.5?'],
  ["run --fail-under CL:0.5", 'found "CL:0.5". Did you mean CL=0.5?'],
  ["run --model scripted:uniform --base-url 127.0.0.1:80/v1", "Such as --base-url http://127.0.0.1:8000/v1"],
  [
    "run --model tiny --base-url http://127.0.0.1:9/v1 --api-key-env NOSUCHKEY",
    "Expected no --base-url or --api-key-env with tiny: it runs in this process. Leave it out, or name a server's model, such as openai:auto.",
  ],
  ["models check tiny --base-url http://127.0.0.1:9/v1", "such as openai:auto."],
  ["run --model scripted:oracle --api-key-file key", "such as openai:auto."],
  ["view --port 99999", "Expected a port up to 65535 for --port, found 99999."],
  ["engine install cuda13", 'found "cuda13". Did you mean cuda?'],
  ["init --ci gitlb", 'found "gitlb". Did you mean gitlab?'],
  ["dataset import a/b --out x", 'found "a/b". Did you mean hf:a/b or github:a/b?'],
  ["dataset import https://github.com/a/b --out x", "Did you mean github:a/b?"],
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
  ["score 4", "found 4."],
  [
    "score results",
    "found a folder with 3 runs: results. Did you mean results/base-line or results/base-next or results/refactor?",
  ],
  ["score results/base-line/run.json", "found its record: results/base-line/run.json. Did you mean results/base-line?"],
  ["score base-line --fail-under CL=0.5", 'Expected --fail-under to name a form of the run (CTR), found "CL".'],
  ["compare base-line,base-next", "Did you mean base-line base-next?"],
  ["compare base-line refactor", "Name runs of the same suite."],
  [
    "compare base-line base-line",
    "found one of them twice: results/base-line and results/base-line (one folder). Name another run.",
  ],
  ["failures refactor", "probe suite run refactorbench --resume results/refactor"],
  ["merge base-line base-next --out w", "Leave it out; only shares can be merged."],
  ["dataset apply my-reviews.jsonl results --out x", "Expected to read results, found a folder. Name the file."],
  ["dataset shortcuts my-reviews.jsonl", "found an empty file. See probe dataset validate my-reviews.jsonl"],
  ["dataset import my-reviews.jsonl --out x", "probe run records with questions."],
  ["demo --out my-reviews.jsonl", "Move it away, or name another place."],
  ["score base", 'Expected "base" to begin the name of one run, found 2: base-next, base-line.'],
];

/** Mistakes that the model has to be known for. */
const WITH_A_MODEL: readonly (readonly [args: readonly string[], told: string])[] = [
  [
    ["run", "--model", "huggingface:o/m", "--think", "low", "--task", "CL"],
    "Leave it out, or name the model openai:NAME, with the service's --base-url.",
  ],
  [[...TINY, "--task", "CTRR"], 'found "CTRR". Did you mean CTR?'],
  [[...TINY, "--dataset", "strater"], "Did you mean starter?"],
  [[...TINY, "--dataset", "my-reveiws.jsonl"], "Did you mean my-reviews.jsonl?"],
  [[...TINY, "--probe", "colour.tx"], "Did you mean colour.ts?"],
  [[...REFACTOR, "--condition", "tst-runner"], "found tst-runner. Did you mean test-runner?"],
  [[...TINY, "--task", "change-localisation"], "Did you mean CL?"],
  [[...TINY, "--task", "CTR, SL"], 'found "SL". Did you mean CL or SI?'],
  [[...ORACLE, "--model-arg", "temperature=0"], "Expected no settings of a scripted model, found temperature."],
  [["run", "--model", "scripted:oracel"], "found scripted:oracel. Did you mean scripted:oracle?"],
  [["run", "--model", "scripted:noop"], "Did you mean --agent scripted:noop?"],
  [[...ORACLE, "--task", "CL", "--fail-under", "LC=0.5"], '(CL, CL easy, CL hard), found "LC". Did you mean CL?'],
  [[...ORACLE, "--task", "CL", "--require", "CL hrad=readable"], 'found "CL hrad". Did you mean CL hard?'],
  [[...ORACLE, "--dataset", "my-reviews.jsonl"], "found an empty file. The dataset has 1 problem; nothing was asked."],
  [[...ORACLE, "--dataset", "reviews.csv"], "probe dataset import reviews.csv --out FILE."],
  [[...ORACLE, "--dataset", "packed.jsonl.gz"], "found gzip data. Unpack it: gunzip -k packed.jsonl.gz"],
  [[...ORACLE, "--dataset", "wide.jsonl"], "iconv -f UTF-16 -t UTF-8 wide.jsonl > FILE.jsonl"],
  [[...ORACLE, "--dataset", "list.json"], "jq -c '.[]' list.json > FILE.jsonl"],
  [[...ORACLE, "--dataset", "results"], "found a directory. Name the file."],
  [[...ORACLE, "--dataset", "Tomo-Melb/CodeReviewQA"], "Did you mean hf:Tomo-Melb/CodeReviewQA?"],
  [[...OPENAI, "--api-key-env", "UNSET"], "Set it, or name a file with --api-key-file PATH."],
  [[...OPENAI, "--model-arg", "timeoutSecond=3"], "found timeoutSecond. Did you mean timeoutSeconds?"],
  [[...REFACTOR.slice(0, 4), "noop"], 'found "noop". Did you mean scripted:noop?'],
  [[...REFACTOR, "--data", "nosuch"], "or leave --data out for the fixtures that come with the program."],
  [[...REFACTOR, "--task-id", "csv-report"], "found csv-report. Did you mean csv_report?"],
];

const isOneLine = (text: string) => /^probe: [^\n]+\n$/.test(text);

describe("a mistake is told in one line, with what is meant or a line that works", () => {
  beforeAll(async () => {
    writeFileSync(join(folder, "my-reviews.jsonl"), "");
    writeFileSync(join(folder, "colour.ts"), "");
    writeFileSync(join(folder, "reviews.csv"), "code_review\n");
    writeFileSync(join(folder, "packed.jsonl.gz"), gzipSync("{}\n"));
    writeFileSync(join(folder, "wide.jsonl"), "\ufeff{}\n", "utf16le");
    writeFileSync(join(folder, "list.json"), "[\n  {}\n]\n");
    const refactor = [...REFACTOR, "--task-id", "csv_report", "--condition", "no-test-runner", "-q"];
    expect((await runProbe([...refactor, "--out", "results/refactor"], { cwd: folder })).code).toBe(0);
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

it("reads the files behind --, whose names may begin with a dash", async () => {
  for (const name of ["plain.jsonl", "-dashed.jsonl"]) writeFileSync(join(folder, name), "{}\n");
  const { code, stdout } = await runProbe(["dataset", "validate", "plain.jsonl", "--", "-dashed.jsonl"], {
    cwd: folder,
  });
  expect(stdout.split("\n").filter((line) => line.includes("0 valid records"))).toEqual([
    expect.stringContaining("plain.jsonl: 0 valid records"),
    expect.stringContaining("./-dashed.jsonl: 0 valid records"),
  ]);
  expect(code).toBe(2);
});
