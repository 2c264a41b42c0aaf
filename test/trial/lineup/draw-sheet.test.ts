import { describe, expect, it } from "vitest";
import { seededIntegers } from "../../../src/base/random.js";
import { drawSheet } from "../../../src/trial/lineup/draw-sheet.js";

/** The copies of the only question of a test, and which hold. */
async function copiesOf(path: string, text: string, seed = 1): Promise<{ copies: string[]; right: string }> {
  const { files, questions } = await drawSheet([{ path, text }], "/answers", seededIntegers(seed));
  expect(questions).toHaveLength(1);
  const asked = files[0]!.text.slice(0, files[0]!.text.search(/\n(;function|\n\ndef) q/));
  const pattern = path.endsWith(".py") ? /lambda: \((.*?)\)(?=, lambda|\])/g : /\(\) => \((.*?)\)(?=, \(\)|\])/g;
  const value = /q[0-9a-f]{16}_value/g;
  return {
    copies: [...asked.matchAll(pattern)].map(([, copy = ""]) => copy.replace(value, "v")),
    right: questions[0]!.right,
  };
}

const js = (body: string) => copiesOf("a.test.js", `it("t", async () => { ${body} });`);
const held = ({ copies, right }: Awaited<ReturnType<typeof js>>) => copies.filter((_, i) => right[i] === "1");

