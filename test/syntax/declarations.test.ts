import { describe, expect, it } from "vitest";
import type { Language } from "../../src/base/language.js";
import { loadSyntax } from "../../src/syntax/load.js";

/** Declarations as `kind path`, and what they begin and end with. */
async function declared(language: Language, code: string): Promise<string[]> {
  const syntax = await loadSyntax(language);
  return syntax.declarations(code).map(({ kind, name, within }) => `${kind} ${[...within, name].join(".")}`);
}

const CASES: readonly (readonly [Language, string, readonly string[]])[] = [
  [
    "python",
    "class A(B):\n    @property\n    def m(self):\n        def inner(): pass\n        return 1\nasync def f(): pass\n",
    ["type A", "function A.m", "function A.inner", "function f"],
  ],
  [
    "javascript",
    "class A { #p() {} static m() {} f = () => 2 }\nfunction f() {}\nexport const h = (x) => x, K = class { z() {} };\n" +
      "const o = { k() {}, l: function () {} };\nA.prototype.n = function () {};\n",
    [
      "type A",
      "function A.#p",
      "function A.m",
      "function A.f",
      "function f",
      "function h",
      "type K",
      "function K.z",
      "type o",
      "function o.k",
      "function o.l",
      "function A.n",
    ],
  ],
  [
    "java",
    "class A { A() {} int m() { return 1; } class In { void z() {} } }\ninterface I { void q(); }",
    ["type A", "function A.A", "function A.m", "type A.In", "function A.In.z", "type I", "function I.q"],
  ],
  [
    "c",
    "struct s { int a; };\nstatic struct s *f(int x) { return 0; }\nint (*g(void))(int) { return 0; }\n",
    ["type s", "function f", "function g"],
  ],
  [
    "cpp",
    "class A { void m() {} };\nvoid n::A::q() const {}\nA::~A() {}\ntemplate<class T> T f(T x) { return x; }\n",
    ["type A", "function A.m", "function n.A.q", "function A.~A", "function f"],
  ],
  [
    "csharp",
    "namespace N { class A { A() {} int P { get; set; } void Q() { void L() {} } } struct S { } interface I { void Z(); } }",
    ["type A", "function A.A", "function A.P", "function A.Q", "function A.L", "type S", "type I", "function I.Z"],
  ],
  [
    "go",
    "package p\ntype A struct { x int }\nfunc (a *A) M() int { return 1 }\nfunc F() {}\nfunc (l *List[T]) Push(x T) {}\n",
    ["type A", "function A.M", "function F", "function List.Push"],
  ],
  [
    "php",
    "<?php\nclass A { public function m() { return 1; } }\nfunction f() {}\ntrait T { function z() {} }\n",
    ["type A", "function A.m", "function f", "type T", "function T.z"],
  ],
  [
    "ruby",
    "module M\n  class A::B < C\n    def m(x) = 1\n    def self.n\n    end\n  end\nend\ndef f\nend\n",
    ["type M", "type M.A.B", "function M.A.B.m", "function M.A.B.n", "function f"],
  ],
];

describe("declarations", () => {
  it.each(CASES)(
    "of %s are its classes and functions, with the types that they are of",
    async (language, code, expected) => {
      expect(await declared(language, code)).toEqual(expected);
    },
  );

  it("begin with their decorators and templates", async () => {
    const python = "x = 1\n@cached\n@other\ndef f():\n    return 1\ny = 2\n";
    const [found] = (await loadSyntax("python")).declarations(python);
    expect(python.slice(found?.start, found?.end)).toBe("@cached\n@other\ndef f():\n    return 1");
    const cpp = "template<class T>\nT f(T x) { return x; }\n";
    const [made] = (await loadSyntax("cpp")).declarations(cpp);
    expect(made?.start).toBe(0);
  });

  it("are found around code that does not parse", async () => {
    expect(await declared("javascript", "function a() {}\n)))\nfunction b() {}\n")).toEqual([
      "function a",
      "function b",
    ]);
  });

  it("are those nested no deeper than 1,000, in the time of the text's length", async () => {
    // The program, then a function and its block each: functions at depths 1, 3, … 999.
    const code = `${"function f() {".repeat(20_000)}${"}".repeat(20_000)}\nfunction last() {}`;
    const found = (await loadSyntax("javascript")).declarations(code);
    expect([found.length, found.at(-1)?.name]).toEqual([501, "last"]);
  });
});
