import { describe, expect, it } from "vitest";
import { renderMarkdown } from "../../../src/report/markdown.js";
import { readStory, type Story } from "../../../src/trial/story/read-story.js";
import { storySections } from "../../../src/trial/story/story-blocks.js";
import type { Step } from "../../../src/trial/story/transcript.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";
import { makeTrial } from "../../fixtures/trial-record.js";

const folder = useFreshFolder();

const step = (kind: Step["kind"], what: string, more: Partial<Step> = {}): Step => ({
  attempt: 0,
  phase: null,
  atMs: 1000,
  kind,
  what,
  result: "",
  isFault: false,
  tokens: null,
  ...more,
});
const PATCH = "diff --git a/a.js b/a.js\n--- a/a.js\n+++ b/a.js\n@@ -1 +1 @@\n-a\n+b\n";

function told(more: Partial<Story>): string {
  const story: Story = {
    record: makeTrial("t", { scores: { passed: false, lines: 151, share: 0.5 } }),
    passed: false,
    headline: "passed",
    steps: [],
    patch: PATCH,
    goldPatch: null,
    output: "",
    agentOutput: "",
    failure: null,
    place: "run/artifacts",
    ...more,
  };
  return renderMarkdown(storySections(story).flatMap(({ blocks }) => blocks));
}

describe("the story of a trial", () => {
  it("tells what was read, written and run; what went wrong was run, but neither read nor written", () => {
    const text = told({
      steps: [
        step("read", "a.js", { tokens: { prompt: 40, completion: 7 } }),
        step("read", "none.js", { isFault: true, result: "Error: no such file" }),
        step("wrote", "b.js", { isFault: true }),
        step("ran", "npm test", { isFault: true }),
        step("ran", "npm test"),
      ],
    });
    for (const part of ["read: a.js", "wrote: nothing", "ran: npm test (2 times)"]) expect(text).toContain(part);
    expect(text).toContain("changed: a.js");
    expect(text).toContain("| 40 |");
  });

  it("of a command of one's own, or of a patch, tells what its patch changed, and nothing that nobody noted", () => {
    const command = told({ steps: [step("command", "the agent's command", { result: "exit code 0" })] });
    expect(command).toContain("changed: a.js");
    for (const word of ["read: ", "wrote: ", "| prompt |", "No steps"]) expect(command).not.toContain(word);
    const telling = told({ steps: [step("read", "b.js"), step("command", "the agent's command")] });
    for (const part of ["read, it says: b.js", "ran, it says: nothing", "changed: a.js"])
      expect(telling).toContain(part);
    expect(told({})).toContain("No steps are recorded: its patch is all that is known.");
  });

  it("says its outcome once, and whole numbers as such", () => {
    const text = told({});
    expect(text).toContain("Failed.");
    expect(text).toContain("lines: 151");
    expect(text).toContain("share: 0.50");
    expect(told({ headline: "decomposed" })).toContain("Failed (decomposed).");
  });

  it("calls nothing the right solution where its trial never ran", () => {
    const gold = (patch: string) => told({ record: makeTrial("t", { agent: "scripted:gold" }), patch });
    expect(gold(PATCH)).toContain("This is the right solution.");
    const none = gold("");
    expect(none).toContain("Nothing.");
    expect(none).not.toContain("This is the right solution.");
  });

  it("says why a trial was not graded behind its outcome, which is not said again", async () => {
    const record = makeTrial("t", { status: "invalid_task", valid: false, detail: "broken example" });
    const part = { scored: (each: typeof record) => each };
    const run = { agents: [{ name: "a", is_control: false }] };
    const from = { adapter: { headline: "passed", scores: [] }, part, folder: folder.path("run"), run };
    const blocks = storySections(await readStory(from as never, record)).flatMap((section) => section.blocks);
    expect(renderMarkdown(blocks)).toContain("Invalid task. broken example");
  });
});
