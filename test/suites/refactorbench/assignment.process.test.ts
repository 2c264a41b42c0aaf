import { mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { callTool, type ToolReply } from "../../../src/agent/tool.js";
import { CONDITIONS, conditionOf, refactorTools } from "../../../src/suites/refactorbench/assignment.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";

const folder = useFreshFolder();

/** The tools of a condition on a tree with one file, and a test runner that says what it was asked for. */
function tools(condition: string) {
  mkdirSync(folder.path("src"), { recursive: true });
  writeFileSync(folder.path("src/a.js"), "export const a = 1;\n");
  const asked: string[] = [];
  const made = refactorTools({
    tree: folder.path("."),
    condition: conditionOf(condition),
    original: { errors: [], sources: ["a.js"], packages: new Map(), largest: 0 },
    provided: new Set(),
    runTest: async (path) => {
      asked.push(path);
      return {
        passes: false,
        isTampered: false,
        lineUp: null,
        testsPassed: 2,
        testsFailed: 1,
        missingPackages: [],
        durationMs: 1,
        failureKind: "AssertionError",
        message: "AssertionError: expected 1 to be 2",
      };
    },
  });
  const call = async (name: string, values: object): Promise<ToolReply> =>
    callTool(made, { id: "1", name, arguments: JSON.stringify(values) });
  const text = async (name: string, values: object) => {
    const reply = await call(name, values);
    return reply.kind === "text" ? reply.text : `finish ${reply.success}`;
  };
  return { asked, text, names: made.map(({ definition }) => definition.name) };
}

describe("refactorTools", () => {
  it("gives each condition its tools", () => {
    const writing = ["write_file", "remove_file", "get_all_errors"];
    const looking = ["list_files", "read_file", "search"];
    expect(CONDITIONS.map(({ name }) => [name, tools(name).names])).toEqual([
      ["no-test-runner", [...writing, "finish_refactoring"]],
      ["test-runner", [...writing, "run_unit_test", "finish_refactoring"]],
      ["no-test-runner-full", [...looking, ...writing, "finish_refactoring"]],
      ["test-runner-full", [...looking, ...writing, "run_unit_test", "finish_refactoring"]],
    ]);
  });

  it("writes in src, and in scratch only who can run tests", async () => {
    expect(await tools("no-test-runner").text("write_file", { path: "src/b.js", content: "1;\n" })).toMatch(/^Wrote/);
    const test = { path: "scratch/a.test.js", content: "" };
    expect(await tools("no-test-runner").text("write_file", test)).toMatch(/^Error: .*is not in src\//);
    expect(await tools("test-runner").text("write_file", test)).toMatch(/^Wrote/);
    expect(await tools("test-runner").text("write_file", { ...test, path: "a.test.js" })).toMatch(/^Error:/);
  });

  it("shows the errors that the code did not have before", async () => {
    const { text } = tools("no-test-runner");
    expect(await text("get_all_errors", {})).toBe("No errors.");
    await text("write_file", { path: "src/b.js", content: 'import "./gone";\n' });
    expect(await text("get_all_errors", {})).toBe("src/b.js: Cannot find module './gone'");
  });

  it("runs tests of the scratch folder alone, and shows what fails", async () => {
    const { text, asked } = tools("test-runner");
    expect(await text("run_unit_test", { path: "scratch/a.test.js" })).toBe(
      "Failed: 2 passed, 1 failed.\nAssertionError: expected 1 to be 2",
    );
    expect(await text("run_unit_test", { path: "src/a.test.js" })).toMatch(/^Error: .*is not in scratch\//);
    expect(await text("run_unit_test", { path: "scratch/a.js" })).toMatch(/^Error: .*is no test/);
    expect(asked).toEqual(["scratch/a.test.js"]);
  });

  it("ends with what the agent says of its work", async () => {
    expect(await tools("no-test-runner").text("finish_refactoring", { success: false, summary: "no" })).toBe(
      "finish false",
    );
  });
});
