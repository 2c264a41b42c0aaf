// Takes the pictures of the report and of the page of runs in docs/images, of made-up models (scripts/made-up-answers.mjs).
// Needs a build, Chromium (CHROMIUM_PATH names one) and a minute: node scripts/take-pictures.mjs [report|view]
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { MADE_UP_MODELS, madeUpAnswers } from "./made-up-answers.mjs";

const SIZES = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };

const PROGRAM = resolve("dist/src/cli/main.js");
const folder = mkdtempSync(join(tmpdir(), "probe-pictures-"));

function probe(...args) {
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`probe ${args.join(" ")} ended with ${status}: ${stderr}`);
}

/** Starts a command that goes on until it is stopped. */
function start(...args) {
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd: folder, stdio: ["ignore", "pipe", "ignore"] });
  return { child, stop: () => child.kill("SIGINT") && once(child, "exit") };
}

/** The page of runs, while one of them goes on. */
async function takeView(browser) {
  const view = start("view", ".", "--no-open");
  const going = start("run", "--model", "tiny", "--out", "going", "-q");
  try {
    const [address] = await once(view.child.stdout, "data");
    await takeRuns(browser, String(address).trim());
  } finally {
    await Promise.all([going.stop(), view.stop()]);
  }
}

async function takeRuns(browser, address) {
  for (const [size, colorScheme] of [
    ["desktop", "light"],
    ["phone", "dark"],
  ]) {
    const context = await browser.newContext({ viewport: SIZES[size], colorScheme });
    const opened = await context.newPage();
    opened.setDefaultTimeout(180_000);
    await opened.goto(address);
    await opened.waitForFunction(() => document.querySelector("#going progress")?.value > 100);
    await opened.waitForFunction(() => document.querySelectorAll("#ended .forms").length === 4);
    for (const box of await opened
      .locator("#ended input[type=checkbox]")
      .all()
      .then((all) => all.slice(0, 2)))
      await box.check();
    await opened.screenshot({ path: `docs/images/view-${size}-${colorScheme}.png` });
    await context.close();
  }
}

async function takePictures(browser, page, name) {
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of ["light", "dark"]) {
      const context = await browser.newContext({ viewport, colorScheme });
      const opened = await context.newPage();
      await opened.goto(pathToFileURL(join(folder, page)).href);
      await opened.waitForSelector("html[data-ready]");
      await opened.screenshot({ path: `docs/images/${name}-${size}-${colorScheme}.png` });
      await context.close();
    }
  }
}

async function takeReports(browser, models) {
  probe("report", ...models, "--out", "four.html");
  probe("report", models[1], "--out", "one.html");
  await takePictures(browser, "four.html", "report");
  await takePictures(browser, "one.html", "report-one");
}

try {
  const [wanted] = process.argv.slice(2);
  const models = Object.keys(MADE_UP_MODELS);
  for (const model of models) {
    writeFileSync(join(folder, `${model}.jsonl`), `${madeUpAnswers(model).join("\n")}\n`);
    probe("run", "--model", `scripted:${model}.jsonl`, "--task", "ACR,CTR,CL,SI", "--out", model, "-q");
  }
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
  if (wanted !== "view") await takeReports(browser, models);
  if (wanted !== "report") await takeView(browser);
  await browser.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
