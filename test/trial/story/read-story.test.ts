import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readStory } from "../../../src/trial/story/read-story.js";
import { artifactsOf, OUTPUT_FILE, REPORT_FILE } from "../../../src/trial/trial-artifacts.js";
import type { TrialRun } from "../../../src/trial/trial-run.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";
import { makeTrial } from "../../fixtures/trial-record.js";

const folder = useFreshFolder();
const run = { agents: [{ name: "a", is_control: false }] } as unknown as TrialRun;
const record = makeTrial("t", { scores: { passed: false } });

async function failureOf(report: object, output: string): Promise<string | null> {
  const place = artifactsOf(folder.path("run"), run, record);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, REPORT_FILE), JSON.stringify(report));
  writeFileSync(join(place, OUTPUT_FILE), output);
  const told = { adapter: { headline: "passed", scores: [] }, part: { scored: (each: typeof record) => each } };
  return (await readStory({ ...told, folder: folder.path("run"), run } as never, record)).failure;
}

it("names the first failing test by the report, else by what was printed", async () => {
  const failures = [{ name: "queries > finds gaps", message: "ReferenceError: gap is not defined" }];
  expect(await failureOf({ tests: { failures } }, "not ok 1 - other")).toBe(
    "First failing test: queries > finds gaps: ReferenceError: gap is not defined",
  );
  expect(await failureOf({ tests: { failures: [] } }, "not ok 1 - other")).toBe("First failing test: other");
});
