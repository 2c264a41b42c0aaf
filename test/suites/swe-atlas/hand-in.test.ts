import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { betweenTags, handedIn } from "../../../src/suites/swe-atlas/hand-in.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";

const folder = useFreshFolder();
const PUBLISHED = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../fixtures/suites/swe-atlas/published.json"), "utf8"),
).qa;

describe("what is handed in", () => {
  it.each(PUBLISHED.answer_cases as { case: string; answer: string | null; graded_text: string | null }[])(
    "is an answer as released: $case",
    async ({ answer, graded_text }) => {
      const tree = folder.path("tree");
      mkdirSync(join(tree, "logs/agent"), { recursive: true });
      if (answer !== null) writeFileSync(join(tree, "logs/agent/answer.txt"), answer);
      expect(await handedIn(tree, "answer.txt")).toBe(graded_text);
    },
  );

  it("is nothing where a link leads elsewhere", async () => {
    const tree = folder.path("tree");
    mkdirSync(join(tree, "logs/agent"), { recursive: true });
    writeFileSync(folder.path("secret"), "a secret");
    symlinkSync(folder.path("secret"), join(tree, "logs/agent/manifest.txt"));
    expect(await handedIn(tree, "manifest.txt")).toBeNull();
  });

  it("is what stands between the last two tags", () => {
    expect(betweenTags("<<T>>first<<T>> then <<T>> second <<T>>", "<<T>>")).toBe("second");
  });
});
