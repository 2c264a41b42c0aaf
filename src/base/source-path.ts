import type { Language } from "./language.js";

const BY_EXTENSION: Readonly<Record<string, Language>> = {
  c: "c",
  // C or C++; most of the field's miners take it for C.
  h: "c",
  cc: "cpp",
  cpp: "cpp",
  cxx: "cpp",
  "c++": "cpp",
  hh: "cpp",
  hpp: "cpp",
  hxx: "cpp",
  cs: "csharp",
  go: "go",
  java: "java",
  js: "javascript",
  cjs: "javascript",
  mjs: "javascript",
  jsx: "javascript",
  php: "php",
  py: "python",
  rb: "ruby",
};

/** The language of a file by its extension; `null` for one that no probe knows. */
export function languageOfFile(path: string): Language | null {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(BY_EXTENSION, extension) ? (BY_EXTENSION[extension] ?? null) : null;
}

/**
 * Tells whether a path looks like one of tests: under `test/`, `tests/` or `*_tests/`, or a file `test_*`, `*_test.py`,
 * `*_test.go`, `*.test.*`, `*.spec.*`, `*.uts`; letters of either case.
 */
export function isTestPath(path: string): boolean {
  const lower = path.toLowerCase();
  const name = lower.split("/").at(-1) ?? "";
  const folders = lower.split("/").slice(0, -1);
  return (
    folders.some((folder) => folder === "test" || folder === "tests" || folder.endsWith("_tests")) ||
    /^test_|_test\.(py|go)$|\.(test|spec)\.|\.uts$/.test(name)
  );
}
