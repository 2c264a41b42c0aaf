import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findChromium, launchChromium, PATIENCE_MS } from "../fixtures/chromium.js";
import { runProbe } from "../fixtures/cli.js";
import { jsonl } from "../fixtures/jsonl.js";
import { recordWith } from "../fixtures/official-record.js";
import { type PageProcess, startReview } from "../fixtures/page-process.js";
import { rawTripleWith } from "../fixtures/raw-triple.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const chromium = findChromium();
if (chromium === null)
  process.stdout.write("Skipping the review page in a browser: no Chromium; CHROMIUM_PATH names one\n");

const folder = temporaryFolder();
let browser: Browser;
let page: Page;
let problems: string[];
let review: PageProcess | null = null;
let count = 0;

/** Data of its own for each test, so that no decision of another is met. */
function write(...values: readonly unknown[]): string {
  const path = join(folder, `data-${++count}.jsonl`);
  writeFileSync(path, jsonl(...values));
  return path;
}

const five = () =>
  write(...["a", "b", "c", "d", "e"].map((id) => rawTripleWith({ id, code_review: `Comment ${id}.` })));

async function open(file: string, ...more: string[]): Promise<PageProcess> {
  review = await startReview([file, "--annotator", "ada", ...more]);
  await page.goto(review.url);
  await page.waitForSelector(".comment");
  return review;
}

/** What the page shows: the comment, where it is, how far the review is. */
async function onScreen() {
  const text = (selector: string) => page.textContent(selector);
  const counts = await Promise.all(["#kept-count", "#dropped-count", "#left-count"].map(text));
  return {
    comment: await text(".comment"),
    position: await text("#position"),
    verdict: await text("#verdict"),
    counts: counts.join(" "),
  };
}

/** Presses keys, each when what the one before asked for is done. */
async function press(...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
    await page.waitForFunction(() => document.getElementById("status")?.textContent !== "…");
  }
}

const comment = (text: string) =>
  page.waitForFunction((c) => document.querySelector(".comment")?.textContent === c, text);

const decisions = (file: string, annotator = "ada") =>
  readFileSync(`${file}.review.${annotator}.jsonl`, "utf8")
    .trimEnd()
    .split("\n")
    // The header, and which data it is about.
    .slice(2)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .map(({ example_id, decision, reason, note }) => [example_id, decision, reason, note]);

