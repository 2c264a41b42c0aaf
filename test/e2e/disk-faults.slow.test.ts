import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { startHttpServer } from "../fixtures/http-server.js";
import { MINI } from "../fixtures/reference.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const file = join(folder, "file");
writeFileSync(file, "");

describe("a place that cannot be written to", () => {
  // A process in /proc answers as a read-only mount does: no such file.
  it.each(["/proc/self/run", join(file, "run"), "/dev/null/run", join(folder, "x".repeat(300))])(
    "is refused before a server is asked anything: %s",
    async (out) => {
      const { url, requests } = await startHttpServer((_, response) => void response.writeHead(404).end());
      const what = ["--model", "openai:m", "--base-url", `${url}/v1`, "--dataset", MINI, "--out", out];
      for (const command of [["run"], ["audit"]]) {
        const { code, stderr } = await runProbe([...command, ...what]);
        expect(stderr).toMatch(/^probe: Expected to write .*, found .*\. (Make|Name|Change|Move) /);
        expect(stderr).not.toMatch(/\n\s+at /);
        expect(code).toBe(2);
      }
      expect(requests).toEqual([]);
    },
  );

  it("is left as it was by the trial", async () => {
    const out = join(folder, "tried");
    mkdirSync(out);
    const none = ["--model", "openai:m", "--base-url", "http://127.0.0.1:9/v1", "--model-arg", "patienceSeconds=0.1"];
    const { code } = await runProbe(["run", ...none, "--dataset", MINI, "--out", out]);
    expect([code, readdirSync(out)]).toEqual([3, []]);
  });
});

it.each([
  ["run", "--model", "scripted:oracle"],
  ["audit", "--model", "tiny"],
  ["dataset", "build", "x.jsonl"],
  ["dataset", "import", "hf:a/b"],
  ["dataset", "sample", "x.jsonl", "--per-language", "1"],
])("an empty name of an output is refused: %s %s", async (...args) => {
  const { code, stderr } = await runProbe([...args, "--out", ""]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("Expected a value for --out, found")]);
});
