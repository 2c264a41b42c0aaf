import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "csv-parse/sync";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findChromium, launchChromium } from "../fixtures/chromium.js";
import { type CliResult, runProbe } from "../fixtures/cli.js";
import { jsonl } from "../fixtures/jsonl.js";
import { recordWith } from "../fixtures/official-record.js";
import { closeReport, openReport } from "../fixtures/report-page.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const chromium = findChromium();
if (chromium === null) {
  process.stdout.write("Skipping reports of hostile runs in a browser: no Chromium; CHROMIUM_PATH names one\n");
}

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);

/** Ends scripts, comments, elements and attributes; markers of templates; a formula; what terminals and eyes obey. */
const ATTACK =
  `</script></textarea></title><script>alert(1)</script><img src=x onerror=alert(2)>" onload='alert(3)' ` +
  "{{7*7}} $" +
  "{alert(4)} <%= 1 %> <!-- --> ]]> \u001b[31mred\u001b]0;title\u0007 a\u202eb\u2066c\u200bd \ud800 &lt;b&gt;";
/** As long as a line of a dataset may be, with its marker; what a model writes may be longer. */
const LONG = "x".repeat(19_999);
/** Names in which a file can be: no line break in a shell's way, but all else. */
const FILE = `=cmd()|<script>alert(5)<\\script> {{1}} "'\u001b[31m\u202e\`x\`.jsonl`;
const MODEL_FILE = "m</script><script>alert(6)</script>\u001b[31m\u202e|`x`.jsonl";

const record = recordWith({
  id: `=1+1 ${ATTACK}`.slice(0, 200),
  lang: "javascript",
  old: ` ${ATTACK}\n-two\n three\n-four\n ${LONG}\n six`,
  new: ` ${ATTACK}\n+${ATTACK}\n three\n+FOUR\n ${LONG}\n six`,
  review: `=HYPERLINK("http://x") \u202e${ATTACK}\n${LONG}`,
  solution_correct: `2 - two\n2 + ${ATTACK}\n4 - four\n4 + FOUR`,
});

/** What the model "wrote": a line of 100 kB, and the attack. */
const COMPLETION = `${ATTACK}\n${"y".repeat(100_000)}\n${ATTACK}`;

let browser: Browser;
let reported: CliResult;

