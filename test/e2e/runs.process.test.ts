import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { PROBE, runProbe } from "../fixtures/cli.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);

interface Listed {
  readonly folder: string;
  readonly state: string;
  readonly model: string | null;
  readonly forms: readonly { readonly name: string; readonly judgement: { readonly score: number } }[];
}

beforeAll(async () => {
  const ask = ["run", "--model", "scripted:oracle", "--task", "CTR,CL", "--difficulty", "hard", "--limit", "4", "-q"];
  expect((await runProbe([...ask, "--out", at("whole")])).code).toBe(0);
  for (const copy of ["begun", "bad", "held"]) cpSync(at("whole"), at(copy), { recursive: true });
  // Without its checksum, as records of earlier versions are: one that was changed by hand is damaged.
  const run = JSON.parse(readFileSync(at("begun/run.json"), "utf8")) as object;
  writeFileSync(at("begun/run.json"), JSON.stringify({ ...run, status: "interrupted", crc: undefined }));
  truncateSync(at("bad/run.json"), 10);
  // The process id of this very process, as locks of earlier versions have it.
  writeFileSync(at("held/run.lock"), `${process.pid}\n`);
  mkdirSync(at("no run"));
});

describe("probe runs", () => {
  it("tells of each run how far it is and what it came to", async () => {
    const { code, stdout } = await runProbe(["runs", folder, "--json"]);
    expect(code).toBe(0);
    const { runs } = JSON.parse(stdout) as { runs: Listed[] };
    expect(Object.fromEntries(runs.map((run) => [run.folder.slice(folder.length + 1), run.state]))).toEqual({
      whole: "complete",
      begun: "unfinished",
      held: "locked",
      bad: "damaged",
    });
    const whole = runs.find(({ state }) => state === "complete");
    expect(whole?.model).toBe("scripted:oracle");
    expect(whole?.forms.map(({ name, judgement }) => [name, judgement.score])).toEqual([
      ["CTR", 1],
      ["CL hard", 1],
    ]);
  });

  it("names scores over fewer orders with their number", async () => {
    const ask = ["run", "--model", "scripted:oracle", "--task", "CL", "--difficulty", "hard", "--limit", "2", "-q"];
    const fewer = at("fewer/cyclic");
    expect((await runProbe([...ask, "--orders", "cyclic", "--out", fewer])).code).toBe(0);
    // Cyclic: each of four options at each place once, of 4! = 24 orders.
    expect((await runProbe(["runs", fewer, "--wide"])).stdout).toMatch(
      /│ CL hard, 4 of 24 orders +│ complete +│ 100\.0 %/,
    );
    const [cyclic] = (JSON.parse((await runProbe(["runs", fewer, "--json"])).stdout) as { runs: Listed[] }).runs;
    expect(cyclic?.forms).toMatchObject([{ name: "CL hard", orders: { asked: 4, all: 24 } }]);
    const whole = (JSON.parse((await runProbe(["runs", at("whole"), "--json"])).stdout) as { runs: Listed[] }).runs;
    expect(whole.flatMap(({ forms }) => forms.filter((form) => "orders" in form))).toEqual([]);
  });

  it("fits 80 columns", () => {
    const environment = { ...process.env, COLUMNS: "80" };
    const table = execFileSync(process.execPath, [PROBE, "runs", folder], { encoding: "utf8", env: environment });
    const rows = table.split("\n").filter((line) => /^[│┌├└]/.test(line));
    expect(rows.length).toBeGreaterThan(6);
    expect(Math.max(...rows.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(table).toMatch(/scripted:oracle +│ CTR +│ complete +│ 100\.0 %/);
  });

  it("says that there is none, and that there is no such folder", async () => {
    expect((await runProbe(["runs", at("no run")])).stdout).toContain("`probe run` makes one");
    const { code, stderr } = await runProbe(["runs", at("nowhere")]);
    expect(code).toBe(2);
    expect(stderr).toContain("Expected a folder of runs, found none at");
  });
});
