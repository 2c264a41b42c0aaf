import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { findChromium, launchChromium, PATIENCE_MS } from "../fixtures/chromium.js";
import { runProbe, startProbe } from "../fixtures/cli.js";
import { type PageProcess, startPage } from "../fixtures/page-process.js";
import { processorMs } from "../fixtures/processes.js";
import { lowContrasts, seriousFaults } from "../fixtures/report-page.js";
import { buildProgram } from "../fixtures/suites/build.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const chromium = findChromium();
if (chromium === null)
  process.stdout.write("Skipping the page of the runs in a browser: no Chromium; CHROMIUM_PATH names one\n");

const folder = temporaryFolder();
const results = join(folder, "results");
/** With the suite of sums beside those that come with the program. */
let program: string;
let browser: Browser;
let view: PageProcess;
/** Further ones of a test. */
let others: PageProcess[] = [];
let context: BrowserContext | null = null;

/** What went wrong in the pages: errors, dialogs, requests to others. */
let problems: string[] = [];

const ATTACK = `</script><script>alert(1)</script><img src=x onerror=alert(2)>" onload='alert(3)' {{7*7}} \u202e`;

async function open(options: Parameters<Browser["newContext"]>[0] = {}, url = view.url): Promise<Page> {
  context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  page.on("pageerror", (error) => problems.push(`error: ${String(error)}`));
  page.on("console", (message) => problems.push(`console: ${message.text()}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(new URL(url).origin)) problems.push(`request: ${request.url()}`);
  });
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.accept();
  });
  await page.goto(url);
  if (options?.javaScriptEnabled !== false) await page.waitForSelector("html[data-ready]");
  return page;
}

/** A copy of a run under another name. */
function copy(source: string, name: string, to = results): void {
  cpSync(join(results, source), join(to, name), { recursive: true });
  const path = join(to, name, "run.json");
  const run = JSON.parse(readFileSync(path, "utf8")) as object;
  // Without its checksum: one that was changed by hand is damaged.
  writeFileSync(path, JSON.stringify({ ...run, run_id: name, crc: undefined }));
}

const ask = (model: string, out: string) => {
  const options = ["--task", "CTR,CL", "--limit", "4", "-q", "--out", join(results, out)];
  return runProbe(["run", "--model", `scripted:${model}`, ...options], { cwd: folder });
};

/** The run of this folder in the list. */
const itemOf = (page: Page, name: string) => page.locator(".runs li", { hasText: `${results}/${name}` });
const boxOf = (page: Page, name: string) => itemOf(page, name).getByRole("checkbox");

describe.skipIf(chromium === null)("probe view", () => {
  beforeAll(async () => {
    program = await buildProgram("arithmetic/main.ts");
    const ran = await Promise.all([ask("oracle", "right"), ask("always-A", "wrong")]);
    expect(ran.map(({ code }) => code)).toEqual([0, 0]);
    mkdirSync(join(results, "torn"));
    writeFileSync(join(results, "torn/run.json"), `{ "${ATTACK}`);
    browser = await launchChromium(chromium ?? "");
    view = await startPage(["view", results], { program });
  });

  afterAll(async () => {
    await browser?.close();
    await view?.stop("SIGKILL");
  });

  afterEach(async () => {
    await context?.close();
    await Promise.all(others.map(({ stop }) => stop("SIGKILL")));
    others = [];
    // A test's own: the next one begins without them.
    const found = problems;
    problems = [];
    expect(found).toEqual([]);
  });

  it("shows a run of any suite while it goes on: its bar grows, and it becomes one of the ended by itself", async () => {
    // Twenty sums, half a second each.
    const sums = ["suite", "run", "arithmetic", "--model", "scripted:oracle", "--count", "20", "--pause", "500", "-q"];
    const { result } = startProbe([...sums, "--out", join(results, "sums")], { program });
    await expect.poll(() => existsSync(join(results, "sums/run.json"))).toBe(true);
    const page = await open();
    const bar = page.locator("#going progress");
    const first = Number(await bar.getAttribute("value"));
    await expect.poll(async () => Number(await bar.getAttribute("value"))).toBeGreaterThan(first);
    expect(await page.textContent("#going .far")).toMatch(/^\d+ of 20 sums/);
    expect(await page.textContent("#facts")).toMatch(/^4 runs · 1 going on/);
    expect((await result).code).toBe(0);
    const ended = itemOf(page, "sums");
    await ended.locator(".forms").waitFor();
    expect(await ended.locator(".forms b").allTextContents()).toContain("100.0 %");
    expect(await page.isVisible("#going")).toBe(false);
    expect(await page.textContent("#said")).toContain("Ended: scripted:oracle");
  });

  it("opens the report of chosen runs side by side, and leads back", async () => {
    const page = await open();
    expect(await page.isDisabled("#open")).toBe(true);
    await boxOf(page, "right").check();
    await boxOf(page, "wrong").check();
    expect(await page.textContent("#count")).toBe("2 runs chosen");
    await page.getByRole("button", { name: "Compare 2 runs" }).click();
    await page.waitForSelector("html[data-ready]");
    expect(await page.textContent("h1")).toBe("2 models");
    expect(await page.locator("#scores tbody:not(.references) th").allTextContents()).toHaveLength(2);
    expect(new URL(page.url()).search).toMatch(/^\?run=[0-9a-f]{16}&run=[0-9a-f]{16}$/);
    await page.getByRole("link", { name: "All runs" }).click();
    await page.waitForSelector("#ended");
  });

  it("opens one question of a run, by its address too", async () => {
    const page = await open();
    await boxOf(page, "wrong").check();
    await page.locator("#question summary").click();
    await page.waitForFunction(() => (document.getElementById("form") as HTMLSelectElement).options.length > 0);
    const source = readFileSync(join(results, "wrong/questions.csv"), "utf8");
    const [id = ""] = /c-[a-z-]+/.exec(source) ?? [];
    await page.selectOption("#form", "CL hard");
    await page.fill("#item", id);
    await page.keyboard.press("Enter");
    await page.waitForSelector("html[data-ready] #detail .title");
    expect(await page.textContent("#detail .title")).toMatch(new RegExp(`^CL hard.*${id}`));
    const address = page.url();
    expect(address).toMatch(new RegExp(`report\\?run=[0-9a-f]{16}#question=CL%20hard/${id}$`));
    await page.goto("about:blank");
    await page.goto(address);
    await page.waitForSelector("html[data-ready] #detail .title");
    expect(await page.textContent("#detail .title")).toMatch(new RegExp(`^CL hard.*${id}`));
  });

  it("keeps what is chosen, and where the focus is, while the list changes", async () => {
    const page = await open();
    const box = boxOf(page, "wrong");
    await box.check();
    await box.focus();
    copy("right", "newer");
    await itemOf(page, "newer").locator(".forms").waitFor();
    expect(await box.isChecked()).toBe(true);
    expect(await box.evaluate((each) => each === document.activeElement)).toBe(true);
    await page.fill("#filter", "newer");
    expect(await page.locator("#ended-runs > li:visible").count()).toBe(1);
  });

  it("runs nothing of hostile names, and shows them as they are", async () => {
    // The answers of a run, under a hostile name.
    const file = `m ${ATTACK.replaceAll("/", "|")}.jsonl`;
    cpSync(join(results, "right/answers.jsonl"), join(folder, file));
    expect((await ask(file, `hostile ${file}`)).code).toBe(0);
    const page = await open();
    const item = page.locator("#ended li", { hasText: "alert(1)" });
    await item.locator(".forms").waitFor();
    expect(await item.locator("label").textContent()).toContain(`scripted:${file.replace("\u202e", "\\u202e")}`);
    expect(await page.textContent("#damaged .problem")).toContain("Expected ");
    expect(await page.locator("main img, main script").count()).toBe(0);
    await item.getByRole("link").click();
    await page.waitForSelector("html[data-ready] #detail");
    expect(await page.textContent("h1")).toContain("scripted:m <|script><script>alert(1)");
  });

  it.each([
    { width: 1280, colorScheme: "light" as const },
    { width: 1280, colorScheme: "dark" as const },
    { width: 390, colorScheme: "light" as const },
    { width: 390, colorScheme: "dark" as const },
  ])("fits $width pixels, $colorScheme, and has no serious fault for those who do not see it", async (look) => {
    copy("right", "x".repeat(200));
    const { width, colorScheme } = look;
    const page = await open({ viewport: { width, height: 844 }, colorScheme });
    await boxOf(page, "wrong").check();
    await page.locator("#question summary").click();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    expect(await seriousFaults(page)).toEqual([]);
    expect(await lowContrasts(page)).toEqual([]);
    expect(await page.locator("main, header").count()).toBe(2);
  });

  it("is used by keys alone", async () => {
    const page = await open();
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to the runs");
    await page.keyboard.press("Enter");
    await boxOf(page, "wrong").focus();
    await page.keyboard.press("Space");
    await page.locator("#open").focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector("html[data-ready] #detail");
    expect(await page.textContent("h1")).toBe("scripted:always-A");
  });

  it("lists, chooses and compares without JavaScript too", async () => {
    const page = await open({ javaScriptEnabled: false });
    await boxOf(page, "wrong").check();
    await boxOf(page, "right").check();
    await page.locator("#open").click();
    expect(await page.textContent("h1")).toBe("2 models");
  });

  it("says so when the command was stopped", async () => {
    const own = await startPage(["view", results], { program });
    others.push(own);
    const page = await open({}, own.url);
    await own.stop("SIGKILL");
    await page.locator("#lost").waitFor();
    // The browser tells of the connection that it did not get, or that ended while it asked.
    problems = problems.filter((problem) => !/ERR_CONNECTION_(?:REFUSED|RESET)/.test(problem));
  });

  it("serves no other page, and no other machine's name", async () => {
    const { host, hostname, port, pathname } = new URL(view.url);
    const status = (headers: http.OutgoingHttpHeaders, path = pathname, method = "GET") =>
      new Promise((resolve, reject) => {
        const request = http.request({ hostname, port, path, method, headers, agent: false }, (reply) => {
          reply.resume();
          resolve(reply.statusCode);
        });
        request.on("error", reject).end();
      });
    expect(await status({ host })).toBe(200);
    expect(await status({ host: "evil.example" })).toBe(421);
    expect(await status({ host, origin: "http://evil.example" })).toBe(403);
    expect(await status({ host }, "/")).toBe(404);
    expect(await status({ host }, pathname, "POST")).toBe(405);
  });

  it("opens a list of 200 runs with less than a second of work", async () => {
    const many = join(folder, "many");
    for (let i = 0; i < 200; i++) copy("right", `run-${i}`, many);
    const own = await startPage(["view", many], { program });
    others.push(own);
    const spentMs: number[] = [];
    let page = "";
    for (let i = 0; i < 3; i++) {
      const before = processorMs(own.pid);
      page = await (await fetch(own.url)).text();
      spentMs.push(processorMs(own.pid) - before);
    }
    expect(page).toContain("200 runs");
    expect(page.split('<input type="checkbox"')).toHaveLength(201);
    expect(Math.min(...spentMs)).toBeLessThan(1_000);
    expect((await own.stop("SIGINT")).code).toBe(0);
  });
});

describe("probe view on the command line", () => {
  it("prints its address alone on standard output, and ends in order on an interrupt", async () => {
    const own = await startPage(["view"], { cwd: folder });
    // The page of a folder that is not there yet.
    mkdirSync(join(folder, "empty"));
    const { code, stdout, stderr } = await own.stop("SIGINT");
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${own.url}\n` });
    expect(stderr).toBe("Open this address in a browser on this machine to see the runs in results; Ctrl-C ends it.\n");
  });

  it("waits for a results folder that is yet to come, but refuses one that was named and is not there", async () => {
    const own = await startPage(["view"], { cwd: join(folder, "empty") });
    expect(await (await fetch(own.url)).text()).toContain("No runs yet.");
    await own.stop("SIGTERM");
    const { code, stderr } = await runProbe(["view", join(folder, "nowhere"), "--no-open"]);
    expect(code).toBe(2);
    expect(stderr).toContain("Expected a folder of runs, found none at");
  });
});