describe.skipIf(chromium === null)("the review page", () => {
  beforeAll(async () => {
    browser = await launchChromium(chromium ?? "");
  });

  afterAll(() => browser?.close());

  beforeEach(async () => {
    page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("dialog", (dialog) => {
      problems.push(`dialog ${dialog.type()}`);
      void dialog.accept();
    });
  });

  afterEach(async () => {
    await page.close();
    await review?.stop("SIGKILL");
    review = null;
    expect(problems).toEqual([]);
  });

  it("keeps, drops and notes by keyboard, and goes on to the next undecided example", async () => {
    const file = five();
    await open(file);
    expect(await onScreen()).toEqual({
      comment: "Comment a.",
      position: "1 of 5",
      verdict: "undecided",
      counts: "0 0 5",
    });
    await press("k");
    await comment("Comment b.");
    await press("3");
    await comment("Comment c.");
    await press("n");
    await page.keyboard.type("looks k, 1 or 2?");
    await press("Enter", "j");
    await comment("Comment d.");
    await press("7");
    await comment("Comment e.");
    expect(await onScreen()).toMatchObject({ position: "5 of 5", counts: "1 2 2" });
    expect(decisions(file)).toEqual([
      ["a", "keep", null, ""],
      ["b", "drop", "ignored_comment", ""],
      ["c", undefined, undefined, "looks k, 1 or 2?"],
      ["d", "drop", "not_self_contained", ""],
    ]);
    // Nothing is undecided after e: the next one is c, and its note is still there.
    await press("k");
    await comment("Comment c.");
    expect(await page.inputValue("#note")).toBe("looks k, 1 or 2?");
    await press("1");
    expect(await page.textContent("#status")).toContain("All examples are decided");
    expect(decisions(file).at(-1)).toEqual(["c", "drop", "unclear_comment", "looks k, 1 or 2?"]);
  });

  it("moves by keys and by buttons, stops at both ends, and finds the first undecided example", async () => {
    await open(five());
    await press("ArrowLeft");
    expect((await onScreen()).position).toBe("1 of 5");
    await press("k", "ArrowRight", "j", "j", "j");
    expect((await onScreen()).position).toBe("5 of 5");
    await press("h", "ArrowLeft");
    expect((await onScreen()).position).toBe("3 of 5");
    await press("u");
    expect((await onScreen()).position).toBe("2 of 5");
    await page.click("#next");
    await comment("Comment c.");
    await page.click("#previous");
    await comment("Comment b.");
  });

  it("shows a decision made before, takes another, and stays there", async () => {
    const file = five();
    await open(file);
    await press("k", "h");
    expect((await onScreen()).verdict).toBe("kept");
    expect(await page.getAttribute("#keep", "aria-pressed")).toBe("true");
    await page.click('[data-choice="code_formatting"]');
    await page.waitForFunction(() => document.getElementById("verdict")?.textContent === "dropped");
    expect(await onScreen()).toMatchObject({ comment: "Comment a.", counts: "0 1 4" });
    expect(decisions(file).at(-1)).toEqual(["a", "drop", "code_formatting", ""]);
  });

  it("decides once for a click: the space bar after it, or a key held down, decides nothing more", async () => {
    const file = five();
    await open(file);
    await page.click("#keep");
    await comment("Comment b.");
    await press("Space");
    await page.focus("#keep");
    await page.keyboard.down("Enter");
    await comment("Comment c.");
    await page.keyboard.down("Enter");
    await page.keyboard.up("Enter");
    await page.keyboard.down("2");
    await comment("Comment d.");
    await page.keyboard.down("2");
    await press("u");
    expect(decisions(file).map(([id, decision]) => [id, decision])).toEqual([
      ["a", "keep"],
      ["b", "keep"],
      ["c", "drop"],
    ]);
  });

  it("saves a note that was typed when the mouse goes on instead of Enter", async () => {
    const file = five();
    await open(file);
    await page.fill("#note", "half a thought");
    await page.click("#next");
    await comment("Comment b.");
    expect(decisions(file)).toEqual([["a", undefined, undefined, "half a thought"]]);
    expect(await page.inputValue("#note")).toBe("");
  });

  it("is where it was after a reload", async () => {
    await open(five());
    await press("k", "2", "j");
    await page.reload();
    await page.waitForSelector(".comment");
    expect(await onScreen()).toMatchObject({ comment: "Comment d.", counts: "1 1 3" });
  });

  it("loses nothing when the server is killed between decisions, and goes on at the first undecided example", async () => {
    const file = five();
    for (const [i, key] of ["k", "4", "5", "k"].entries()) {
      const running = await open(file);
      expect((await onScreen()).position).toBe(`${i + 1} of 5`);
      await page.keyboard.press(key);
      await page.waitForFunction((n) => document.getElementById("position")?.textContent === `${n} of 5`, i + 2);
      await running.stop("SIGKILL");
    }
    expect(decisions(file).map(([id, decision, reason]) => [id, decision, reason])).toEqual([
      ["a", "keep", null],
      ["b", "drop", "wrong_linking"],
      ["c", "drop", "implementation_given"],
      ["d", "keep", null],
    ]);
  });

  it("says loudly that a decision is not saved, keeps it on screen, and saves it when asked again", async () => {
    const file = five();
    await open(file);
    const saved = `${file}.review.ada.jsonl`;
    renameSync(saved, `${saved}.away`);
    await press("4");
    expect(await page.isVisible("#alert")).toBe(true);
    expect(await page.textContent("#alert-title")).toBe('Not saved: "drop: wrong linking"');
    expect(await page.textContent("#alert-text")).toContain("ENOENT");
    // It cannot be left behind unnoticed.
    await press("j");
    expect(await onScreen()).toMatchObject({ comment: "Comment a.", verdict: "undecided", counts: "0 0 5" });
    renameSync(`${saved}.away`, saved);
    await press("r");
    await comment("Comment b.");
    expect(await page.isVisible("#alert")).toBe(false);
    expect(decisions(file)).toEqual([["a", "drop", "wrong_linking", ""]]);
  });

  it("says so when the server has gone, and warns before the page is left", async () => {
    const running = await open(five());
    await running.stop("SIGKILL");
    await press("k");
    expect(await page.textContent("#alert")).toContain("The server does not answer");
    await page.goto("about:blank");
    expect(problems).toEqual(["dialog beforeunload"]);
    problems = [];
  });

  it("shows hostile data as it is, and runs none of it", async () => {
    const attack = `</script><script>window.pwned=1</script><img src=x onerror="window.pwned=2;alert(1)">`;
    const hidden = "if (a\u202e) { \u001b[2J\u200b";
    const file = write(
      recordWith({
        id: `id ${attack}`,
        old: ` ${attack}\n-${hidden}\n three\n-\tfour \n five\n six`,
        new: ` ${attack}\n+TWO\n three\n+FOUR\n five\n six`,
        review: `${attack}\n${hidden}`,
        repo: `javascript:${attack}`,
        source: `https://evil.example/${attack}`,
        solution_correct: `2 + ${attack}`,
      }),
    );
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    const { url } = await open(file);
    await press("k");
    expect(await page.evaluate(() => "pwned" in window)).toBe(false);
    expect(await page.locator("main img, main script, main a").count()).toBe(0);
    const shown = await page.locator("main").textContent();
    expect(shown?.split(attack).length).toBeGreaterThan(6);
    expect(shown).toContain("if (aU+202E) { U+001B[2JU+200B");
    for (const character of ["\u202e", "\u001b", "\u200b"]) expect(shown).not.toContain(character);
    expect(requested.filter((address) => !address.startsWith(url))).toEqual([]);
  });

  it("shows numbered lines with a sign, and the questions with the right option first", async () => {
    await open(write(recordWith({ id: "r", repo: "owner/name" })));
    const row = (i: number) => page.locator(".diff tbody tr").nth(i).locator("td").allTextContents();
    expect(await row(1)).toEqual(["2", "", "-", "two"]);
    expect(await row(2)).toEqual(["", "2", "+", "TWO"]);
    expect(await row(3)).toEqual(["3", "3", " ", "three"]);
    const headings = await page.locator(".question h3").allTextContents();
    expect(headings).toEqual([
      "CTR change type recognition",
      "CL change localisation, easy",
      "CL change localisation, hard",
      "SI solution identification, easy",
      "SI solution identification, hard",
    ]);
    const right = await page.locator(".options .right code").allTextContents();
    const solution = "2 - two\n2 + TWO\n4 - four\n4 + FOUR";
    expect(right).toEqual(["modify the code", "line numbers 2,4", "line numbers 2,4", solution, solution]);
    expect(await page.locator(".options .wrong").count()).toBe(2 + 4 * 3);
    expect(await page.textContent(".facts")).toContain("owner/name");
  });

  it("shows how SI distractors came to be where the builder's side file lies beside the data", async () => {
    const file = write(recordWith({ id: "r" }));
    const distractors = ["easy", "hard"].flatMap((difficulty) =>
      [1, 2, 3].map((i) => ({ difficulty, replacement: `${difficulty}${i}`, cosine: i / 10, tries: i })),
    );
    const leaf = { text: "FOUR", kind: "identifier", line: 4 };
    const line = { id: "r", leaf, surprisalBits: 7.25, leafRank: 1, tries: 9, pooling: "mean", distractors };
    writeFileSync(file.replace(/\.jsonl$/, ".distractors.jsonl"), jsonl(line));
    await open(file);
    const question = page.locator(".question").nth(4);
    expect(await question.locator(".origin").textContent()).toBe("Replaced: FOUR (identifier, line 4, 7.25 bits)");
    expect(await question.locator("small").allTextContents()).toEqual([
      "hard1 · cosine 0.1000",
      "hard2 · cosine 0.2000",
      "hard3 · cosine 0.3000",
    ]);
  });

  it("follows the system in light and dark, readable in both", async () => {
    await open(write(recordWith({ id: "r" })));
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const ratios = await page.evaluate(contrastRatios, [
        ".comment",
        ".facts dt",
        ".deleted .code",
        ".added .code",
        ".same .number",
        ".right .badge",
        ".wrong .badge",
        ".choice small",
        ".counts .kept",
        ".counts .dropped",
      ]);
      // WCAG 2.2, level AA.
      for (const { selector, ratio } of ratios) expect([selector, ratio >= 4.5]).toEqual([selector, true]);
    }
  });

  it("drops a question by itself, takes that back, and apply leaves a benchmark that asks no more of it", async () => {
    const file = write(recordWith({ id: "one" }), recordWith({ id: "two", review: "Shout." }));
    const running = await open(file);
    const button = (form: string, reason: string) => page.locator(`[data-question="${form}"][data-reason="${reason}"]`);
    const pressed = (form: string, reason: string) => button(form, reason).getAttribute("aria-pressed");
    await button("SI hard", "absurd").click();
    await page.waitForSelector('[data-question="SI hard"][aria-pressed="true"]');
    await button("CL easy", "also_right").click();
    await page.waitForSelector('[data-question="CL easy"][aria-pressed="true"]');
    await button("CL easy", "also_right").click();
    await page.waitForSelector('[data-question="CL easy"][data-reason="also_right"][aria-pressed="false"]');
    await page.reload();
    await page.waitForSelector(".comment");
    expect([await pressed("SI hard", "absurd"), await pressed("CL easy", "also_right")]).toEqual(["true", "false"]);
    await press("k", "k");
    const { stderr } = await running.stop("SIGINT");
    expect(stderr).toContain("Questions dropped by themselves: absurd 1.");

    const out = `${file}.checked.jsonl`;
    const applied = await runProbe(["dataset", "apply", file, `${file}.review.ada.jsonl`, "--out", out]);
    expect(applied.stderr).toContain("Kept 2 of 2 examples");
    expect(applied.stderr).toMatch(/SI hard\W+absurd\W+1/);
    const { stdout } = await runProbe(["run", "--model", "tiny", "--dataset", out, "--dry-run", "--json"]);
    const { forms } = JSON.parse(stdout) as { forms: { task: string; difficulty: string | null; questions: number }[] };
    // Two records of five questions each, but for one.
    expect(forms.map(({ questions }) => questions)).toEqual([2, 2, 2, 2, 1]);
  });

  it("fits a phone: nothing is wider than the screen", async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await open(
      write(rawTripleWith({ pre_review_code: `one\n${"x".repeat(5000)}\nthree`, code_review: "y".repeat(900) })),
    );
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  });

  it("explains its keys on ?, and takes no decision while it does", async () => {
    const file = five();
    await open(file);
    await press("?");
    expect(await page.isVisible("#help")).toBe(true);
    await press("k", "Escape");
    expect(await page.isVisible("#help")).toBe(false);
    expect(decisions(file)).toEqual([]);
  });
});

/** Runs in the page: contrast of text and the nearest background behind it (WCAG 2.2), by selector. */
function contrastRatios(selectors: string[]): { selector: string; ratio: number }[] {
  const channels = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (color: string) => {
    const [r = 0, g = 0, b = 0] = channels(color).map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const backgroundOf = (element: Element | null): string => {
    if (element === null) return "rgb(255, 255, 255)";
    const color = getComputedStyle(element).backgroundColor;
    return channels(color)[3] === 0 ? backgroundOf(element.parentElement) : color;
  };
  return selectors.map((selector) => {
    const element = document.querySelector(selector);
    if (element === null) throw new Error(`Expected ${selector} in the page.`);
    const [a, b] = [luminance(getComputedStyle(element).color), luminance(backgroundOf(element))];
    return { selector, ratio: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) };
  });
}
