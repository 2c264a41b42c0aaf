import { describe, expect, it } from "vitest";
import { seededIntegers } from "../../../../src/base/random.js";
import { parsedCode } from "../../../../src/suites/smellbench/inject/code-file.js";
import { drawSmell } from "../../../../src/suites/smellbench/inject/draw-smell.js";
import type { INJECTED } from "../../../../src/suites/smellbench/smell-case.js";
import { smellyLines } from "../../../../src/suites/smellbench/smell-scores.js";

type Texts = Readonly<Record<string, string>>;
type Drawn = (typeof INJECTED)[number];

async function drawn(smell: Drawn, texts: Texts, difficulty: "easy" | "medium" | "hard" = "easy", seed = 1) {
  const files = Object.entries(texts).map(([path, text]) => ({ path, text }));
  const code = await parsedCode(files, ["test"]);
  return drawSmell(smell, difficulty, code, new Set(), seededIntegers(seed));
}

/** Files with the smell, by their paths; a smell that is there is found by its place. */
async function smelly(smell: Drawn, texts: Texts): Promise<Texts | null> {
  const found = await drawn(smell, texts);
  if (found === null) return null;
  const files = Object.fromEntries(found.files.map(({ path, text }) => [path, text]));
  const [file, className, methodName] = found.place;
  expect(await smellyLines({ file, className, methodName }, files[file] ?? texts[file] ?? "")).not.toHaveLength(0);
  return files;
}

const SUMS = {
  "sum.js": "export function sum(a, b) {\n  return a + b;\n}\n",
  "sum.py": "class Sums:\n    def sum(self, a, b):\n        c = a\n        return c + b\n",
  "Sums.java": "class Sums {\n  int sum(int a, int b) {\n    return a + b;\n  }\n}\n",
  "sum.go": "package sums\n\nfunc sum(a int, b int) int {\n\treturn a + b\n}\n",
};

describe("dead code", () => {
  it.each(Object.entries(SUMS))("is a copy below what it copies, by a name of its own: %s", async (path, text) => {
    const found = (await smelly("dead_code_elimination", { [path]: text }))?.[path] ?? "";
    // The function's lines, and an empty one.
    expect(found.split("\n").length - text.split("\n").length).toBe(4);
    expect(found).not.toMatch(/export function sum[A-Z]/);
  });

  it("is the same by the same seed, in as many files as asked for, and not made twice or of tests", async () => {
    const one = await drawn("dead_code_elimination", SUMS, "hard", 5);
    expect(one?.files).toHaveLength(3);
    expect(one?.guided).toMatch(
      /^In sum\.\w+ there is .*\. So it is in 2 other files\.$|^In Sums\.java .*\. So it is in 2 other files\.$/,
    );
    expect(await drawn("dead_code_elimination", SUMS, "hard", 5)).toEqual(one);
    const code = await parsedCode([{ path: "sum.js", text: SUMS["sum.js"] }], []);
    const taken = new Set(["sum.js:sum:0"]);
    expect(await drawSmell("dead_code_elimination", "easy", code, new Set(), seededIntegers(2))).not.toBeNull();
    expect(await drawSmell("dead_code_elimination", "easy", code, taken, seededIntegers(2))).toBeNull();
    expect(await drawn("dead_code_elimination", { "test/sum.test.js": SUMS["sum.js"] })).toBeNull();
    expect(await drawn("dead_code_elimination", { "sum.js": SUMS["sum.js"] }, "medium")).toBeNull();
  });
});

