import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseRules, readRules } from "../../../src/suites/codetaste/assets.js";
import { temporaryFolder } from "../../fixtures/temporary-folder.js";

const folder = temporaryFolder();

describe("a rule file", () => {
  it("has rules of which those made of regular expressions alone can be run without a tool", () => {
    const rules = parseRules(`rules:
- {id: a.b.one, languages: [js], message: m, severity: INFO, pattern-regex: "x+", metadata: {nr: 1}}
- id: two
  languages: [go]
  pattern-either: [{pattern-regex: a}, {pattern-regex: b}]
  paths: {include: ["src/*.js"], exclude: [test]}
- {id: three, languages: [go], pattern: "$X.f()"}
- {id: four, languages: [go], pattern-either: [{pattern-regex: a}, {pattern: "f()"}]}
- {id: five, languages: [go], pattern-regex: a, pattern-not-inside: b}
- {id: six, languages: [go], patterns: [{pattern-regex: a}]}
`);
    expect(rules.map(({ id, kind, expressions }) => [id, kind, expressions])).toEqual([
      ["one", "pattern-regex", ["x+"]],
      ["two", "pattern-either", ["a", "b"]],
      ["three", "pattern", null],
      ["four", "pattern-either", null],
      ["five", "pattern-regex, pattern-not-inside", null],
      ["six", "patterns", null],
    ]);
    expect(rules[1]!.paths).toEqual({ include: ["src/*.js"], exclude: ["test"] });
  });

  it("that is missing is no rule set, and one that holds none is refused by name", async () => {
    expect(await readRules(join(folder, "none.yml"), "additive")).toBeNull();
    const broken = join(folder, "broken.yml");
    for (const text of ["rules: [", "rules: 3", "- id: x", "rules: [{message: m}]"]) {
      writeFileSync(broken, text);
      await expect(readRules(broken, "additive")).rejects.toThrow(`Expected rules in ${broken}, found: `);
    }
    writeFileSync(broken, "rules: []");
    expect(await readRules(broken, "reductive")).toMatchObject({ side: "reductive", rules: [] });
  });
});
