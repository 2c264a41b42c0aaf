import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { PROBE } from "../fixtures/cli.js";
import { MINI } from "../fixtures/reference.js";
import { readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const example = (name: string) => join(import.meta.dirname, "../../examples/scale", name);

/** `npx probe …` runs the compiled program, whatever is installed where. */
function pathWithNpx(): string {
  const npx = join(folder, "npx");
  writeFileSync(npx, `#!/usr/bin/env bash\nshift\nexec "${process.execPath}" "${PROBE}" "$@"\n`);
  chmodSync(npx, 0o755);
  return `${folder}:${process.env["PATH"] ?? ""}`;
}

describe("the Slurm array", () => {
  it("asks the share of its place, into a folder of its own", () => {
    const env = { ...process.env, PATH: pathWithNpx(), PROBE_MODEL: "scripted:oracle", SLURM_ARRAY_TASK_ID: "2" };
    const { status, stderr } = spawnSync("bash", [example("slurm-array.sh"), "--dataset", MINI, "--limit", "4"], {
      cwd: folder,
      encoding: "utf8",
      env: { ...env, SLURM_ARRAY_TASK_COUNT: "4" },
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const examples = readTable(join(folder, "results/night/share-2"), "answers.csv").map((row) => row["example_id"]);
    expect(new Set(examples).size).toBe(1);
  });
});

describe("the Kubernetes job", () => {
  it("has as many pods as shares, and counts them from 0 where --shard counts from 1", () => {
    const { spec } = parse(readFileSync(example("kubernetes-job.yaml"), "utf8")) as {
      spec: {
        completionMode: string;
        completions: number;
        template: { spec: { containers: { args: string[] }[] } };
      };
    };
    expect(spec.completionMode).toBe("Indexed");
    const [command = ""] = spec.template.spec.containers[0]?.args ?? [];
    const { stdout } = spawnSync("bash", ["-c", `npx() { echo "$@"; }; ${command}`], {
      encoding: "utf8",
      env: { ...process.env, JOB_COMPLETION_INDEX: "3" },
    });
    expect(stdout).toContain(`--shard 4/${spec.completions} --out /results/night/share-4`);
  });
});