describe("shotgun surgery", () => {
  it("is a constant's value written out in every file, the constant and its imports gone", async () => {
    expect(
      await smelly("shotgun_surgery", {
        "rates.js": "// Share.\nexport const VAT = 19;\nexport const DAYS = 7;\n",
        "bill.js":
          'import { DAYS, VAT } from "./rates.js";\n\nexport const bill = (n) => {\n  return n * VAT + DAYS;\n};\n',
        "tax.js": 'const { VAT } = require("./rates.js");\n\nfunction tax() {\n  return VAT.toFixed(1);\n}\n',
        "test/a.test.js": "DAYS;\n",
      }),
    ).toEqual({
      "rates.js": "export const DAYS = 7;\n",
      "bill.js": 'import { DAYS } from "./rates.js";\n\nexport const bill = (n) => {\n  return n * 19 + DAYS;\n};\n',
      // The member of a number needs brackets.
      "tax.js": "function tax() {\n  return (19).toFixed(1);\n}\n",
    });
    expect(
      await smelly("shotgun_surgery", {
        "shop/rates.py": 'UNIT = "kg"\n',
        "shop/a.py": "from shop import rates\n\n\ndef a():\n    return rates.UNIT\n",
        "shop/b.py": "from shop.rates import UNIT\n\n\ndef b():\n    return UNIT\n",
      }),
    ).toEqual({
      "shop/rates.py": "",
      "shop/a.py": 'from shop import rates\n\n\ndef a():\n    return "kg"\n',
      "shop/b.py": 'def b():\n    return "kg"\n',
    });
    expect(
      await smelly("shotgun_surgery", {
        "Rates.java": "class Rates {\n  static final int VAT = 19;\n  int own() { return VAT; }\n}\n",
        "Bill.java": "class Bill {\n  int bill(int n) { return n * Rates.VAT; }\n}\n",
      }),
    ).toEqual({
      "Rates.java": "class Rates {\n  int own() { return 19; }\n}\n",
      "Bill.java": "class Bill {\n  int bill(int n) { return n * 19; }\n}\n",
    });
    const php = (body: string) => `<?php\nclass ${body}`;
    expect(
      await smelly("shotgun_surgery", {
        "Rates.php": php("Rates\n{\n    /** Share. */\n    public const VAT = 19;\n    const A = [self::VAT];\n}\n"),
        "Bill.php": php("Bill\n{\n    function bill($n) { return $n * Rates::VAT; }\n}\n"),
      }),
    ).toEqual({
      "Rates.php": php("Rates\n{\n    const A = [19];\n}\n"),
      "Bill.php": php("Bill\n{\n    function bill($n) { return $n * 19; }\n}\n"),
    });
  });

  it.each([
    ["bound late", "Rates::VAT; static::VAT"],
    ["of another class", "Rates::VAT; Fees::VAT"],
    ["of a class inside which it is not", "Rates::VAT; self::VAT"],
    ["a variable", "Rates::VAT; $VAT"],
    ["told by a text", "Rates::VAT; constant('Rates::VAT') . 'VAT'"],
  ])("is not made of a constant of PHP whose name is %s", async (_, odd) => {
    const rates = "<?php\nclass Rates\n{\n    const VAT = 19;\n    function own() { return self::VAT; }\n}\n";
    const bill = (use: string) => `<?php\nclass Bill\n{\n    function bill() { ${use}; }\n}\n`;
    expect(await drawn("shotgun_surgery", { "Rates.php": rates, "Bill.php": bill("Rates::VAT") })).not.toBeNull();
    expect(await drawn("shotgun_surgery", { "Rates.php": rates, "Bill.php": bill(odd) })).toBeNull();
  });

  const RATES = { "rates.js": "export const VAT = 19;\n" };
  const using = (body: string) => `import { VAT } from "./rates.js";\n${body}`;
  it("leaves a constant that a test names where it is", async () => {
    const texts = { ...RATES, "a.js": using("f(VAT);\n"), "b.js": using("f(VAT);\n"), "test/a.test.js": "VAT;\n" };
    const found = await drawn("shotgun_surgery", texts);
    expect(found?.files.map(({ path }) => path)).toEqual(["a.js", "b.js"]);
  });

  it.each([
    ["set", "VAT = 3;\n"],
    ["a parameter", "const f = (VAT) => VAT;\n"],
    ["a member", "shop.VAT;\n"],
    ["declared again", "{ const VAT = 3; }\n"],
  ])("is not made of a name that is %s elsewhere", async (_, odd) => {
    expect(await drawn("shotgun_surgery", { ...RATES, "a.js": using("f(VAT);\n"), "b.js": using(odd) })).toBeNull();
  });

  it("is not made where one file alone uses the constant", async () => {
    expect(await drawn("shotgun_surgery", { ...RATES, "a.js": using("f(VAT);\n") })).toBeNull();
  });
});

