import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const refusal = async (...args: string[]) => {
  const { code, stdout, stderr } = await runProbe(args, { cwd: folder });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).not.toMatch(/\n\s+at /);
  return stderr;
};

describe("what cannot be meant", () => {
  it("is refused where an option that was given is empty", async () => {
    for (const flag of ["--out", "--task"]) {
      expect(await refusal("run", "--model", "tiny", flag, "")).toContain(`for ${flag}, found an empty text`);
    }
  });

  it("is told with what was probably meant by a misspelt flag", async () => {
    expect(await refusal("run", "--model", "tiny", "--dificulty", "hard")).toBe(
      "probe: Unknown argument: --dificulty. Did you mean --difficulty? See --help.\n",
    );
    expect(await refusal("run", "--model", "tiny", "--base-ulr", "http://x")).toContain("Did you mean --base-url?");
    expect(await refusal("dataset", "stats", "starter", "--jsn")).toContain("Did you mean --json?");
    expect(await refusal("run", "--model", "tiny", "--no-such-thing")).toBe(
      "probe: Unknown argument: --no-such-thing. See --help.\n",
    );
  });

  it("is told how a model is named where it stands alone", async () => {
    expect(await refusal("run", "gpt-6")).toContain(" A model is named by --model: --model gpt-6. See --help.");
    expect(await refusal("run", "tiny")).toBe(
      "probe: Unknown argument: tiny. Did you mean --model tiny? See --help.\n",
    );
  });

  it("is told of a misspelt command", async () => {
    expect(await refusal("rnu")).toContain("Did you mean probe run?");
  });
});

it("a command that has commands shows them when it is given none", async () => {
  for (const [args, line] of [
    [[], "Commands:"],
    [["dataset"], "probe dataset validate"],
    [["suite"], "probe suite list"],
  ] as const) {
    const { code, stdout, stderr } = await runProbe(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(line);
    expect(stdout).toBe((await runProbe([...args, "--help"])).stdout);
  }
});

it("every command shows an example in its help, a group one of a command of its own", async () => {
  const lacking: string[] = [];
  const visit = async (words: readonly string[]): Promise<void> => {
    const help = (await runProbe([...words, "--help"])).stdout;
    const name = ["probe", ...words].join(" ");
    if (!help.includes(`\nExamples:\n  ${name}`)) lacking.push(name);
    const listed = help.split("\nCommands:\n")[1]?.split("\n\n")[0] ?? "";
    const below = [...listed.matchAll(/^ {2}probe ([a-z -]*[a-z])/gm)].map(([, all = ""]) => all.split(" "));
    for (const more of below.map((all) => all.slice(0, words.length + 1))) await visit(more);
  };
  await visit([]);
  expect(lacking).toEqual([]);
});

it("a word behind completion is refused, and no script printed", async () => {
  expect(await refusal("completion", "fish")).toBe("probe: Unknown argument: fish. See --help.\n");
  const { code, stdout, stderr } = await runProbe(["completion"], { env: { SHELL: "/bin/zsh" } });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^#compdef probe\n[\s\S]*probe --get-yargs-completions/);
});

it("a context that is too short is told with the length that is needed", async () => {
  const out = join(folder, "short");
  const args = ["run", "--model", "tiny", "--task", "CTR", "--limit", "2", "--out", out];
  const junit = join(folder, "short.xml");
  const { code, stdout } = await runProbe([...args, "--model-arg", "contextSize=100", "--junit", junit]);
  expect(code).toBe(4);
  expect(stdout).not.toContain("asks them again");
  const found = /the longest has (\d+) tokens\. Ask anew with --model-arg contextSize=(\d+);/.exec(stdout);
  const [longest, needed] = [Number(found?.[1]), Number(found?.[2])];
  expect(needed).toBeGreaterThan(longest);
  // A CI server is told the same.
  expect(readFileSync(junit, "utf8")).toContain(`contextSize=${needed}; the same command fails again.</error>`);
  const anew = [...args.slice(0, -1), join(folder, "long"), "--model-arg", `contextSize=${needed}`];
  expect((await runProbe(anew)).code).toBe(0);
});

it("the bundled set has its name in every command that reads one", async () => {
  for (const command of ["validate", "stats", "shortcuts"]) {
    const { code } = await runProbe(["dataset", command, "starter"], { cwd: folder });
    expect(code).toBe(0);
  }
  const made = ["filter", "sample", "build"].map((command) => [command, "starter", "--out", `${command}.jsonl`]);
  const [filter = [], sample = [], build = []] = made;
  for (const args of [filter, [...sample, "--per-language", "1"], [...build, "--limit", "1"]]) {
    expect(await runProbe(["dataset", ...args], { cwd: folder })).toMatchObject({ code: 0 });
  }
});

it("a run of another model is refused by that alone", async () => {
  const out = join(folder, "other");
  const args = ["--task", "CTR", "--limit", "1", "--quiet"];
  expect((await runProbe(["run", "--model", "scripted:uniform", ...args, "--out", out])).stdout).toContain(
    "scripted:uniform · 1 example · 6 answers\n",
  );
  const before = readFileSync(join(out, "run.json"), "utf8");
  expect(await refusal("run", "--model", "scripted:oracle", "--resume", out)).toBe(
    `probe: Expected the run in ${out} to be the one this command asks for, found a different one:\n` +
      '  model: the run has "scripted:uniform", this command "scripted:oracle"\n' +
      "Nothing was changed. Leave out what differs, or name another folder with --out.\n",
  );
  expect(readFileSync(join(out, "run.json"), "utf8")).toBe(before);
});
