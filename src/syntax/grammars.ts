import { join } from "node:path";
import type { Language } from "../base/language.js";
import { packageRoot } from "../base/package-root.js";

/** The grammar files, copied from the official tree-sitter packages when the program is built. */
const FILES: Readonly<Record<Language, string>> = {
  c: "tree-sitter-c.wasm",
  cpp: "tree-sitter-cpp.wasm",
  csharp: "tree-sitter-c_sharp.wasm",
  go: "tree-sitter-go.wasm",
  java: "tree-sitter-java.wasm",
  javascript: "tree-sitter-javascript.wasm",
  // PHP without its opening tag: a hunk seldom has one.
  php: "tree-sitter-php_only.wasm",
  python: "tree-sitter-python.wasm",
  ruby: "tree-sitter-ruby.wasm",
};

/** Path of a language's grammar. */
export function grammarPath(language: Language): string {
  return join(packageRoot, "dist/grammars", FILES[language]);
}