describe("data clumps", () => {
  it("are members passed one by one, with their types where the language wants them", async () => {
    expect(
      await smelly("data_clumps", {
        "box.js": "export function area(box) {\n  return box.w * box.h;\n}\n",
        "use.js": 'import { area } from "./box.js";\n\nexport const use = (it) => area(it.box);\n',
      }),
    ).toEqual({
      "box.js": "export function area(boxW, boxH) {\n  return boxW * boxH;\n}\n",
      "use.js": 'import { area } from "./box.js";\n\nexport const use = (it) => area(it.box.w, it.box.h);\n',
    });
    expect(
      await smelly("data_clumps", {
        "box.py":
          "class Box:\n    def area(self):\n        return _area(self)\n\n\ndef _area(box):\n    return box.w * box.h\n",
      }),
    ).toEqual({
      "box.py":
        "class Box:\n    def area(self):\n        return _area(self.w, self.h)\n\n\ndef _area(box_w, box_h):\n    return box_w * box_h\n",
    });
    expect(
      await smelly("data_clumps", {
        "Box.java": "record Box(int w, long h) {}\n",
        "Use.java":
          "class Use {\n  long twice(Box b) { return 2 * area(b); }\n  static long area(Box box) { return box.w() * box.h(); }\n}\n",
      }),
    ).toEqual({
      "Use.java":
        "class Use {\n  long twice(Box b) { return 2 * area(b.w(), b.h()); }\n  static long area(int boxW, long boxH) { return boxW * boxH; }\n}\n",
    });
    expect(
      await smelly("data_clumps", {
        "Use.php":
          '<?php\nclass Use_\n{\n    function twice($x) { return 2 * $this->area($x->box); }\n    function area(Box $box) { return $box->w * $box->h() . "{$box->w}"; }\n}\n',
      }),
    ).toEqual({
      "Use.php":
        '<?php\nclass Use_\n{\n    function twice($x) { return 2 * $this->area($x->box->w, $x->box->h()); }\n    function area($boxW, $boxH) { return $boxW * $boxH . "{$boxW}"; }\n}\n',
    });
  });

  it.each([
    ["", true, "$box->w * $box->h", "area($b)"],
    ["a part of a member is set", false, "$box->w[] = $box->h", "area($b)"],
    ["a member is taken away", false, "unset($box->w); $box->h", "area($b)"],
    ["an argument is named", false, "$box->w * $box->h", "area(box: $b)"],
    ["arguments are unpacked", false, "$box->w * $box->h", "area(...$b)"],
    ["a closure keeps the object", false, "$f = function () use ($box) {}; $box->w * $box->h", "area($b)"],
    ["a text calls the function", false, "$box->w * $box->h", "area($b); map('area', $b)"],
  ])("are not made in PHP where %s", async (_, isMade, body, use) => {
    const text = `<?php\nfunction area(Box $box) { ${body}; }\n${use};\n`;
    expect((await drawn("data_clumps", { "box.php": text })) !== null).toBe(isMade);
  });

  it.each([
    ["a member is set", "box.w = box.h;", "area(b);"],
    ["a member is called", "box.w(); box.h;", "area(b);"],
    ["the whole is passed on", "f(box); box.w * box.h;", "area(b);"],
    ["the function is passed on", "box.w * box.h;", "area(b); each(area);"],
    ["an argument has to be worked out", "box.w * box.h;", "area(next());"],
    ["arguments are spread", "box.w * box.h;", "area(...b);"],
    ["a name is taken", "const boxW = 1; box.w * box.h;", "area(b);"],
    ["a test calls it", "box.w * box.h;", "area(b);", "area({});"],
  ])("are not made where %s", async (_, body, use, test = "") => {
    const texts = { "box.js": `function area(box) { ${body} }\n${use}\n`, "test/a.test.js": test };
    expect(await drawn("data_clumps", texts)).toBeNull();
  });
});

