import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { writePage } from "../../../src/cli/report/report-handler.js";
import { markup } from "../../../src/web/html-page.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";

const folder = useFreshFolder();

it("writes the pieces in their order, and tells how many bytes they have", async () => {
  async function* pieces() {
    yield markup`<p>é`;
    yield markup`</p>`;
  }
  // é has two bytes: 3 + 2 + 4.
  expect(await writePage(folder.path("report.html"), pieces())).toBe(9);
  expect(readFileSync(folder.path("report.html"), "utf8")).toBe("<p>é</p>");
});

it("is not there where what belongs to it cannot be written: the same command can be given again", async () => {
  async function* pieces() {
    yield markup`<p>new</p>`;
  }
  const besides = () => Promise.reject(new Error("no space left"));
  await expect(writePage(folder.path("report.html"), pieces(), besides)).rejects.toThrow("no space left");
  expect(readdirSync(folder.path())).toEqual([]);
});

it("leaves the page that was there where a piece cannot be made", async () => {
  writeFileSync(folder.path("report.html"), "old");
  async function* pieces() {
    yield markup`<p>new`;
    throw new Error("no such example any more");
  }
  await expect(writePage(folder.path("report.html"), pieces())).rejects.toThrow("no such example any more");
  expect(readFileSync(folder.path("report.html"), "utf8")).toBe("old");
  expect(readdirSync(folder.path())).toEqual(["report.html"]);
});
