import { cp, mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { readFixtures } from "../../../src/suites/refactorbench/read-fixtures.js";
import { heldCode, isTakenApart } from "../../../src/suites/refactorbench/refactor-scores.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";

const fresh = useFreshFolder();
let made = 0;

async function heldIn(files: Readonly<Record<string, string>>, limit?: Parameters<typeof heldCode>[1]) {
  const folder = fresh.path(String(made++));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return heldCode(folder, limit);
}

// Tokens: `export`, `const`, a name, `=`, a number, `;` are six.
const line = (name: string) => `export const ${name} = 1;\n`;
const lines = (...names: string[]) => names.map(line).join("");

describe("heldCode", () => {
  it("counts words and signs, without comments, imports and what is passed on", async () => {
    const held = await heldIn({
      "a.js": `// a note\nimport x, { y } from "./b.js";\nexport { z } from "./c.js";\nexport * from "./d.js";\nconst { q } = require("e");\n/* b */ ${line("a")}`,
    });
    expect(held.get("a.js")?.tokens).toBe(6);
  });

  it("parses no file longer than it may be: such a one holds more than any", async () => {
    const files = { "t.js": lines("a", "b", "c", "d"), "m.js": lines("e", "f", "g", "h") };
    const after = { ...files, "t.js": line("a"), "n.js": `//${" ".repeat(200)}` };
    // 4 lines have 76 characters, n.js 202.
    const [before, short] = [await heldIn(files), await heldIn(after)];
    const long = await heldIn(after, { most: 100, before });
    expect([short, long].map((held) => held.get("n.js")?.tokens)).toEqual([0, Number.POSITIVE_INFINITY]);
    expect(long.get("m.js")?.tokens).toBe(24);
    expect(isTakenApart("t.js", before, long)).toBe(false);
  });

  it("reads a file of as many characters as it had, such as data beside the code", async () => {
    const before = await heldIn({ "t.js": lines("a", "b", "c", "d"), "words.json": `["${"x".repeat(200)}"]` });
    const after = { "t.js": line("a"), "n.js": lines("b", "c"), "words.json": `["${"y".repeat(200)}"]` };
    expect(isTakenApart("t.js", before, await heldIn(after, { most: 100, before }))).toBe(true);
    const grown = { ...after, "words.json": `["${"y".repeat(201)}"]` };
    expect(isTakenApart("t.js", before, await heldIn(grown, { most: 100, before }))).toBe(false);
  });

  it("takes the time of a text's length, whatever blanks it has", async () => {
    // const, a, =, 1, ; are five.
    const held = await heldIn({ "a.js": `const${" ".repeat(400_000)}a = 1;\n` });
    expect(held.get("a.js")?.tokens).toBe(5);
  });

  it("counts what a text encodes: words in strings, and one more for every eight letters", async () => {
    const held = await heldIn({
      // eval ( "a b c" ) ; : four signs and words around, two quotes, three words.
      "a.js": 'eval("a b c");',
      // 20 letters are three words: eight, eight, four.
      "b.txt": "x".repeat(20),
    });
    expect([...held.values()].map(({ tokens }) => tokens)).toEqual([9, 3]);
  });
});

describe("isTakenApart", () => {
  const names = ["a", "b", "c", "d"];
  const whole = { "t.js": lines(...names), "old.js": lines("o") };
  const cases: readonly [string, Record<string, string>, boolean][] = [
    ["left as it was", whole, false],
    ["moved whole and passed on", { ...whole, "t.js": 'export * from "./n.js";', "n.js": lines(...names) }, false],
    [
      "moved whole under other names",
      { ...whole, "t.js": 'export * from "./n.js";', "n.js": lines("p", "q", "r", "s") },
      false,
    ],
    [
      "moved whole into a file that was there",
      { "t.js": 'export * from "./old.js";', "old.js": lines("o", ...names) },
      false,
    ],
    [
      "moved whole into a text",
      { ...whole, "t.js": 'export * from "./n.js";', "n.json": JSON.stringify(lines(...names)) },
      false,
    ],
    ["copied, nothing gone", { ...whole, "m.js": lines("a"), "n.js": lines("b") }, false],
    // Six of 24 tokens are a quarter; twelve are half.
    ["a quarter gone", { ...whole, "t.js": lines("a", "b", "c"), "n.js": lines("d") }, true],
    ["halved", { ...whole, "t.js": `export * from "./n.js";\n${lines("a", "b")}`, "n.js": lines("c", "d") }, true],
    ["a token less than a quarter gone", { ...whole, "t.js": `${lines("a", "b", "c")};`, "n.js": lines("d") }, false],
    ["a token more than half moved", { ...whole, "t.js": lines("a", "b"), "n.js": `${lines("c", "d")};` }, false],
    // The target has 80 bytes, of which 40 are half; in a line four blanks and its end are no tokens.
    [
      "moved, with blanks of half its size",
      { ...whole, "t.js": lines("a", "b"), "n.js": line("c") + " ".repeat(35) },
      true,
    ],
    ["kept in blanks", { ...whole, "t.js": lines("a", "b"), "n.js": line("c") + " ".repeat(36) }, false],
    ["kept in a comment", { ...whole, "t.js": lines("a"), "n.js": `${line("c")}/*${lines(...names)}*/` }, false],
    ["gone", { "old.js": lines("o"), "n.js": lines("a", "b"), "m.js": lines("c", "d") }, false],
  ];
  it.each(cases)("says of code that is %s", async (_, after, isApart) => {
    expect(isTakenApart("t.js", await heldIn(whole), await heldIn(after))).toBe(isApart);
  });

  const halved = { ...whole, "t.js": lines("a", "b"), "n.js": lines("c") };
  const ways = [
    "eval(z)",
    'globalThis["eval"](z)',
    "Function(z)()",
    "new Function (z)",
    "z.constructor(z)()",
    'import("data:,1")',
    "import(z)",
    'import "data:,1"',
    'import vm from "node:vm"',
    'require("vm")',
  ];
  it.each(ways)("is not taken in by %s, which runs a text, unless there was such before", async (way) => {
    const before = await heldIn(whole);
    const known = await heldIn({ ...whole, "old.js": `${line("o")}${way};` });
    const after = await heldIn({ ...halved, "m.js": way });
    expect([isTakenApart("t.js", before, after), isTakenApart("t.js", known, after)]).toEqual([false, true]);
  });

  it.each(["// eval(z)", 'import("./n.js")', "class A { constructor(z) {} }", "typeof z === 'function'"])(
    "takes %s for what it is",
    async (code) => {
      expect(isTakenApart("t.js", await heldIn(whole), await heldIn({ ...halved, "m.js": code }))).toBe(true);
    },
  );

  it("is not taken in by any of our fixtures moved whole", async () => {
    for (const { folder, target } of await readFixtures()) {
      const tree = fresh.path(String(made++));
      await cp(join(folder, "src"), tree, { recursive: true });
      const before = await heldCode(tree);
      await rename(join(tree, target), join(tree, `${target}.whole.js`));
      await writeFile(join(tree, target), 'export * from "./whole.js";\n');
      expect([target, isTakenApart(target, before, await heldCode(tree))]).toEqual([target, false]);
    }
  });
});