describe("an interface too wide", () => {
  it("asks every class for what one has, with stubs in the others", async () => {
    const shapes = (more: string) =>
      `class Shape {\n  name() {}\n${more}}\nclass Circle extends Shape {\n  bow() { return 6; }\n}\nclass Square extends Shape {\n  name() {}\n${more}}\n`;
    expect(await smelly("interface_segregation", { "shapes.js": shapes("") })).toEqual({
      "shapes.js": shapes('\n  bow() {\n    throw new Error("not supported");\n  }\n'),
    });
    const python = (more: string) =>
      `class Shape:\n    def name(self):\n        pass\n${more}\nclass Circle(Shape):\n    def bow(self, n):\n        return 6\n\nclass Square(Shape):\n    x = 1\n${more}`;
    expect(await smelly("interface_segregation", { "shapes.py": python("") })).toEqual({
      "shapes.py": python("\n    def bow(self, n):\n        raise NotImplementedError\n"),
    });
    expect(
      await smelly("interface_segregation", {
        "Shape.java": "interface Shape {\n  int x();\n}\n",
        "Circle.java":
          "class Circle implements Shape {\n  public int x() { return 1; }\n  public int bow() { return 6; }\n}\n",
        "Square.java": "class Square implements Shape {\n  public int x() { return 1; }\n}\n",
      }),
    ).toEqual({
      "Shape.java": "interface Shape {\n  int x();\n\n  int bow();\n}\n",
      "Square.java":
        "class Square implements Shape {\n  public int x() { return 1; }\n\n  public int bow() {\n    throw new UnsupportedOperationException();\n  }\n}\n",
    });
    const php = (asked: string, stub: string, modifier = "") =>
      `<?php\ninterface Shape\n{\n    public function x();\n${asked}}\nclass Circle implements Shape\n{\n    public function x() {}\n\n    ${modifier}public function bow(): int\n    {\n        return 6;\n    }\n}\nclass Square implements Shape\n{\n    public function x() {}\n${stub}}\n`;
    expect(await smelly("interface_segregation", { "shapes.php": php("", "") })).toEqual({
      "shapes.php": php(
        "\n    public function bow(): int;\n",
        "\n    public function bow(): int\n    {\n        throw new \\LogicException('not supported');\n    }\n",
      ),
    });
    expect(await drawn("interface_segregation", { "shapes.php": php("", "", "final ") })).toBeNull();
  });

  it.each([
    ["of a method that two have", "bow() { return 1; }"],
    ["of a constructor", "constructor() { super(); }", "constructor() { super(); }"],
    ["of a static one", "x() {}", "static bow() { return 6; }"],
    ["of a private one", "x() {}", "#bow() { return 6; }"],
  ])("is not made %s", async (_, square, circle = "bow() { return 6; }") => {
    const text = `class Shape {\n  x() {}\n}\nclass Circle extends Shape {\n  ${circle}\n}\nclass Square extends Shape {\n  ${square}\n}\n`;
    expect(await drawn("interface_segregation", { "shapes.js": text })).toBeNull();
  });
});

