import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runProbe } from "../../../fixtures/cli.js";
import { temporaryFolder } from "../../../fixtures/temporary-folder.js";

const folder = temporaryFolder();

it("probe demo comes to four kinds of verdict, computed from recorded answers, and writes their page", async () => {
  const { code, stdout } = await runProbe(["demo", "--json"], { cwd: folder });
  expect(code).toBe(0);
  const { report, models } = JSON.parse(stdout) as { report: string; models: { model: string; state: string }[] };
  expect(models.map(({ model, state }) => [model, state])).toEqual([
    ["made-up-letters", "unreadable"],
    ["made-up-words", "matches_words"],
    ["made-up-nerves", "unsteady"],
    ["made-up-reader", "above_floor"],
  ]);
  expect(existsSync(join(folder, report))).toBe(true);
  // Again: nothing is asked anew, each verdict is explained.
  const again = await runProbe(["demo", "--no-open"], { cwd: folder });
  expect(again.code).toBe(0);
  expect(again.stdout).toContain("unsteady: it understands the review, but not reliably");
});

it.each(["report.html", "made-up-words.jsonl"])("probe demo writes over no %s of somebody else's", async (name) => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, name), "mine");
  const { code, stderr } = await runProbe(["demo", "--no-open", "--out", "."], { cwd });
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`Expected no ${name}, or one of an`),
  });
  expect(readdirSync(cwd)).toEqual([name]);
  expect(readFileSync(join(cwd, name), "utf8")).toBe("mine");
});
