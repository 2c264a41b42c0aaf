import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Language } from "../../../src/base/language.js";
import { locate } from "../../../src/suites/smellbench/smell-adapter.js";
import type { SmellPlace } from "../../../src/suites/smellbench/smell-case.js";
import { smellyLines } from "../../../src/suites/smellbench/smell-scores.js";
import { Workspace } from "../../../src/workspace/workspace.js";
import { temporaryFolder } from "../../fixtures/temporary-folder.js";

const folder = temporaryFolder();
let made = 0;

// Lines:              1              2         3             4    5          6              7         8                9    10  11
const SMELLY = [
  "class Till {",
  "  open() {",
  "    one();",
  "  }",
  "",
  "  close() {",
  "    two();",
  "    three();",
  "  }",
  "}",
  "",
].join("\n");
const CLOSE: SmellPlace = { file: "src/till.js", className: "Till", methodName: "close" };

/** What an agent's patch would be, and where it is. */
async function located(place: SmellPlace, change: (tree: string) => void, smelly = SMELLY) {
  const source = join(folder, `source-${made}`);
  mkdirSync(join(source, "src"), { recursive: true });
  writeFileSync(join(source, "src/till.js"), smelly);
  writeFileSync(join(source, "src/other.js"), "other();\n");
  const workspace = await Workspace.create(join(folder, `work-${made++}`), { kind: "folder", path: source });
  change(workspace.tree);
  const patch = await workspace.patch();
  if (patch.status !== "made") throw new Error(patch.detail);
  const { la, laFile } = await locate(place, smelly, patch.bytes.toString("utf8"));
  return [la, laFile];
}

const write = (path: string, text: string) => (tree: string) => {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), text);
};
const replaced = (from: string, to: string) => write("src/till.js", SMELLY.replace(from, to));

describe("where a patch is", () => {
  it("is in the smelly method from its first line to its last, and nowhere else", async () => {
    // `close` has lines 6 to 9.
    expect(await smellyLines(CLOSE, SMELLY)).toEqual([{ first: 6, last: 9 }]);
    expect(await located(CLOSE, replaced("two()", "twice()"))).toEqual([true, true]);
    expect(await located(CLOSE, replaced("close() {", "shut() {"))).toEqual([true, true]);
    expect(await located(CLOSE, replaced("one()", "won()"))).toEqual([false, true]);
    expect(await located(CLOSE, write("src/other.js", "two();\n"))).toEqual([false, false]);
    expect(await located(CLOSE, () => undefined)).toEqual([false, false]);
  });

  it("counts a line that comes between two of the method, not one before or behind it", async () => {
    expect(await located(CLOSE, replaced("    two();\n", "    two();\n    half();\n"))).toEqual([true, true]);
    expect(await located(CLOSE, replaced("  close() {", "  before() {}\n  close() {"))).toEqual([false, true]);
    expect(await located(CLOSE, replaced("three();\n  }\n", "three();\n  }\n  behind() {}\n"))).toEqual([false, true]);
  });

  it("is in the whole class where no method is named, and anywhere in the file where nothing is", async () => {
    const whole = { ...CLOSE, methodName: null };
    expect(await located(whole, replaced("one()", "won()"))).toEqual([true, true]);
    expect(await located(whole, write("src/till.js", `${SMELLY}more();\n`))).toEqual([false, true]);
    const file = { ...whole, className: null };
    expect(await located(file, write("src/till.js", `${SMELLY}more();\n`))).toEqual([true, true]);
    expect(await located(file, write("src/till.js", `more();\n${SMELLY}`))).toEqual([true, true]);
  });

  it("takes a file that is renamed or deleted for one whose every line is changed", async () => {
    // The diff follows no renames: lines 1 to 10 go, 6 to 9 among them.
    const rename = (tree: string) => renameSync(join(tree, "src/till.js"), join(tree, "src/cash.js"));
    expect(await located(CLOSE, rename)).toEqual([true, true]);
    expect(await located(CLOSE, (tree) => rmSync(join(tree, "src/till.js")))).toEqual([true, true]);
    // Somebody else's patch may say it in one line; what is graded is the diff of the trees.
    const said =
      "diff --git a/src/till.js b/src/cash.js\nsimilarity index 100%\nrename from src/till.js\nrename to src/cash.js\n";
    expect(await locate(CLOSE, SMELLY, said)).toMatchObject({ la: false, laFile: true });
  });

  it("takes a whole file that is written anew by the lines that differ", async () => {
    expect(await located(CLOSE, write("src/till.js", "export const till = {};\n"))).toEqual([true, true]);
    // The same method to the letter in a class of another name: lines 1 to 4 differ, 6 to 9 do not.
    const same = SMELLY.replace("class Till", "class Register").replace("one()", "won()");
    expect(await located(CLOSE, write("src/till.js", same))).toEqual([false, true]);
  });

  it("takes other line ends for a change of every line", async () => {
    expect(await located(CLOSE, write("src/till.js", SMELLY.replaceAll("\n", "\r\n")))).toEqual([true, true]);
    // In a file that has them, lines are counted alike: line 7 is within, line 3 is not.
    const dos = SMELLY.replaceAll("\n", "\r\n");
    const inDos = (from: string, to: string) => write("src/till.js", dos.replace(from, to));
    expect(await located(CLOSE, inDos("two()", "twice()"), dos)).toEqual([true, true]);
    expect(await located(CLOSE, inDos("one()", "won()"), dos)).toEqual([false, true]);
  });

  it("finds a method that moved where it was before", async () => {
    const body = "  close() {\n    two();\n    three();\n  }\n";
    const gone = SMELLY.replace(body, "");
    const moved = (tree: string) => {
      write("src/till.js", gone)(tree);
      write("src/other.js", `other();\nclass Shut {\n${body}}\n`)(tree);
    };
    expect(await located(CLOSE, moved)).toEqual([true, true]);
    // Within its file, behind three lines that a diff would rather keep than the four of the method.
    const open = "  open() {\n    one();\n  }\n";
    const swapped = SMELLY.replace(`${open}\n${body}`, `${body}\n${open}`);
    const [la, laFile] = await located(CLOSE, write("src/till.js", swapped));
    // Git keeps the longer one, `close`, and moves `open` around it: lines 2 to 5 go.
    expect([la, laFile]).toEqual([false, true]);
  });

  it("is not known where the smelly tree has no such class, method, file or syntax", async () => {
    for (const place of [
      { ...CLOSE, methodName: "shut" },
      { ...CLOSE, className: "Desk" },
      { ...CLOSE, file: "src/till.ts" },
    ])
      expect(await locate(place, SMELLY, "")).toMatchObject({ la: null, laFile: false, reason: expect.any(String) });
    expect(await locate(CLOSE, null, "")).toEqual({ la: null, laFile: false, reason: "no src/till.js" });
  });
});

