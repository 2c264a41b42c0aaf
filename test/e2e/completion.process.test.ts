import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { PROBE } from "../fixtures/cli.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const bin = join(folder, "bin");

/** What bash offers behind these words, the last of which is being typed, once the script of `probe completion` is read. */
function offered(...words: string[]): string[] {
  const script =
    'eval "$(probe completion)"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); ' +
    `_probe_yargs_completions; printf "%s\\n" "\${COMPREPLY[@]}"`;
  const environment = { ...process.env, PATH: `${bin}${delimiter}${process.env["PATH"]}`, SHELL: "/bin/bash" };
  const output = execFileSync("bash", ["-c", script, "bash", ...words], {
    cwd: folder,
    encoding: "utf8",
    env: environment,
  });
  return output.split("\n").filter((line) => line !== "");
}

describe("the script of `probe completion`, in bash", () => {
  beforeAll(() => {
    mkdirSync(bin);
    writeFileSync(join(bin, "probe"), `#!/bin/sh\nexec "${process.execPath}" "${PROBE}" "$@"\n`);
    chmodSync(join(bin, "probe"), 0o755);
  });

  it("completes commands", () => {
    expect(offered("probe", "comp")).toEqual(expect.arrayContaining(["compare", "completion"]));
    expect(offered("probe", "comp")).not.toContain("run");
  });

  it("completes values of options, each of a comma list, and names of runs", () => {
    expect(offered("probe", "run", "--difficulty", "h")).toEqual(["hard"]);
    expect(offered("probe", "run", "--model", "tin")).toEqual(["tiny"]);
    expect(offered("probe", "run", "--task", "CTR,S")).toEqual(["CTR,SI"]);
    expect(offered("probe", "suite", "run", "swe")).toEqual(["swe-atlas"]);
    // No runs under results/ in this folder, whatever stands where the tests were started: files are left to the shell.
    expect(offered("probe", "score", "lat")).toEqual([]);
  });

  it("completes the options of a command", () => {
    expect(offered("probe", "run", "--dif")).toEqual(["--difficulty"]);
    expect(offered("probe", "run", "--fail")).toEqual(["--fail-under"]);
  });
});
