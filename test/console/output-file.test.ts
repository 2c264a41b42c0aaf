import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { type CiResult, openCiOutput } from "../../src/console/output-file.js";
import type { CiValues } from "../../src/console/run-options.js";
import { heading } from "../../src/report/make-block.js";
import { renderMarkdownPart } from "../../src/report/markdown.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";

const folder = useFreshFolder();
const RESULT: CiResult = {
  checks: () => ({ name: "tiny", timestamp: null, durationMs: null, suites: [] }),
  markdown: () => renderMarkdownPart([heading(2, "new")]),
};

const open = (given: Partial<CiValues>, environment: Readonly<Record<string, string>> = {}) =>
  openCiOutput({ junit: null, githubSummary: false, ...given }, environment);
const write = async (junit: string) => (await open({ junit })).write(RESULT);

describe("--junit", () => {
  it("writes the report, making the folders it needs", async () => {
    await write(folder.path("a/b/report.xml"));
    expect(await readFile(folder.path("a/b/report.xml"), "utf8")).toMatch(/^<\?xml .*\n<testsuites name="probe tiny"/);
  });

  it("replaces an earlier report and an empty file", async () => {
    await writeFile(folder.path("report.xml"), "");
    await write(folder.path("report.xml"));
    await write(folder.path("report.xml"));
    expect(await readdir(folder.path())).toEqual(["report.xml"]);
  });

  it("leaves any other file as it is, and says so before anything is done", async () => {
    await writeFile(
      folder.path("other.xml"),
      '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="vitest tests">',
    );
    await expect(open({ junit: folder.path("other.xml") })).rejects.toThrow(
      /--junit, found .*other\.xml, which holds something else\. Name another file/,
    );
    await writeFile(folder.path("short"), "mine");
    await expect(open({ junit: folder.path("short") })).rejects.toThrow(/holds something else/);
  });

  it("refuses a folder, and a place below a file", async () => {
    await mkdir(folder.path("folder"));
    await expect(open({ junit: folder.path("folder") })).rejects.toThrow(/which is no file/);
    await writeFile(folder.path("file"), "mine");
    await expect(open({ junit: folder.path("file/report.xml") })).rejects.toThrow(/cannot be written to/);
  });
});

describe("--github-summary", () => {
  it("appends to the file that the variable names", async () => {
    await writeFile(folder.path("summary.md"), "earlier\n");
    const output = await open({ githubSummary: true }, { GITHUB_STEP_SUMMARY: folder.path("summary.md") });
    await output.write(RESULT);
    expect(await readFile(folder.path("summary.md"), "utf8")).toBe("earlier\n\n## new\n\n");
  });

  it.each([{}, { GITHUB_STEP_SUMMARY: "" }])("says what is expected without the variable: %j", async (environment) => {
    await expect(open({ githubSummary: true }, environment)).rejects.toThrow(
      /Expected the variable GITHUB_STEP_SUMMARY to name a file/,
    );
  });

  it("says which file it could not write", async () => {
    const output = await open({ githubSummary: true }, { GITHUB_STEP_SUMMARY: folder.path() });
    await expect(output.write(RESULT)).rejects.toThrow(
      /Expected GITHUB_STEP_SUMMARY to name a file that can be written/,
    );
  });
});

it("writes nothing unless asked to", async () => {
  const output = await open({}, { GITHUB_STEP_SUMMARY: folder.path("summary.md") });
  await output.write(RESULT);
  expect(await readdir(folder.path())).toEqual([]);
});