describe("a deeply inlined method", () => {
  it("has the steps of another in its body, which is gone", async () => {
    expect(
      await smelly("deeply_inlined_method", {
        "bill.js":
          "export function total(items) {\n  const net = sumOf(items, 1);\n  return net;\n}\n\n// Sum.\nfunction sumOf(items, from) {\n  let sum = from;\n  for (const one of items) sum += one;\n  return sum;\n}\n",
      }),
    ).toEqual({
      "bill.js":
        "export function total(items) {\n  const from = 1;\n  let sum = from;\n  for (const one of items) sum += one;\n  const net = sum;\n  return net;\n}\n",
    });
    expect(
      await smelly("deeply_inlined_method", {
        "box.py":
          'class Box:\n    def size(self):\n        if self.w:\n            return self._word(self.w)\n        return ""\n\n    def _word(self, w):\n        """Word."""\n        if w < self.most:\n            return "small"\n        return "large"\n',
      }),
    ).toEqual({
      "box.py":
        'class Box:\n    def size(self):\n        if self.w:\n            w = self.w\n            if w < self.most:\n                return "small"\n            return "large"\n        return ""\n',
    });
    expect(
      await smelly("deeply_inlined_method", {
        "Box.java":
          "class Box {\n  void show() {\n    log(3);\n  }\n\n  private void log(int n) {\n    int m = n;\n    System.out.println(m);\n  }\n}\n",
      }),
    ).toEqual({
      "Box.java": "class Box {\n  void show() {\n    int n = 3;\n    int m = n;\n    System.out.println(m);\n  }\n}\n",
    });
    expect(
      await smelly("deeply_inlined_method", {
        "Box.php":
          "<?php\nclass Box\n{\n    function size($w)\n    {\n        return $this->word($w, 3);\n    }\n\n    /** Word. */\n    private function word($w, $most)\n    {\n        [$a, $b] = parts($w);\n        return $a < $most ? $b : $this->name;\n    }\n}\n",
      }),
    ).toEqual({
      "Box.php":
        "<?php\nclass Box\n{\n    function size($w)\n    {\n        $most = 3;\n        [$a, $b] = parts($w);\n        return $a < $most ? $b : $this->name;\n    }\n}\n",
    });
  });

  it.each([
    ["", true, "return step($a);", "$n = $a;\n  return $n;", "$a"],
    ["it sets what it is given", false, "return step($a);", "[$a, $n] = f();\n  return $a;", "$a"],
    ["a loop sets what it is given", false, "return step($a);", "foreach ($x as $a) { f($a); }\n  return $a;", "$a"],
    ["a variable is of the caller too", false, "$n = 1;\n  return step($a);", "f($n);\n  return $n;", "$a"],
    ["it hands its variables on by name", false, "return step($a);", "$n = $a;\n  return compact('n');", "$a"],
    ["it is given a reference", false, "return step($a);", "$n = $a;\n  return $n;", "&$a"],
    ["its text goes on over lines", false, "return step($a);", "$n = <<<X\n  a\n  X;\n  return $n;", "$a"],
  ])("is not made in PHP where %s", async (_, isMade, caller, body, parameter) => {
    const text = `<?php\nfunction whole($a)\n{\n  ${caller}\n}\n\nfunction step(${parameter})\n{\n  ${body}\n}\n`;
    expect((await drawn("deeply_inlined_method", { "whole.php": text })) !== null).toBe(isMade);
  });

  it.each([
    ["a name would mean another thing", "const k = 1;\n  return step(k);", "const n = k + g;\n  return n;", "g"],
    [
      "a name of the caller is caught",
      "const limit = 1;\n  return step(limit);",
      "const n = g;\n  return n * limit;",
      "g",
    ],
    ["a name of the caller is set anew", "const k = 1;\n  step(2);\n  return k;", "log(k);\n  log(g);", "k"],
    ["it returns in between", "const x = step(a);\n  return x;", "if (g) return 1;\n  return 2;", "g"],
    ["it may end without a value", "if (a) {\n    return step(a);\n  }\n  return 3;", "if (g) return 1;\n  g();", "g"],
    ["it is called within something", "return step(a) + 1;", "const n = g;\n  return n;", "g"],
    ["it sets what it is given", "step(a);\n  return a;", "a += 1;\n  log(a);", "a"],
    ["it is called twice", "step(a);\n  step(a);", "log(g);\n  log(g);", "g"],
    ["it works on another object", "a.step(a);", "log(g);\n  log(g);", "g"],
    ["it speaks of itself", "return step(a);", "const n = this.g;\n  return n;", "g"],
    ["it waits", "step(a);", "log(await g);\n  log(g);", "g"],
  ])("is not made where %s", async (_, caller, body, parameter) => {
    const text = `const limit = 9;\nfunction whole(a) {\n  ${caller}\n}\n\nfunction step(${parameter}) {\n  ${body}\n}\n`;
    expect(await drawn("deeply_inlined_method", { "whole.js": text })).toBeNull();
  });
});