/** In every language the method `m` of the class `A`, where there are classes: its lines. */
const CODES: readonly (readonly [Language, string, string, string | null, string, readonly number[]])[] = [
  ["python", "a.py", "x = 1\nclass A:\n    @cached\n    def m(self):\n        return 1\n    y = 2\n", "A", "m", [3, 5]],
  ["javascript", "a.mjs", "class B { m() {} }\nclass A {\n  m = () => {\n    return 1;\n  };\n}\n", "A", "m", [3, 5]],
  ["java", "A.java", "class A {\n  @Override\n  int m() {\n    return 1;\n  }\n}\n", "A", "m", [2, 5]],
  ["c", "a.c", "int n;\nstatic int *m(int a)\n{\n  return 0;\n}\nint o;\n", null, "m", [2, 5]],
  ["cpp", "a.cc", "class A { int m(); };\n\nint A::m()\n{\n  return 1;\n}\n", "A", "m", [3, 6]],
  ["csharp", "A.cs", "namespace N {\n  class A {\n    int m() {\n      return 1;\n    }\n  }\n}\n", "A", "m", [3, 5]],
  ["go", "a.go", "package p\ntype A struct{}\nfunc m() {}\nfunc (a *A) m() int {\n\treturn 1\n}\n", "A", "m", [4, 6]],
  ["php", "a.php", "<?php\nclass A {\n  public function m() {\n    return 1;\n  }\n}\n", "A", "m", [3, 5]],
  ["ruby", "a.rb", "class A\n  def self.m\n    1\n  end\nend\n", "A", "self.m", [2, 4]],
];

describe("the lines of a method", () => {
  it.each(CODES)("in %s are those from its head to its end", async (_, file, code, className, methodName, lines) => {
    const [first, last] = lines;
    expect(await smellyLines({ file, className, methodName }, code)).toEqual([{ first, last }]);
  });

  it("are of all that have the name, and of a free function rather than of a method", async () => {
    const twice = "class A\n  def m\n  end\nend\nclass A\n  def m\n  end\nend\n";
    const place = { file: "a.rb", className: "A", methodName: "m" };
    expect(await smellyLines(place, twice)).toEqual([
      { first: 2, last: 3 },
      { first: 6, last: 7 },
    ]);
    const both = "class A:\n    def m(self): pass\ndef m(): pass\n";
    expect(await smellyLines({ file: "a.py", className: null, methodName: "m" }, both)).toEqual([
      { first: 3, last: 3 },
    ]);
    const method = "class A:\n    def m(self): pass\n";
    expect(await smellyLines({ file: "a.py", className: null, methodName: "m" }, method)).toEqual([
      { first: 2, last: 2 },
    ]);
  });

  it("of a class whose methods stand beside it are those of both", async () => {
    const go = "package p\ntype A struct {\n\tx int\n}\n\nfunc (a A) M() {\n}\n\nfunc F() {}\n";
    expect(await smellyLines({ file: "a.go", className: "A", methodName: null }, go)).toEqual([
      { first: 2, last: 4 },
      { first: 6, last: 7 },
    ]);
  });
});
