import { readdir, realpath, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { minimatch } from "minimatch";
import { sealedText } from "../../../workspace/sealed-files.js";
import { isIgnored } from "../score/changed-lines.js";
import { RegexThread, type ThreadResult, type ThreadRule, translated } from "./regex-thread.js";
import type { LineSpan, Rule, RuleSet, ScanResult } from "./taste-rule.js";

/** Larger files are not scanned, as by the released tool, unless they are a patch's. */
const MOST_BYTES = 1_000_000;

interface RegexScan {
  readonly tree: string;
  /** Files of a patch: no size, folder, link or zero byte hides them, and a rule about one that cannot be read has matched. */
  readonly patched?: ReadonlySet<string> | undefined;
  /** Time limit of a rule in a file. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/** Runs the rules of a set that are regular expressions on every file of a tree; of the others nothing is said. */
export async function scanTree(
  set: RuleSet,
  { tree, patched = new Set(), limitMs, signal }: RegexScan,
): Promise<ScanResult> {
  const scan = new OpenScan(set.rules);
  const thread = new RegexThread(limitMs);
  try {
    for await (const path of filesOf(tree, patched)) {
      const rules = scan.rulesAbout(path);
      if (rules.length === 0) continue;
      const isPatched = patched.has(path);
      const text = await textAt(tree, path, isPatched);
      if (text === null) scan.leave(path, isPatched ? rules : []);
      else if (isPatched || !text.includes("\0"))
        for (const result of await thread.run(text, rules, signal)) scan.take(path, result);
    }
  } finally {
    await thread.close();
  }
  return scan.result();
}

/** Files that are looked into: those of a patch last, links to files among them. */
async function* filesOf(tree: string, patched: ReadonlySet<string>): AsyncGenerator<string> {
  for await (const path of pathsOf(tree)) if (!patched.has(path)) yield path;
  for (const path of patched) if ((await stat(join(tree, path)).catch(() => null))?.isFile()) yield path;
}

/** A text as far as it is scanned; that of a patch also behind a link. */
async function textAt(tree: string, path: string, isPatched: boolean): Promise<string | null> {
  if (!isPatched) return sealedText(tree, path, MOST_BYTES);
  const [root, target] = await Promise.all([realpath(tree), realpath(join(tree, path))]);
  return sealedText(root, relative(root, target));
}

/** State of a set's rules while its files are gone through. */
class OpenScan {
  /** Files that were not looked into. */
  errors = 0;
  #open: readonly { readonly rule: Rule; readonly own: ThreadRule }[];
  readonly #notRun: { rule: string; why: string }[] = [];
  readonly #matches = new Map<string, LineSpan[]>();

  constructor(rules: readonly Rule[]) {
    this.#open = rules.flatMap((rule) => {
      const own = prepared(rule);
      if (typeof own !== "string") return [{ rule, own }];
      this.#notRun.push({ rule: rule.id, why: own });
      return [];
    });
    for (const { own } of this.#open) this.#matches.set(own.id, []);
  }

  rulesAbout(path: string): ThreadRule[] {
    return this.#open.filter(({ rule }) => isAbout(rule, path)).map(({ own }) => own);
  }

  /** Leaves out a file; rules whose text could be hidden there have matched. */
  leave(path: string, hidden: readonly ThreadRule[]): void {
    this.errors++;
    for (const { id } of hidden) this.#matches.get(id)?.push({ path, first: 1, last: 1 });
  }

  take(path: string, result: ThreadResult): void {
    if (result.status === "matched") {
      const own = this.#matches.get(result.rule);
      for (const [first, last] of result.lines) own?.push({ path, first, last });
      return;
    }
    this.#notRun.push({ rule: result.rule, why: `${result.why} in ${path}` });
    this.#open = this.#open.filter(({ own }) => own.id !== result.rule);
    this.#matches.delete(result.rule);
  }

  result(): ScanResult {
    return { status: "scanned", matches: this.#matches, notRun: this.#notRun, errors: this.errors };
  }
}

/** A rule as the thread runs it, or why it cannot be. */
function prepared(rule: Rule): ThreadRule | string {
  if (rule.expressions === null) return `made of ${rule.kind || "nothing"}`;
  const unknown = unknownLanguage(rule);
  if (unknown !== null) return `files of ${unknown} are not known`;
  const expressions = rule.expressions.map(translated);
  const found = expressions.flatMap((each) => (each.kind === "expression" ? [each] : []));
  const foreign = expressions.find((each) => each.kind === "none");
  return foreign === undefined ? { id: rule.id, expressions: found } : foreign.why;
}

/** Paths of the files of a tree, in order, without what machines made. */
async function* pathsOf(tree: string, folder = ""): AsyncGenerator<string> {
  const entries = await readdir(join(tree, folder), { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.name === ".git" || isIgnored(entry.name)) continue;
    if (entry.isDirectory()) yield* pathsOf(tree, path);
    else if (entry.isFile()) yield path;
  }
}

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
function unknownLanguage({ languages }: Rule): string | null {
  return languages.find((name) => !ANY.has(name) && !Object.hasOwn(EXTENSIONS, canonical(name))) ?? null;
}

/** Tests if a rule is about a file, by its language and by its paths. */
function isAbout({ languages, paths }: Rule, path: string): boolean {
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
