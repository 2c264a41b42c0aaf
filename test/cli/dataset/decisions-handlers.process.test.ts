import { existsSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { runProbe } from "../../fixtures/cli.js";
import { writeDecisions } from "../../fixtures/decisions.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";

const folder = useFreshFolder();

it("decisions of nobody are refused, and write nothing", async () => {
  writeFileSync(folder.path("data.jsonl"), "");
  writeDecisions(folder.path("none.jsonl"), "ada", {}, { examples: 1 });
  const args = ["dataset", "apply", "data.jsonl", "none.jsonl", "--out", "checked.jsonl"];
  const { code, stdout, stderr } = await runProbe(args, { cwd: folder.path() });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("Expected a decision about at least one example, found none; nothing was written.");
  expect(existsSync(folder.path("checked.jsonl"))).toBe(false);
});
