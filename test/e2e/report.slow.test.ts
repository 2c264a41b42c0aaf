import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { STATE_WORDS } from "../../src/report/judgement-words.js";
import { JUDGEMENT_STATES, type JudgementState } from "../../src/verdict/judgement.js";
import { findChromium, launchChromium } from "../fixtures/chromium.js";
import { runProbe } from "../fixtures/cli.js";
import { readRecord } from "../fixtures/record.js";
import { closeReport, lowContrasts, openReport, seriousFaults } from "../fixtures/report-page.js";
import { readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const chromium = findChromium();
if (chromium === null) process.stdout.write("Skipping reports in a browser: no Chromium; CHROMIUM_PATH names one\n");

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
/** 4 examples of C: 4 CTR, 8 CL, and 4 SI questions: two of the examples are deletions. */
const FEW = ["--limit", "4"];
/** All 12 examples of C: enough for a score to be above its floor (p < 0.01), which takes seven that the rule gets wrong. */
const ALL = ["--limit", "12"];
const MODELS = ["scripted:oracle", "scripted:always-A", "scripted:always-B", "scripted:always-C", "scripted:uniform"];

async function run(name: string, model: string, ...more: string[]): Promise<void> {
  const { code, stderr } = await runProbe(["run", "--model", model, ...more, "--out", at(name), "-q"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
}

const report = (...args: string[]) => runProbe(["report", ...args], { cwd: folder });

let browser: Browser;

describe.skipIf(chromium === null)("probe report", () => {
  beforeAll(async () => {
    browser = await launchChromium(chromium ?? "");
    await Promise.all([
      run("tiny", "tiny", ...FEW),
      ...MODELS.map((model, i) => run(`run-${i}`, model, ...ALL)),
      run("uniform-2", "scripted:uniform", ...ALL, "--seed", "2"),
      run("acr", "scripted:oracle", ...FEW, "--task", "ACR,CTR,CL,SI"),
    ]);
    expect((await report("tiny", "--out", "one.html")).stderr).toBe("");
    const six = [...MODELS.map((_, i) => `run-${i}`), "uniform-2"];
    expect((await report(...six, "--out", "six.html")).stderr).toBe("");
    expect((await report("acr", "--out", "acr.html")).stderr).toBe("");
  });

  afterAll(() => browser?.close());

  it("opens with the scores and what each is worth, and asks nothing of anyone", async () => {
    const opened = await openReport(browser, at("one.html"));
    const { page } = opened;
    expect(await page.textContent("main section:first-child h2")).toBe("Scores");
    // One of the five states for every form, the very ones that probe score tells, with the score of summary.csv.
    const scored = await runProbe(["score", at("tiny"), "--json"]);
    const { verdicts } = JSON.parse(scored.stdout) as {
      verdicts: { task: string; difficulty: string | null; state: JudgementState; text: string; score: number }[];
    };
    const words = verdicts.map(({ state }) => ` ${STATE_WORDS[state].text}`);
    expect(await page.locator("#scores td.state .unseen").allTextContents()).toEqual(words);
    const cells = await page
      .locator("#scores td.state")
      .evaluateAll((all) => all.map(({ firstChild }) => firstChild?.textContent));
    expect(cells).toEqual(verdicts.map(({ score }) => (score * 100).toFixed(1)));
    expect(await page.locator("#scores details li").allTextContents()).toEqual(
      verdicts.map(({ text }) => expect.stringContaining(text) as string),
    );
    expect(await page.locator("#scores .references th").allTextContents()).toContain("Floor: no-read rule");
    const answer = (await page.textContent("#scores .answer")) ?? "";
    const said = JUDGEMENT_STATES.flatMap((state) => {
      const own = verdicts
        .filter((verdict) => verdict.state === state)
        .map(({ task, difficulty }) => [task, difficulty ?? []].flat().join(" "));
      return own.length === 0 ? [] : [STATE_WORDS[state].together(own.join(", "))];
    });
    expect(answer).toBe(`tiny: ${said.join(" ")}`);
    const ids = await page.locator("main > section").evaluateAll((all) => all.map(({ id }) => id));
    expect(ids).toEqual(["scores", "failures", "real", "questions", "method"]);
    await closeReport(opened);
  });

  it("says everything but the browser without JavaScript", async () => {
    const opened = await openReport(browser, at("one.html"), { javaScriptEnabled: false });
    const { page } = opened;
    expect(await page.isVisible("#scores table")).toBe(true);
    await page.click("#real summary:has-text('margins')");
    expect(await page.isVisible("#real details[open] svg")).toBe(true);
    expect(await page.isVisible("#questions-live")).toBe(false);
    expect(await page.isVisible("noscript .notice")).toBe(true);
    await closeReport(opened);
  });

  it("shows what the model chose in every order, with the probabilities of answers.csv", async () => {
    const opened = await openReport(browser, at("one.html"));
    const { page } = opened;
    await page.selectOption("#filter-task", "CL hard");
    expect(await page.textContent("#count")).toMatch(/^4 of \d+ questions$/);
    const title = await page.textContent("#detail .title");
    const answers = readTable(at("tiny"), "answers.csv").filter(
      ({ task, difficulty, example_id }) =>
        task === "CL" && difficulty === "hard" && title?.endsWith(`${example_id} link`),
    );
    expect(answers).toHaveLength(24);
    const rows = await page
      .locator("#detail .orders tbody tr")
      .evaluateAll((all) => all.map((row) => [...(row as HTMLTableRowElement).cells].map((cell) => cell.textContent)));
    const percent = (logprob: string | undefined) => `${(Math.exp(Number(logprob)) * 100).toFixed(1)} %`;
    await page.click("#detail summary");
    expect(rows).toEqual(
      answers.map((answer) => [
        answer["permutation"],
        ...["a", "b", "c", "d"].map(
          (letter, i) => `${answer["permutation"]![i]} · ${percent(answer[`logprob_${letter}`])}`,
        ),
        answer["chosen_symbol"],
        answer["correct"] === "true" ? "right" : "wrong",
      ]),
    );
    // The map: 24 cells, as many of them right as the table has.
    const right = answers.filter(({ correct }) => correct === "true").length;
    expect(await page.locator("#detail .cells button").count()).toBe(24);
    expect(await page.locator("#detail .cells button.right").count()).toBe(right);
    expect(await page.locator("#detail .options code").count()).toBe(4);
    expect(await page.locator("#detail .code .k").count()).toBeGreaterThan(0);
    await closeReport(opened);
  });

  it("finds questions by words and verdict, and goes through them by keyboard", async () => {
    const opened = await openReport(browser, at("one.html"));
    const { page } = opened;
    await page.fill("#filter-text", "TRUNCATED file");
    await page.waitForFunction(() => /^5 of /.test(document.getElementById("count")?.textContent ?? ""));
    expect(await page.textContent("#detail .comment")).toMatch(/truncated file/i);
    await page.focus("#list");
    const chosen = () => page.textContent(`#list [aria-selected="true"] b`);
    expect(await chosen()).toBe("CTR");
    await page.keyboard.press("ArrowDown");
    expect(await chosen()).toBe("CL easy");
    await page.keyboard.press("End");
    expect(await chosen()).toBe("SI hard");
    expect(await page.getAttribute("#list", "aria-activedescendant")).toBe("row-4");
    await page.click("#reset");
    await page.selectOption("#filter-verdict", "lost");
    expect(await page.textContent("#detail")).toBe("No question passes these filters.");
    await closeReport(opened);
  });

  it.each(["light", "dark"] as const)("can be read in %s, at desktop and phone width", async (colorScheme) => {
    for (const width of [1280, 390]) {
      for (const name of ["one.html", "six.html", "acr.html"]) {
        const opened = await openReport(browser, at(name), { colorScheme, viewport: { width, height: 900 } });
        const { page } = opened;
        expect(await page.evaluate(() => document.documentElement.scrollWidth), `${name} ${width}`).toBe(width);
        expect(await lowContrasts(page), `${name} ${width} ${colorScheme}`).toEqual([]);
        await closeReport(opened);
      }
    }
  });

  it("breaks a long name of a model on a phone, unfolded too", async () => {
    const name = "my_own_model_".repeat(8);
    writeFileSync(at("probe.config.json"), JSON.stringify({ models: { [name]: { model: "scripted:uniform" } } }));
    const made = await runProbe(["run", "--model", name, ...FEW, "--out", "long", "-q"], { cwd: folder });
    expect(made).toMatchObject({ code: 0, stderr: "" });
    expect((await report("long", "acr", "--out", "long.html")).code).toBe(0);
    const opened = await openReport(browser, at("long.html"), { viewport: { width: 390, height: 900 } });
    const width = await opened.page.evaluate(() => {
      for (const details of document.querySelectorAll("details")) details.open = true;
      return document.documentElement.scrollWidth;
    });
    expect(width).toBe(390);
    await closeReport(opened);
  });

  it("prints without the browser, in light colours", async () => {
    const opened = await openReport(browser, at("one.html"), { colorScheme: "dark" });
    const { page } = opened;
    await page.emulateMedia({ media: "print" });
    expect(await page.isVisible("#questions")).toBe(false);
    expect(await page.isVisible("nav")).toBe(false);
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(255, 255, 255)");
    const sizeOf = (selector: string) =>
      page
        .locator(`#scores .compact ${selector}`)
        .first()
        .evaluate((part) => Number.parseFloat(getComputedStyle(part).fontSize));
    expect(await sizeOf("td small")).toBeLessThan(await sizeOf("td"));
    expect((await page.pdf()).length).toBeGreaterThan(10_000);
    await closeReport(opened);
  });

  it("compares six models: the best first and named, sortable by mouse and keyboard", async () => {
    const opened = await openReport(browser, at("six.html"), { viewport: { width: 1280, height: 900 } });
    const { page } = opened;
    const table = page.locator("#scores table").first();
    const names = () => table.locator("tbody:not(.references) th").allTextContents();
    // Of 12 and 10 questions, too few are left where a rule gets most: on those nobody can be above the floor.
    expect((await names())[0]).toBe("scripted:oracle");
    expect(await page.textContent("#scores .answer")).toMatch(/^Best: scripted:oracle on CL easy, CL hard[^.]*\.$/);
    expect(await table.locator("td.best").count()).toBeGreaterThan(1);
    expect(await page.textContent("#scores")).toMatch(/verdicts of this page .* by chance/s);
    expect((await names()).filter((name) => name.startsWith("scripted:uniform · "))).toHaveLength(2);
    const heading = table.locator("thead button", { hasText: "CL easy" });
    await heading.focus();
    await page.keyboard.press("Enter");
    expect(await table.locator(`th[aria-sort="descending"]`).count()).toBe(1);
    await page.keyboard.press("Enter");
    expect((await names()).at(-1)).toBe("scripted:oracle");
    // Floors stay below, whatever is sorted.
    expect(await table.locator("tbody").last().locator("th").first().textContent()).toMatch(/^Floor/);
    await closeReport(opened);
  });

  it("is at most 6,000 pixels high for six models unfolded", async () => {
    const opened = await openReport(browser, at("six.html"), { viewport: { width: 1280, height: 900 } });
    expect(await opened.page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(6_000);
    await closeReport(opened);
  });

  it("finds what one model gets right and another wrong, with their maps side by side", async () => {
    const opened = await openReport(browser, at("six.html"));
    const { page } = opened;
    await page.selectOption("#filter-right", { label: "scripted:oracle" });
    await page.selectOption("#filter-wrong", { label: "scripted:always-A" });
    // The one is always right, the other never under all orders.
    expect(await page.textContent("#count")).toMatch(/^(\d+) of \1 questions$/);
    await page.selectOption("#filter-wrong", { label: "scripted:oracle" });
    expect(await page.textContent("#detail")).toBe("No question passes these filters.");
    await page.click("#reset");
    expect(await page.locator("#detail .map").count()).toBe(6);
    // At the same place in every map: as many cells a row, of one width.
    const widths = await page.locator("#detail .map .cells").evaluateAll((all) => all.map((map) => map.clientWidth));
    expect(new Set(widths).size).toBe(1);
    await closeReport(opened);
  });

  it("opens at the question that its address names, and gives every question one", async () => {
    const opened = await openReport(browser, at("six.html"));
    const { page } = opened;
    await page.selectOption("#filter-task", "SI hard");
    await page.click("#detail .link");
    const title = await page.textContent("#detail .title");
    expect(title).toMatch(/^SI hard/);
    const { hash } = new URL(page.url());
    expect(hash).toMatch(/^#question=SI%20hard\/.+/);
    await page.selectOption("#filter-task", "CTR");
    expect(await page.textContent("#detail .title")).toMatch(/^CTR/);
    // Another page with the same address; its filters are empty.
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    expect(await page.textContent("#detail .title")).toBe(title);
    await closeReport(opened);
  });

  it("hands every plot and the permutation maps out as SVG files that need nothing of the page", async () => {
    const opened = await openReport(browser, at("one.html"));
    const { page } = opened;
    const plots = await page.locator("figure.chart").count();
    expect(await page.locator("figure.chart button").count()).toBe(plots);
    for (const button of ["#scores figure.chart button", "#detail button.small"]) {
      const [download] = await Promise.all([page.waitForEvent("download"), page.locator(button).first().click()]);
      expect(download.suggestedFilename()).toMatch(/^[a-z0-9-]+\.svg$/);
      const text = readFileSync(await download.path(), "utf8");
      expect(text).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
      expect(text).not.toContain("var(--");
      expect(text).toMatch(/fill="rgb\(/);
    }
    await closeReport(opened);
  });

  it.each(["one.html", "six.html", "acr.html"])(
    "has no serious fault for those who do not see it: %s",
    async (name) => {
      const opened = await openReport(browser, at(name));
      const { page } = opened;
      for (const details of await page.locator("details").all())
        await details.evaluate((each) => each.setAttribute("open", ""));
      expect(await seriousFaults(page)).toEqual([]);
      expect(await page.locator("main, nav, header").count()).toBe(3);
      await closeReport(opened);
    },
  );

  it("shows what was written beside the right revision, and the failure analysis", async () => {
    const opened = await openReport(browser, at("acr.html"));
    const { page } = opened;
    expect(await page.textContent("#real details:has-text('Written revisions')")).toContain("exact match, n = 4");
    expect(await page.textContent("#failures details")).toContain("ACR matches (n = 4)");
    await page.selectOption("#filter-task", "ACR");
    expect(await page.textContent("#list .row i")).toBe("match");
    expect(await page.textContent("#detail")).toContain("matches: exact match, trim, no space, no comment");
    // The oracle writes the right revision: nothing is missing, nothing too much.
    expect(await page.locator("#detail .code").last().locator(".added, .deleted").count()).toBe(0);
    await closeReport(opened);
  });

  it("is written into the run's folder, where it may be made anew; elsewhere nothing is replaced unasked", async () => {
    const written = await report("run-0");
    expect(written).toMatchObject({ code: 0, stderr: "" });
    expect(written.stdout).toMatch(/^Report: run-0\/report\.html \(\d+ kB\)\n$/);
    expect((await report("run-0")).code).toBe(0);
    const again = await report("run-0", "--out", "one.html");
    expect(again.code).toBe(2);
    expect(again.stderr).toMatch(/for --out, found one\.html, which exists.*--overwrite/);
    const twice = await report("run-0", "run-0");
    expect(twice.stderr).toMatch(/one of them twice/);
    const none = await report("nowhere");
    expect(none.code).toBe(2);
    expect(none.stderr).toContain("Expected a folder of a run, found none at nowhere");
  });

  it("leaves out a folder that is no run, with a note", async () => {
    mkdirSync(at("empty"));
    const mixed = await report("run-0", "empty", "--out", "mixed.html");
    expect({ code: mixed.code, stderr: mixed.stderr }).toEqual({
      code: 0,
      stderr: "Left out empty: it holds no run.\n",
    });
  });

  it("tells when a run is not finished, and when its dataset is not at hand", async () => {
    const file = at("run-2/run.json");
    const recorded = readFileSync(file, "utf8");
    const run = readRecord<{ dataset: { source: string } }>(file);
    writeFileSync(
      file,
      JSON.stringify({ ...run, status: "interrupted", dataset: { ...run.dataset, source: "x.jsonl" } }),
    );
    const { code, stderr } = await report("run-2", "--out", "unfinished.html");
    writeFileSync(file, recorded);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        "Code and options are not in the report: the dataset x.jsonl is not where it was. Name the file with --dataset.\n",
    });
    const opened = await openReport(browser, at("unfinished.html"));
    const { page } = opened;
    expect(await page.textContent("#scores .notice")).toContain("The run is not finished (interrupted)");
    expect(await page.textContent("#questions > .notice")).toContain("x.jsonl is not where it was");
    // Answers are shown all the same.
    await page.selectOption("#filter-task", "CL easy");
    expect(await page.textContent("#detail .options")).toContain("option 0");
    expect(await page.locator("#detail .orders tbody tr").count()).toBe(24);
    await closeReport(opened);
  });

  it("adds the tables of audits that are named beside the runs", async () => {
    const audit = ["audit", "--model", "tiny", "--task", "CTR,CL", "--limit", "2", "--out", at("audit"), "--quiet"];
    expect((await runProbe(audit)).code).toBe(0);
    expect((await report("run-0", "audit", "--out", "audited.html")).code).toBe(0);
    const opened = await openReport(browser, at("audited.html"));
    const rows = readTable(at("audit"), "contamination_summary.csv");
    const mean = rows.find(
      ({ metric, task, group }) => metric === "perplexity_mean" && task === "CTR" && group === "all",
    );
    const shown = await opened.page
      .locator("#real details tbody tr")
      .filter({ has: opened.page.locator("th", { hasText: /^CTR$/ }) })
      .textContent();
    expect(shown).toContain(Number(mean?.["value"]).toFixed(2));
    await closeReport(opened);
    expect((await report("audit")).stderr).toMatch(/at least one folder of a run/);
  });

  it("writes the same leaderboard as Markdown and CSV, and says as JSON what it wrote", async () => {
    const args = ["run-0", "run-1", "--out", "two.html", "--leaderboard-md", "two.md", "--leaderboard-csv", "two.csv"];
    const { stdout, code } = await report(...args, "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      report: "two.html",
      leaderboard_md: "two.md",
      leaderboard_csv: "two.csv",
      runs: [{ model: "scripted:oracle" }, { model: "scripted:always-A" }],
    });
    const rows = readTable(folder, "two.csv");
    expect(rows).toHaveLength(10);
    expect(rows.find(({ model, task }) => model === "scripted:always-A" && task === "CTR")).toMatchObject({
      plurality_agreement: expect.stringMatching(/^0\.333/),
      verdict: "unreadable",
      // Nine of the twelve examples of C are modifications.
      floor: "0.75",
      floor_rule: "majority",
      overall: "0",
    });
    const markdown = readFileSync(at("two.md"), "utf8");
    // Above its floor, and so best: among others of CL easy (p = 0.0005).
    expect(markdown).toMatch(
      /## CL easy: .*\n\n.*\n.*\n\| scripted:oracle \| 12 \| \*\*100\.0 \(75\.8–100\.0\) ✓\*\* \|/,
    );
    // Of CTR no score could be told from chance: the highest is not called the best.
    expect(markdown).toContain("| scripted:oracle | 12 | 100.0 (75.8–100.0) ? |");
  });
});
