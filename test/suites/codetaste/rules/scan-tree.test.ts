import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseRules } from "../../../../src/suites/codetaste/assets.js";
import { scanTree } from "../../../../src/suites/codetaste/rules/scan-tree.js";
import { temporaryFolder } from "../../../fixtures/temporary-folder.js";

const signal = new AbortController().signal;

const folder = temporaryFolder();

function treeOf(files: Readonly<Record<string, string>>): string {
  const tree = mkdtempSync(join(folder, "tree-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  }
  return tree;
}

async function scanned(yaml: string, files: Readonly<Record<string, string>>, limitMs = 10_000) {
  const set = { side: "additive" as const, path: "", rules: parseRules(`rules:\n${yaml}`) };
  const scan = await scanTree(set, { tree: treeOf(files), limitMs, signal });
  if (scan.status === "missing") throw new Error(scan.detail);
  return { ...scan, matches: Object.fromEntries(scan.matches) };
}

describe("the built-in engine", () => {
  it("finds matches by their lines, also those that go over several, in every file of the language", async () => {
    const { matches, notRun } = await scanned(
      '- {id: sum, languages: [js], pattern-regex: "sum\\\\([^)]*\\\\)"}\n- {id: none, languages: [js], pattern-regex: zzz}',
      { "src/a.js": "x\nsum(1,\n  2)\nsum(3)", "b.mjs": "sum()", "c.py": "sum()" },
    );
    expect(notRun).toEqual([]);
    expect(matches).toEqual({
      sum: [
        { path: "b.mjs", first: 1, last: 1 },
        { path: "src/a.js", first: 2, last: 3 },
        { path: "src/a.js", first: 4, last: 4 },
      ],
      none: [],
    });
  });

  it("keeps to the paths of a rule, at any depth unless they begin with a slash", async () => {
    const files = Object.fromEntries(
      ["a.js", "src/a.js", "lib/src/a.js", "src/test/a.js", "src/b.js"].map((path) => [path, "x"]),
    );
    const pathsOf = async (paths: string) => {
      const { matches } = await scanned(`- {id: r, languages: [js], pattern-regex: x, paths: ${paths}}`, files);
      return matches["r"]!.map(({ path }) => path);
    };
    expect(await pathsOf("{include: [src/*.js]}")).toEqual(["lib/src/a.js", "src/a.js", "src/b.js"]);
    expect(await pathsOf("{include: [/src], exclude: [test]}")).toEqual(["src/a.js", "src/b.js"]);
    expect(await pathsOf('{include: ["**/lib/**/*.js"]}')).toEqual(["lib/src/a.js"]);
  });

  it("leaves out what machines made, what is no text, and tells of files that are too large", async () => {
    const files = { "dist/a.js": "x", "b.js": "x\0", "c.js": "x".repeat(1_000_001), "d.js": "x" };
    const { matches, errors } = await scanned('- {id: r, languages: [js], pattern-regex: "^x$"}', files);
    expect(matches["r"]!.map(({ path }) => path)).toEqual(["d.js"]);
    expect(errors).toBe(1);
  });

  it("looks into files of a patch wherever they stand and whatever they hold, and takes those it cannot read for matches", async () => {
    const tree = treeOf({
      "vendor/a.js": "x",
      "vendor/old.js": "x",
      "b.js": "x\n//\0",
      "c.js": `x\n${"y".repeat(1_000_000)}`,
      "d.txt": "x",
      "f.js": "y",
      "g.js": "y".repeat(32 * 1024 * 1024 + 1),
    });
    symlinkSync("d.txt", join(tree, "d.js"));
    symlinkSync("e.js", join(tree, "e.js"));
    const rules = parseRules('rules: [{id: r, languages: [js], pattern-regex: "^x$"}]');
    const patched = new Set(["vendor/a.js", "b.js", "c.js", "d.js", "e.js", "f.js", "g.js", "gone.js"]);
    const scan = await scanTree({ side: "reductive", path: "", rules }, { tree, patched, limitMs: 10_000, signal });
    // Not the old file of others, the text without the ending, the link to itself, and what does not match.
    const found = ["vendor/a.js", "b.js", "c.js", "d.js", "g.js"].map((path) => ({ path, first: 1, last: 1 }));
    expect(scan).toEqual({ status: "scanned", matches: new Map([["r", found]]), notRun: [], errors: 1 });
  });

  it("says nothing of a rule that it cannot run", async () => {
    const { matches, notRun } = await scanned(
      '- {id: p, languages: [js], pattern: "f()"}\n- {id: q, languages: [js], pattern-regex: "\\\\Ax"}\n' +
        "- {id: r, languages: [cobol], pattern-regex: x}",
      { "a.js": "f() x" },
    );
    expect(matches).toEqual({});
    expect(notRun).toEqual([
      { rule: "p", why: "made of pattern" },
      { rule: "q", why: "JavaScript has no \\A" },
      { rule: "r", why: "files of cobol are not known" },
    ]);
  });

  it("ends an expression that would take for ever, names it and the file, and runs the others", async () => {
    const text = `${"a".repeat(64)}!`;
    const { matches, notRun } = await scanned(
      '- {id: before, languages: [js], pattern-regex: "a!"}\n- {id: for-ever, languages: [js], pattern-regex: "^(a+)+$"}\n' +
        '- {id: after, languages: [js], pattern-regex: "!"}',
      { "a.js": text, "b.js": "a!" },
      4000,
    );
    expect(notRun).toEqual([{ rule: "for-ever", why: "it was not done after 4 s in a.js" }]);
    expect(Object.entries(matches).map(([rule, spans]) => [rule, spans.length])).toEqual([
      ["before", 2],
      ["after", 2],
    ]);
  });

  it("ends at once when it is stopped", async () => {
    const stopped = new AbortController();
    const set = {
      side: "additive" as const,
      path: "",
      rules: parseRules('rules: [{id: r, languages: [js], pattern-regex: "^(a+)+$"}]'),
    };
    const tree = treeOf({ "a.js": `${"a".repeat(64)}!` });
    const scan = scanTree(set, { tree, limitMs: 600_000, signal: stopped.signal });
    setTimeout(() => stopped.abort(new Error("enough")), 50);
    await expect(scan).rejects.toThrow("enough");
  });
});
