import { cpSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { type JournalRecord, journalRecords, rewriteJournal } from "../fixtures/journal-file.js";
import { MINI } from "../fixtures/reference.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const at = (...names: string[]) => join(folder, ...names);
const probe = (...args: readonly string[]) => runProbe(args, { cwd: folder });
const what = ["--dataset", MINI, "--task", "CTR,ACR", "--limit", "2", "-q", "--out"];

beforeAll(async () => {
  expect((await probe("run", "--model", "scripted:uniform", ...what, at("mine"))).code).toBe(0);
  expect((await probe("run", "--model", "scripted:oracle", ...what, at("theirs"))).code).toBe(0);
});

it.each(["answers.jsonl", "generations.jsonl"])("the %s of another run is refused, and not changed", async (file) => {
  cpSync(at("mine"), at(file), { recursive: true });
  cpSync(at("theirs", file), at(file, file));
  for (const command of [
    ["score", file],
    ["run", "--resume", file],
  ]) {
    const { code, stderr } = await probe(...command);
    expect(stderr).toContain(`Expected ${file}/${file} to be from this same command, found a different one`);
    expect(code).toBe(2);
  }
  expect(journalRecords(at(file, file))).toEqual(journalRecords(at("theirs", file)));
});

/** The run with one line changed; its checksum fits. */
function changed(name: string, file: string, change: JournalRecord): string {
  cpSync(at("mine"), at(name), { recursive: true });
  const [first, ...rest] = journalRecords(at(name, file));
  rewriteJournal(at(name, file), [{ ...first, ...change }, ...rest]);
  return name;
}

it.each<[string, JournalRecord]>([
  ["an order that is none", { permutation: "9999" }],
  ["another right letter", { correct_symbol: "B" }],
  ["another example", { example_id: "theirs" }],
  ["impossible probabilities", { logprobs: { A: 5.5, B: -1, C: -1 }, symbol_mass: 1 }],
])("a line with %s is refused, though its checksum fits", async (name, change) => {
  const { code, stderr } = await probe("score", changed(name.replaceAll(" ", "-"), "answers.jsonl", change));
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^probe: Expected answers\.jsonl .* again\.\n$/)]);
});

it.each(["answers.jsonl", "generations.jsonl"])(
  "a line of %s that answers another prompt is refused on resume",
  async (file) => {
    const run = changed(`prompt-${file}`, file, { prompt_sha256: "0".repeat(64) });
    const { code, stderr } = await probe("run", "--resume", run);
    expect(stderr).toContain(`Expected ${file} to hold records of this run, found one of `);
    expect(stderr).toContain(`with the prompt_sha256 ${"0".repeat(64)}`);
    expect(code).toBe(2);
  },
);
