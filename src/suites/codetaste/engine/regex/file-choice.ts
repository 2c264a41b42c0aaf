import { minimatch } from "minimatch";
import type { Rule } from "../../rules/rule.js";

/** Files of a language, by what rule files call it. */
const EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  c: [".c", ".h"],
  cpp: [".c++", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx"],
  csharp: [".cs"],
  dart: [".dart"],
  go: [".go"],
  html: [".htm", ".html"],
  java: [".java"],
  javascript: [".cjs", ".js", ".jsx", ".mjs"],
  json: [".ipynb", ".json"],
  kotlin: [".kt", ".kts", ".ktm"],
  php: [".php", ".phtml", ".tpl"],
  python: [".py", ".pyi"],
  ruby: [".rb"],
  rust: [".rs"],
  scala: [".scala"],
  swift: [".swift"],
  typescript: [".cts", ".mts", ".ts", ".tsx"],
  yaml: [".yaml", ".yml"],
};

const ALIASES: Readonly<Record<string, string>> = {
  "c++": "cpp",
  "c#": "csharp",
  cs: "csharp",
  golang: "go",
  js: "javascript",
  kt: "kotlin",
  py: "python",
  python2: "python",
  python3: "python",
  rb: "ruby",
  ts: "typescript",
};

/** Languages that stand for every file. */
const ANY = new Set(["generic", "none", "regex"]);

/** A language of a rule that it is not known which files it has; `null`: there is none. */
export function unknownLanguage({ languages }: Rule): string | null {
  return languages.find((name) => !ANY.has(name) && !Object.hasOwn(EXTENSIONS, canonical(name))) ?? null;
}

/** Whether a rule is about a file, by its language and by its paths. */
export function isAbout({ languages, paths }: Rule, path: string): boolean {
  const isOfLanguage = languages.length === 0 || languages.some((name) => hasExtension(name, path));
  const isIncluded = paths.include.length === 0 || paths.include.some((glob) => fits(glob, path));
  return isOfLanguage && isIncluded && !paths.exclude.some((glob) => fits(glob, path));
}

function canonical(name: string): string {
  const lower = name.toLowerCase();
  return ALIASES[lower] ?? lower;
}

function hasExtension(language: string, path: string): boolean {
  if (ANY.has(language)) return true;
  return (EXTENSIONS[canonical(language)] ?? []).some((extension) => path.endsWith(extension));
}

/** A path of a rule stands at any depth, unless it begins with `/`, and for what is in a folder of that name. */
function fits(glob: string, path: string): boolean {
  const rooted = glob.startsWith("/") ? glob.slice(1) : `**/${glob}`;
  return [rooted, `${rooted.replace(/\/$/, "")}/**`].some((each) => minimatch(path, each, { dot: true }));
}