describe.skipIf(chromium === null)("hostile code, review, model name and file names", () => {
  beforeAll(async () => {
    browser = await launchChromium(chromium ?? "");
    writeFileSync(at(FILE), jsonl(record));
    mkdirSync(dirname(at(MODEL_FILE)), { recursive: true });
    const asked = ["--task", "CTR,CL,SI,ACR", "--dataset", FILE, "-q"];
    const first = await runProbe(["run", "--model", "scripted:always-A", ...asked, "--out", "first"], { cwd: folder });
    expect(first).toMatchObject({ code: 0, stderr: "" });
    // The answers of the first run, and a hostile text, from a file with a hostile name.
    const answers = readFileSync(at("first/answers.jsonl"), "utf8");
    const line = jsonl({ task: "ACR", example_id: record.id, completion: COMPLETION });
    writeFileSync(at(MODEL_FILE), answers + line);
    const second = await runProbe(["run", "--model", `scripted:${MODEL_FILE}`, ...asked, "--out", "sec\u001bond"], {
      cwd: folder,
    });
    expect(second.code).toBe(0);
    const files = ["--out", "page.html", "--leaderboard-md", "board.md", "--leaderboard-csv", "board.csv"];
    reported = await runProbe(["report", "first", "sec\u001bond", ...files], { cwd: folder });
    expect(reported.code).toBe(0);
  });

  afterAll(() => browser?.close());

  it("do nothing in the page: no script, no element, no request of theirs", async () => {
    const opened = await openReport(browser, at("page.html"));
    const { page } = opened;
    const count = (selector: string) => page.locator(selector).count();
    // Every question of both models, once in view.
    const total = Number(/of (\d+)/.exec((await page.textContent("#count")) ?? "")?.[1]);
    expect(total).toBe(6);
    for (const model of ["0", "1"]) {
      await page.selectOption("#filter-model", model);
      await page.focus("#list");
      for (let i = 0; i < total; i++) {
        expect(await page.textContent("#detail .comment")).toContain("</title><script>alert(1)</script><img");
        expect(await count("img, iframe, object, embed, link, base, form, textarea, svg script")).toBe(0);
        expect(await count("script")).toBe(2);
        await page.keyboard.press("ArrowDown");
      }
    }
    expect(await page.locator("[onerror], [onload], [onclick]").count()).toBe(0);
    expect(await page.title()).toBe("2 models · code review comprehension");
    await closeReport(opened);
  });

  it("are shown for what they are: escapes and direction overrides by name", async () => {
    const opened = await openReport(browser, at("page.html"));
    const { page } = opened;
    await page.selectOption("#filter-task", "ACR");
    await page.selectOption("#filter-model", "1");
    const hidden = await page.locator("#detail .hidden").allTextContents();
    for (const name of ["U+001B", "U+202E", "U+2066", "U+200B", "U+0007"]) expect(hidden).toContain(name);
    const everything = (await page.locator("body").textContent()) ?? "";
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
    expect(everything.replace(/<script[\s\S]*/, "")).not.toMatch(/[\u0000-\u0008\u001b\u202a-\u202e\u2066-\u2069]/);
    // In a line of the list they stand within its text, not in lines of their own, of which the frame shows the first.
    const inList = page.locator("#list .row .hidden").first();
    expect(await inList.evaluate((badge) => getComputedStyle(badge).display)).toBe("inline");
    expect(await page.textContent("#detail")).toContain("… (100000 characters)");
    expect(await page.textContent("#method")).toContain("\\u001b[31m\\u202e");
    await closeReport(opened);
  });

  it("do not widen the page, at any width", async () => {
    for (const width of [1280, 390]) {
      const opened = await openReport(browser, at("page.html"), { viewport: { width, height: 900 } });
      expect(await opened.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      await closeReport(opened);
    }
  });

  it("hold nothing in the file that could end the page's own elements", () => {
    const text = readFileSync(at("page.html"), "utf8");
    expect(text.match(/<\/script/g)).toHaveLength(2);
    expect(text.match(/<script/g)).toHaveLength(2);
    for (const bad of ["<img", "\u202e", "\u001b"]) expect(text).not.toContain(bad);
  });

  it("are one cell each in Markdown and CSV, no markup and no formula", () => {
    const markdown = readFileSync(at("board.md"), "utf8");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
    expect(markdown).not.toMatch(/<script|\u001b|\u202e|(?<!\\)`/);
    const bars = markdown
      .split("\n")
      .filter((line) => line.startsWith("|"))
      .map((line) => line.match(/(?<!\\)\|/g)?.length);
    // CTR, CL and SI: model, n, overall, JavaScript, agreement. ACR: the paper's script in place of agreement.
    expect(new Set(bars)).toEqual(new Set([6]));
    const rows = parse(readFileSync(at("board.csv"), "utf8"), { columns: true }) as Record<string, string>[];
    expect(rows).toHaveLength(12);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
    for (const cell of rows.flatMap((row) => Object.values(row))) expect(cell).not.toMatch(/^[=+@]|[\u001b\u202e]/);
  });

  it("are not obeyed by the terminal", async () => {
    // The data is gone: the message names it.
    const moved = await runProbe(["report", "sec\u001bond", "--dataset", FILE, "--out", "again.html"], { cwd: folder });
    const wrong = await runProbe(["report", "sec\u001bond", "--dataset", MODEL_FILE, "--out", "no.html"], {
      cwd: folder,
    });
    const lost = await runProbe(["report", "./sec\u001bond"], { cwd: join(folder, "first") });
    for (const { stdout, stderr } of [reported, moved, wrong, lost]) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
      expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    }
    expect(wrong.stderr).toMatch(/to be what the runs asked about/);
    expect(readdirSync(folder)).not.toContain("no.html");
  });
});
