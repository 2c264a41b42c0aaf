// Takes the pictures of the terminal in docs/images: real commands, of made-up models (scripts/made-up-answers.mjs), on a
// pseudo-terminal (util-linux `script`) of 80 and of 120 columns, drawn as a terminal shows them, by a browser. Needs a
// build and Chromium (CHROMIUM_PATH names one): node scripts/terminal-pictures.mjs
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import xterm from "@xterm/headless";
import { chromium } from "playwright-core";
import { madeUpAnswers } from "./made-up-answers.mjs";

const PROBE = resolve("dist/src/cli/main.js");
const ROWS = 200;
const COLOURS = ["#24292f", "#ff7b72", "#7ee787", "#e3b341", "#79c0ff", "#d2a8ff", "#56d4dd", "#e6edf3"];

function show(folder, args, columns) {
  const emulator = new xterm.Terminal({ cols: columns, rows: ROWS, allowProposedApi: true });
  const command = `stty cols ${columns} rows ${ROWS}; exec ${process.execPath} ${PROBE} ${args}`;
  const { FORCE_COLOR: _, NO_COLOR: __, ...env } = process.env;
  const child = spawn("script", ["-qefc", command, "/dev/null"], {
    cwd: folder,
    env: { ...env, TERM: "xterm-256color" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdout.setEncoding("utf8").on("data", (text) => emulator.write(text));
  return new Promise((done) => child.on("close", () => emulator.write("", () => done(emulator))));
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

function lineHtml(line) {
  let html = "";
  for (let i = 0; i < line.length; i++) {
    const cell = line.getCell(i);
    const colour = cell.isFgPalette() ? `color:${COLOURS[cell.getFgColor() % 8]};` : "";
    const weight = cell.isBold() ? "font-weight:bold;" : "";
    const text = escaped(cell.getChars() || " ");
    html += colour + weight === "" ? text : `<span style="${colour}${weight}">${text}</span>`;
  }
  return html.trimEnd();
}

function screenHtml(emulator, args) {
  const { active } = emulator.buffer;
  const lines = Array.from({ length: active.length }, (_, i) => lineHtml(active.getLine(i)));
  while (lines.at(-1) === "") lines.pop();
  return [`$ probe ${escaped(args)}`, ...lines].join("\n");
}

async function picture(browser, path, screens, columns) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 400 } });
  await page.setContent(
    `<body style="margin:0;background:#0d1117"><pre style="display:inline-block;margin:0;padding:16px;color:#e6edf3;` +
      `width:${columns}ch;font:14px/1.3 'DejaVu Sans Mono',monospace">${screens.join("\n\n")}</pre></body>`,
  );
  await page.locator("pre").screenshot({ path });
  await page.close();
}

const folder = mkdtempSync(join(tmpdir(), "probe-pictures-"));
const executablePath =
  process.env.CHROMIUM_PATH ?? spawnSync("which", ["chromium"], { encoding: "utf8" }).stdout.trim();
const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
try {
  for (const model of ["made-up-72b", "made-up-7b"]) {
    writeFileSync(join(folder, `${model}.jsonl`), `${madeUpAnswers(model).join("\n")}\n`);
    const args = ["run", "--model", `scripted:${model}.jsonl`, "--quiet", "--out", model];
    spawnSync(process.execPath, [PROBE, ...args], { cwd: folder });
  }
  for (const columns of [80, 120]) {
    const screens = [];
    for (const args of ["score made-up-7b", "report made-up-72b made-up-7b --table scores"]) {
      screens.push(screenHtml(await show(folder, args, columns), args));
    }
    await picture(browser, `docs/images/terminal-${columns}.png`, screens, columns);
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
