import { describe, expect, it } from "vitest";
import { assignmentText, loadPrompts } from "../../../src/suites/refactorbench/assignment.js";
import { readFixtures } from "../../../src/suites/refactorbench/read-fixtures.js";

const prompts = await loadPrompts();
const fixtures = await readFixtures();
const TOOLS = [
  { name: "write_file", description: "Writes." },
  { name: "finish_refactoring", description: "Ends." },
];

async function textOf(name: string, mayWriteTests = false) {
  return assignmentText(prompts, fixtures.find((fixture) => fixture.name === name)!, TOOLS, mayWriteTests);
}

describe("assignmentText", () => {
  it("shows the whole target, how such apps are built, and the tools", async () => {
    const { system, user } = await textOf("habit_mobile");
    expect(system).toContain("# The file: src/app/index.jsx");
    // The first and the last line of the target.
    expect(system).toContain('```\nimport { useRouter } from "expo-router";\n');
    expect(system).toMatch(/ {2}\);\n\}\n```\n/);
    expect(system).toContain("written with React Native");
    expect(system).toContain("- `write_file`: Writes.\n- `finish_refactoring`: Ends.");
    expect(user).toBe("Split src/app/index.jsx into modules and keep its behaviour.\n");
  });

  it("leaves code that looks like a placeholder as it is", async () => {
    // A template string of the target, in the form of our own placeholders.
    expect((await textOf("csv_report")).system).toContain(["cannot group by $", "{grouping}"].join(""));
  });

  it("tells of the scratch folder only who may use it", async () => {
    expect((await textOf("interval_set", true)).system).toContain("into `scratch/`");
    expect((await textOf("interval_set")).system).not.toContain("scratch");
  });

  it("tells an agent with tools of its own where it works, in one text, and no tool of ours", async () => {
    const { instruction } = await textOf("task_board");
    expect(instruction).toMatch(/^Split src\/app\/page\.jsx into modules/);
    expect(instruction).toContain("# Where you work");
    expect(instruction).not.toContain("write_file");
  });

  it("names nothing of the hidden test", async () => {
    for (const { name, testFile } of fixtures) {
      const { system, instruction } = await textOf(name);
      expect(system + instruction).not.toContain(testFile.split("/").at(-1));
    }
  });
});
