import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";

const folder = useFreshFolder();

describe("a run folder of somebody else's", () => {
  it.each(["answers.jsonl", "run.json"])("with a pipe for its %s is refused at once, by name", async (file) => {
    const out = folder.path("run");
    await runProbe(["run", "--model", "scripted:oracle", "--task", "CTR", "--limit", "1", "--out", out]);
    rmSync(`${out}/${file}`);
    execFileSync("mkfifo", [`${out}/${file}`]);
    const { code, stderr } = await runProbe(["score", out]);
    expect(code).toBe(2);
    expect(stderr).toContain(`Expected a plain file at ${out}/${file}, found a pipe.`);
  });
});