describe("drawSheet", () => {
  it("puts an expectation among copies in which one number, text or truth is another", async () => {
    const found = await js("expect(f()).toBe(41);");
    expect(found.copies).toHaveLength(8);
    expect(new Set(found.copies).size).toBe(8);
    expect(held(found)).toEqual(["expect(v).toBe(41)"]);
    // Eight numbers in a row, of which the right one has any place.
    const numbers = found.copies.map((copy) => Number(/\d+/.exec(copy))).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 8 }, (_, i) => numbers[0]! + i));
  });

  it("has the right one at any rank", async () => {
    const ranks = new Set<number>();
    for (let seed = 0; seed < 60; seed++) {
      const { copies } = await copiesOf("a.test.js", 'it("t", () => { expect(f()).toBe(41); });', seed);
      ranks.add(41 - Math.min(...copies.map((copy) => Number(/\d+/.exec(copy)))));
    }
    expect([...ranks].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it("turns every literal in as many copies as not: counting tells nothing", async () => {
    const found = await js('assert.deepEqual(f(), ["aa", "bb", "cc", "dd"]);');
    for (const word of ["aa", "bb", "cc", "dd"]) {
      expect(found.copies.filter((copy) => copy.includes(`"${word}"`))).toHaveLength(4);
    }
    expect(held(found)).toEqual(['assert.deepEqual(v, ["aa", "bb", "cc", "dd"])']);
  });

  it("asks the contrary too where there is nothing to turn, and of something else", async () => {
    expect((await js("expect(f()).toBeNull();")).copies.toSorted()).toEqual([
      "expect(v).not.toBeNull()",
      "expect(v).toBeNull()",
    ]);
    expect(held(await js("expect(f()).not.toContain('a');"))).toEqual(["expect(v).not.toContain('a')"]);
    const found = await js("expect(f()).toEqual(ALL);");
    expect(found.copies).toHaveLength(4);
    expect(
      held(found)
        .map((copy) => copy.replace(/"v\d+"/, "OTHER"))
        .toSorted(),
    ).toEqual(["expect(v).not.toEqual(OTHER)", "expect(v).toEqual(ALL)"]);
    expect((await js("assert.ok(f());")).copies.toSorted()).toEqual(["assert.ok(!(v))", "assert.ok(v)"]);
  });

  it("evaluates what is looked at once, and queries of a page with every copy", async () => {
    const { files } = await drawSheet(
      [
        {
          path: "a.test.js",
          text: 'it("t", () => { expect(f(1)).toBe(2); expect(screen.getByText("ab")).toBeVisible(); });',
        },
      ],
      "/answers",
      seededIntegers(1),
    );
    expect(files[0]!.text.match(/f\(1\)/g)).toHaveLength(1);
    expect(files[0]!.text.match(/screen\.getByText\("/g)).toHaveLength(2);
  });

  it("asks what is tried until it holds once more behind that, where its names are known there", async () => {
    const asked = (body: string) =>
      drawSheet([{ path: "a.test.js", text: `it("t", async () => { ${body} });` }], "/answers", seededIntegers(1));
    const { files, questions } = await asked("await waitFor(() => expect(f()).toBe(41)); await g();");
    // Eight numbers in a row, and whether the end was reached, as the first may not hold any more behind it.
    expect(questions.map(({ right }) => right.length)).toEqual([8, 1]);
    expect(files[0]!.text).toMatch(
      /await waitFor\(\(\) => expect\(f\(\)\)\.toBe\(41\)\);;q\w+_later\(0, \(\) => \(f\(\)\), /,
    );
    expect(
      (await asked("await waitFor(() => { expect(f()).toBe(41); expect(g()).toBe(42); });")).questions,
    ).toHaveLength(3);
    for (const other of [
      "await waitFor(() => { const x = f(); expect(x).toBe(41); });",
      "if (f()) await waitFor(() => expect(f()).toBe(41)); else g();",
      "await waitFor((x) => expect(x).toBe(41));",
      "await waitFor(() => { if (x) expect(f()).toBe(41); });",
    ])
      expect(
        (await asked(other)).questions.map(({ right }) => right),
        other,
      ).toEqual(["1"]);
  });

  it("waits where an expectation is waited for, and leaves alone what is taken a snapshot of", async () => {
    const { files, questions } = await drawSheet(
      [
        {
          path: "a.test.js",
          text: 'it("t", async () => { await expect(f()).rejects.toThrow("ab"); expect(1).toMatchSnapshot(); });',
        },
      ],
      "/answers",
      seededIntegers(1),
    );
    expect(questions).toHaveLength(1);
    expect(files[0]!.text).toMatch(/await q[0-9a-f]{16}_awaited\(0, f\(\)/);
  });

  it("asks tests of Python", async () => {
    const found = await copiesOf("test_a.py", 'def test_a():\n    assert f(3) == [1, "ab"], "why"\n');
    expect(found.copies).toHaveLength(8);
    expect(held(found)).toEqual(['v == [1, "ab"]']);
    const truth = await copiesOf("test_a.py", "def test_a():\n    assert f(3)\n");
    expect(truth.copies.toSorted()).toEqual(["not (v)", "v"]);
  });

  const method = (body: string) =>
    copiesOf("test_a.py", `class T(TestCase):\n    def test_a(self):\n        ${body}\n`);

  it.each([
    ["self.assertAlmostEqual(f(), 41)", "self.assertAlmostEqual(v, 41)"],
    ["self.assertListEqual(f(), [41])", "self.assertListEqual(v, [41])"],
    ["self.assertCountEqual(f(), [41])", "self.assertCountEqual(v, [41])"],
    ['self.assertDictEqual({"a": 41}, f())', 'self.assertDictEqual({"a": 41}, v)'],
    ["self.assertEqual(41, f())", "self.assertEqual(41, v)"],
  ])("asks of unittest %s", async (call, right) => {
    const found = await method(call);
    expect(found.copies).toHaveLength(8);
    expect(held(found)).toEqual([right]);
  });

  it("asks the contrary of methods of unittest without literals", async () => {
    const copies = async (call: string) => (await method(call)).copies.toSorted();
    expect(await copies("self.assertGreater(f(), X)")).toEqual([
      "self.assertGreater(v, X)",
      "self.assertLessEqual(v, X)",
    ]);
    expect(await copies("self.assertAlmostEqual(f(), 3.14, places=1)")).toEqual([
      "self.assertAlmostEqual(v, 3.14, places=1)",
      "self.assertNotAlmostEqual(v, 3.14, places=1)",
    ]);
    expect((await copies("self.assertTupleEqual(f(), X)")).map((copy) => copy.replace(/"v\d+"/, "OTHER"))).toEqual([
      "self.assertNotEqual(v, OTHER)",
      "self.assertNotEqual(v, X)",
      "self.assertTupleEqual(v, OTHER)",
      "self.assertTupleEqual(v, X)",
    ]);
  });

  it("asks what is to raise for an exception that it does not", async () => {
    const asked = async (body: string) => {
      const text = `class T(TestCase):\n    def test_a(self):\n        ${body}\n`;
      const { files } = await drawSheet([{ path: "test_a.py", text }], "/answers", seededIntegers(1));
      const copies = /\[lambda: \(((?:self|pytest).*)\), lambda: \(((?:self|pytest).*)\)\]\)\n/.exec(files[0]!.text);
      return copies?.slice(1).toSorted();
    };
    for (const block of [
      "with self.assertRaises(E,):\n            # why\n            f(1)  # so",
      "with self.assertRaises(E): f(1)",
    ])
      expect(await asked(block)).toEqual([
        "self.assertRaises(E, lambda: (f(1)))",
        "self.assertRaises(StopAsyncIteration, lambda: (f(1)))",
      ]);
    expect(await asked('with self.assertRaisesRegex(E, "a"):\n            f(1)')).toContain(
      'self.assertRaisesRegex(E, "a", lambda: (f(1)))',
    );
    expect(await asked("with pytest.raises((E, F)):\n            a.b[1]")).toContain(
      "pytest.raises((E, F), lambda: (a.b[1]))",
    );
    expect(await asked("self.assertRaises(E, f, 1)")).toContain("self.assertRaises(E, f, 1)");
    for (const other of [
      "with self.assertRaises(E) as caught:\n            f(1)",
      "with self.assertRaises(E):\n            x = f(1)",
      "with self.assertRaises(E):\n            f(1)\n            g(1)",
      "with self.assertRaises(E), g():\n            f(1)",
      'with pytest.raises(E, match="a"):\n            f(1)',
      "async with self.assertRaises(E):\n            f(1)",
    ])
      expect(await asked(other), other).toBeUndefined();
  });

  it("asks of functions that are imported by name", async () => {
    const found = await copiesOf(
      "a.test.js",
      'import { equal as same } from "node:assert";\nit("t", () => { same(f(), 41); });',
    );
    expect(held(found)).toEqual(["same(v, 41)"]);
    expect(found.copies).toHaveLength(8);
  });

  it.each([
    ['import * as check from "node:assert/strict";', "check.equal(f(), 41)"],
    ['import check from "node:assert/strict";', "check.equal(f(), 41)"],
    ['import check, { AssertionError } from "assert";', "check.strict.equal(f(), 41)"],
    ['import { strict as check } from "node:assert";', "check.equal(f(), 41)"],
    ['import { assert as check } from "chai";', "check.equal(f(), 41)"],
    ['const { equal, deepEqual } = require("node:assert/strict");', "equal(f(), 41)"],
    ['const { equal: same } = require("assert").strict;', "same(f(), 41)"],
    ['const check = require("assert");', "check.equal(f(), 41)"],
    ['const check = require("assert");\nconst { equal } = check;', "equal(f(), 41)"],
    ['const check = await import("node:assert");', "check.equal(f(), 41)"],
    ['const { equal } = createRequire(import.meta.url)("node:assert");', "equal(f(), 41)"],
    ['import { expect as hope } from "vitest";', "hope(f()).toBe(41)"],
  ])("asks with %s", async (imports, call) => {
    const found = await copiesOf("a.test.js", `${imports}\nit("t", () => { ${call}; });`);
    expect(found.copies).toHaveLength(8);
    expect(held(found)).toEqual([call.replace("f()", "v")]);
  });

  it.each([
    ['import { it as spec } from "vitest";', "spec"],
    ['import { it as spec } from "vitest";', "spec.only"],
    ['import spec from "node:test";', "spec"],
    ['import * as runner from "node:test";', "runner.test"],
    ['const { test: spec } = require("node:test");', "spec"],
  ])("finds tests with %s by %s", async (imports, name) => {
    const found = await copiesOf("a.test.js", `${imports}\n${name}("t", () => { expect(f()).toBe(41); });`);
    expect(found.copies).toHaveLength(8);
  });

  it("asks the contrary of a function by itself from where it comes", async () => {
    const found = await copiesOf(
      "a.test.js",
      'const { equal } = require("assert");\nit("t", () => { equal(f(), X); });',
    );
    expect(found.copies.map((copy) => copy.replace(/"v\d+"/, "OTHER")).toSorted()).toEqual([
      "equal(v, OTHER)",
      "equal(v, X)",
      'process.getBuiltinModule("assert").notEqual(v, OTHER)',
      'process.getBuiltinModule("assert").notEqual(v, X)',
    ]);
  });

  it("asks tests in which there is nothing to ask whether their end was reached", async () => {
    const text = 'it("a", () => { expect(f()).toMatchSnapshot() });\nit("b", () => { expect(f()).toBe(1); });\n';
    const js = await drawSheet([{ path: "a.test.js", text }], "/answers", seededIntegers(1));
    expect(js.questions.map(({ test, right }) => [test, right.length])).toEqual([
      ["a", 1],
      ["b", 8],
    ]);
    expect(js.files[0]!.text).toMatch(/expect\(f\(\)\)\.toMatchSnapshot\(\) ;q[0-9a-f]{16}\(0, 0, .*\(1\)\]\);\}/);
    const python = "def test_a():\n    with raises(E):\n        f()\n\n\ndef test_b():\n    assert f() == 1\n";
    const py = await drawSheet([{ path: "test_a.py", text: python }], "/answers", seededIntegers(1));
    expect(py.questions.map(({ test, right }) => [test, right.length])).toEqual([
      ["test_a", 1],
      ["test_b", 8],
    ]);
    expect(py.files[0]!.text).toMatch(/ {8}f\(\)\n {4}q[0-9a-f]{16}\(0, \(0\), lambda/);
  });

  it("asks code that is nested deeply, and begins to import again and again", async () => {
    const [open, close] = ["[".repeat(20_000), "]".repeat(20_000)];
    const deep = await copiesOf("a.test.js", `it("t", () => { expect(f(${open}${close})).toBe(41); });`);
    expect(deep.copies).toHaveLength(8);
    const nested = await copiesOf("a.test.js", `it("t", () => { expect(f()).toEqual(${open}7${close}); });`);
    expect(nested.copies).toHaveLength(4);
    for (const more of [`/*${"import{".repeat(40_000)}*/`, "import{".repeat(20_000)])
      expect((await copiesOf("a.test.js", `it("t", () => { expect(f()).toBe(41); });\n${more}`)).copies).toHaveLength(
        8,
      );
  });

  it("gives every draw other names, and the same numbers", async () => {
    const draw = (seed: number) =>
      drawSheet(
        [{ path: "a.test.js", text: 'it("t", () => { expect(1).toBe(2); });' }],
        "/answers",
        seededIntegers(seed),
      );
    const [one, other] = [await draw(1), await draw(1)];
    expect(one.questions).toEqual(other.questions);
    expect(one.files[0]!.text).not.toBe(other.files[0]!.text);
  });
});
