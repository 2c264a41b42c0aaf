import { describe, expect, it } from "vitest";
import { atlasJudging } from "../../../src/suites/swe-atlas/atlas-suite.js";
import { asciiJson, filled, loadOwnPrompts } from "../../../src/suites/swe-atlas/atlas-task.js";
import { newFilePatch } from "../../../src/suites/swe-atlas/hand-in.js";
import { atlasTask } from "../../fixtures/suites/swe-atlas/atlas-task.js";

const rubric = { id: "r", title: "1.2: Says “é” 💡\n", type: "positive hli verifier", importance: "must have" };

describe("a judge's prompt", () => {
  it("takes doubled braces for single ones, and puts texts in as they are, in one pass", () => {
    expect(
      filled('{{"title": {title}}} {unknown} {model_answer}', { title: '"t"', model_answer: "{title} {{}}" }),
    ).toBe('{"title": "t"} {unknown} {title} {{}}');
  });

  it("has titles as JSON in ASCII, also outside the basic plane", () => {
    expect(asciiJson('é 💡 "q"\n')).toBe('"\\u00e9 \\ud83d\\udca1 \\"q\\"\\n"');
  });

  it("has the number before the title in every workflow but qa", () => {
    const submitted = { patch: newFilePatch("a.js", "a\n"), report: { answer: "an answer", manifest: null } };
    const of = (workflow: "qa" | "tw" | "rf") => {
      const task = atlasTask(workflow, [rubric]);
      return atlasJudging.prompt(task, atlasJudging.criteria(task)[0]!, submitted, null);
    };
    expect(of("qa")).toEqual({
      system: "Judge.",
      user: 'The problem.|an answer|"Says \\u201c\\u00e9\\u201d \\ud83d\\udca1\\n"',
      responseFormat: null,
    });
    expect(of("rf")?.user).toBe(`The problem.|${submitted.patch}|"1.2: Says \\u201c\\u00e9\\u201d \\ud83d\\udca1\\n"`);
    expect(of("tw")?.responseFormat).toBe("json");
  });

  it("asks about a manifest where there is one, and about headings in qa alone", () => {
    const heading = { ...rubric, id: "h", type: "high level intent" };
    const prompts = { manifestPrompts: { system: "List?", template: "{model_edits}|{model_answer}" } };
    const task = atlasTask("tw", [heading, rubric], prompts);
    const criteria = atlasJudging.criteria(task);
    expect(criteria.map(({ id }) => id)).toEqual(["r", "manifest"]);
    const patch = newFilePatch("test/a.js", "a\n");
    expect(atlasJudging.prompt(task, criteria[1]!, { patch, report: { answer: null, manifest: "- a" } }, null)).toEqual(
      {
        system: "List?",
        user: `${patch}|- a`,
        responseFormat: "json",
      },
    );
    expect(
      atlasJudging.prompt(task, criteria[1]!, { patch, report: { answer: null, manifest: null } }, null),
    ).toBeNull();
    expect(atlasJudging.criteria(atlasTask("qa", [heading, rubric])).map(({ id }) => id)).toEqual(["h", "r"]);
  });

  it("of our own names only places that are filled", async () => {
    const { rubric_user: user, manifest_user: manifest } = await loadOwnPrompts();
    const values = { problem_statement: "p", model_answer: "m", title: '"t"' };
    expect(filled(user.text, values)).toContain('{"statement": "t"}');
    expect(filled(user.text, values)).not.toMatch(/\{[a-z_]+\}/);
    expect(filled(manifest.text, { model_edits: "e", model_answer: "m" })).not.toMatch(/[{}]/);
  });
});
