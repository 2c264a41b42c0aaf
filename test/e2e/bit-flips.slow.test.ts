import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { ProbeError } from "../../src/base/errors.js";
import { seededIntegers } from "../../src/base/random.js";
import { scoreFolder } from "../../src/run/score-folder.js";
import { suite } from "../../src/suites/codereviewqa/suite/questions-suite.js";
import { runProbe } from "../fixtures/cli.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

/** 2,000 with PROBE_SLOW_TESTS=1. */
const FLIPS = process.env["PROBE_SLOW_TESTS"] === "1" ? 2000 : 500;
const FILES = ["run.json", "answers.jsonl", "generations.jsonl", "floors.jsonl"];
const TABLES = ["answers.csv", "questions.csv", "summary.csv", "generations.csv"];
const folder = temporaryFolder();
const whole = join(folder, "whole");
const copy = join(folder, "copy");

const tablesOf = (path: string) => TABLES.map((table) => readFileSync(join(path, table), "utf8"));

beforeAll(async () => {
  const what = ["--task", "CTR,ACR", "--limit", "1", "--out", whole, "-q"];
  expect((await runProbe(["run", "--model", "scripted:uniform", ...what])).code).toBe(0);
  cpSync(whole, copy, { recursive: true });
});

/** What scoring makes of the folder when a file of it holds `bytes`. */
async function scored(file: string, bytes: Buffer): Promise<"refused" | readonly string[]> {
  writeFileSync(join(copy, file), bytes);
  try {
    await scoreFolder(suite, copy);
    return tablesOf(copy);
  } catch (error) {
    if (!(error instanceof ProbeError)) throw error;
    expect(error.code).toBe("bad_input");
    return "refused";
  } finally {
    for (const name of FILES) cpSync(join(whole, name), join(copy, name));
  }
}

it(`${FLIPS} flipped bits (2000 with PROBE_SLOW_TESTS=1) in run.json and the journals are refused, or change no table`, async () => {
  const draw = seededIntegers(9);
  const expected = tablesOf(whole);
  for (const file of FILES) expect(await scored(file, readFileSync(join(whole, file)))).toEqual(expected);
  const files = FILES.map((file) => ({ file, bytes: readFileSync(join(whole, file)) }));
  const total = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const placeOf = (place: number) => {
    let at = place;
    for (const each of files) {
      if (at < each.bytes.length) return { ...each, at };
      at -= each.bytes.length;
    }
    throw new Error("behind the last file");
  };
  const counts = { refused: 0, harmless: 0 };
  const changed: string[] = [];
  for (let flip = 0; flip < FLIPS; flip++) {
    const { file, bytes, at } = placeOf(draw(0, total - 1));
    const damaged = Buffer.from(bytes);
    damaged[at]! ^= 1 << draw(0, 7);
    const result = await scored(file, damaged);
    if (result === "refused") counts.refused++;
    else if (JSON.stringify(result) === JSON.stringify(expected)) counts.harmless++;
    else changed.push(`${file}:${at} ${damaged.toString("utf8", Math.max(0, at - 40), at + 20)}`);
  }
  process.stdout.write(`Bit flips: ${JSON.stringify(counts)}\n`);
  expect(changed).toEqual([]);
  expect(counts.refused).toBeGreaterThan(FLIPS / 2);
});
