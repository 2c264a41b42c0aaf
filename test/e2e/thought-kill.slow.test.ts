import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { runProbe, startProbe } from "../fixtures/cli.js";
import { journalLines, journalRecords, recordCount } from "../fixtures/journal-file.js";
import { MINI } from "../fixtures/reference.js";
import { comparableTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
/** A template that opens thoughts, which the bundled model never closes: each takes the whole budget. */
const TEMPLATE = "{% for m in messages %}{{ m.content }}{% endfor %}<think>";
const THOUGHT_TOKENS = 150;
/** 2 examples under 3 orders. */
const ANSWERS = 6;
const MODEL = ["--model", "tiny", "--model-arg", `chatTemplate=${TEMPLATE}`];
const ASKED = `--dataset ${MINI} --limit 2 --task CTR --orders cyclic --think ${THOUGHT_TOKENS} --trace-thoughts 4`;
const args = (out: string) => ["run", ...MODEL, ...ASKED.split(" "), "--quiet", "--out", out];
const journal = (out: string) => join(out, "answers.jsonl");

it("a run killed in the middle of thoughts loses no answer, thinks no recorded one again, and ends as an uninterrupted one", async () => {
  const [whole, out] = [join(folder, "whole"), join(folder, "killed")];
  expect((await runProbe(args(whole))).code).toBe(0);
  const { child, result } = startProbe(args(out));
  while (recordCount(journal(out)) === 0 && child.exitCode === null) await sleep(1);
  // 150 tokens are thought before the next answer, half a second: a moment later it is under way.
  await sleep(20);
  child.kill("SIGKILL");
  expect((await result).signal).toBe("SIGKILL");
  const kept = journalLines(journal(out));
  expect(kept.length - 1).toBeLessThan(ANSWERS);
  expect((await runProbe(["run", "--resume", out, "--quiet"])).code).toBe(0);
  expect(journalLines(journal(out)).slice(0, kept.length)).toEqual(kept);
  expect(recordCount(journal(out))).toBe(ANSWERS);
  for (const table of ["answers.csv", "questions.csv", "summary.csv"])
    expect(comparableTable(out, table)).toEqual(comparableTable(whole, table));
  const thoughts = (run: string) =>
    new Map(
      journalRecords(join(run, "thoughts.jsonl")).map(({ example_id, permutation, text, trace }) => [
        [example_id, permutation].join(),
        { text, trace },
      ]),
    );
  expect(thoughts(out)).toEqual(thoughts(whole));
  expect(thoughts(out).size).toBe(ANSWERS);
});
