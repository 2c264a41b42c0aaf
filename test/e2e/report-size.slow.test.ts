import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hash32 } from "../../src/base/random.js";
import { findChromium, launchChromium } from "../fixtures/chromium.js";
import { runProbe } from "../fixtures/cli.js";
import { jsonl } from "../fixtures/jsonl.js";
import { closeReport, openReport } from "../fixtures/report-page.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const chromium = findChromium();
const isAsked = process.env["PROBE_SLOW_TESTS"] === "1" && chromium !== null;
if (!isAsked) process.stdout.write("Skipping large reports in a browser: PROBE_SLOW_TESTS=1 and Chromium are needed\n");

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const EXAMPLES = 900;

/** Log probabilities for every order of every question, drawn from the place of each. */
function* answersFor(id: string): Generator<string> {
  const forms = [
    ["CTR", null, 3],
    ...["CL", "SI"].flatMap((task) => ["easy", "hard"].map((difficulty) => [task, difficulty, 4] as const)),
  ] as const;
  for (const [task, difficulty, count] of forms) {
    for (const permutation of ordersOf(count)) {
      const weights = [...permutation].map(
        (_, i) => 1 + (hash32(`${id} ${task} ${difficulty} ${permutation} ${i}`, 0) % 997),
      );
      const total = weights.reduce((sum, weight) => sum + weight, 1);
      const logprobs = Object.fromEntries(weights.map((weight, i) => ["ABCD"[i], Math.log(weight / total)]));
      yield `${JSON.stringify({ task, difficulty, example_id: id, permutation, logprobs })}\n`;
    }
  }
}

function ordersOf(count: number): string[] {
  if (count === 0) return [""];
  const digits = Array.from({ length: count }, (_, i) => String(i));
  const extend = (prefix: string): string[] =>
    prefix.length === count ? [prefix] : digits.filter((d) => !prefix.includes(d)).flatMap((d) => extend(prefix + d));
  return extend("");
}

describe.skipIf(!isAsked)("a report of 900 examples, five probe forms and all their orders", () => {
  it.each([1, 6])("opens in under a second and stays under 15 MB, with %i models", async (models) => {
    const starter = readFileSync("datasets/starter.jsonl", "utf8").trim().split("\n");
    // The starter set again and again, with ids of their own.
    const records = Array.from({ length: EXAMPLES }, (_, i) => {
      const record = JSON.parse(starter[i % starter.length]!) as { readonly id: string };
      return { ...record, id: `${record.id}-${i}` };
    });
    writeFileSync(at("big.jsonl"), jsonl(...records));
    writeFileSync(at("answers.jsonl"), records.flatMap(({ id }) => [...answersFor(id)]).join(""));
    const runs = Array.from({ length: models }, (_, i) => at(`run-${models}-${i}`));
    for (const [i, run] of runs.entries()) {
      const model = i === 5 ? "scripted:uniform" : `scripted:${at("answers.jsonl")}`;
      const { code } = await runProbe(["run", "--model", model, "--dataset", at("big.jsonl"), "--out", run, "-q"]);
      expect(code).toBe(0);
    }
    const page = at(`page-${models}.html`);
    expect((await runProbe(["report", ...runs, "--out", page])).stderr).toBe("");
    const megabytes = statSync(page).size / 1e6;
    const browser = await launchChromium(chromium ?? "");
    try {
      const times: number[] = [];
      for (let i = 0; i < 3; i++) {
        const started = performance.now();
        const opened = await openReport(browser, page);
        times.push(performance.now() - started);
        expect(await opened.page.locator("#list .row").count()).toBeGreaterThan(5);
        expect(await opened.page.locator("#list .row").count()).toBeLessThan(60);
        await closeReport(opened);
      }
      const shown = times.map((time) => `${Math.round(time)} ms`).join(", ");
      process.stdout.write(`report of ${models} models: ${megabytes.toFixed(1)} MB, opened in ${shown}\n`);
      expect(megabytes).toBeLessThan(15);
      expect(Math.min(...times)).toBeLessThan(1_000);
    } finally {
      await browser.close();
    }
  });
});
