import { expect, it } from "vitest";
import { languageOfFile } from "../../src/base/source-path.js";

it("goes by the extension, in any case", () => {
  const names = ["a.c", "x/a.H", "a.cpp", "a.cs", "a.go", "A.java", "a.jsx", "a.php", "a.PY", "a.b.rb"];
  const languages = ["c", "c", "cpp", "csharp", "go", "java", "javascript", "php", "python", "ruby"];
  expect(names.map(languageOfFile)).toEqual(languages);
});

it("knows no other files", () => {
  for (const name of ["a.ts", "Makefile", "py", "dir.py/readme", "a.", "a.constructor"]) {
    expect(languageOfFile(name)).toBeNull();
  }
});
