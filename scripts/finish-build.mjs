// After the compiler: copies the grammars, bundles the scripts of pages, removes types that are not public, notes which commit was built, makes the
// command executable, and links it where npx looks first (without the link npx works too, but installs the package into
// its own cache at every call).
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { buildSync } from "esbuild";

const COMMAND = "dist/src/cli/main.js";
const LINK = "node_modules/.bin/probe";

/** Scripts of pages that may load nothing, by where each goes. */
const PAGE_SCRIPTS = {
  "dist/report-page.js": "src/suites/codereviewqa/report/page/browser/report-app.ts",
  "dist/view-page.js": "src/cli/view/runs-app.ts",
};

const GRAMMARS = "dist/grammars";
/** The official tree-sitter packages: 200 MB with their native builds, of which the program needs 14 MB. */
const GRAMMAR_FILES = {
  "tree-sitter-c": "tree-sitter-c.wasm",
  "tree-sitter-cpp": "tree-sitter-cpp.wasm",
  "tree-sitter-c-sharp": "tree-sitter-c_sharp.wasm",
  "tree-sitter-go": "tree-sitter-go.wasm",
  "tree-sitter-java": "tree-sitter-java.wasm",
  "tree-sitter-javascript": "tree-sitter-javascript.wasm",
  "tree-sitter-php": "tree-sitter-php_only.wasm",
  "tree-sitter-python": "tree-sitter-python.wasm",
  "tree-sitter-ruby": "tree-sitter-ruby.wasm",
};

function copyGrammars() {
  mkdirSync(GRAMMARS, { recursive: true });
  for (const [name, file] of Object.entries(GRAMMAR_FILES)) {
    copyFileSync(join("node_modules", name, file), join(GRAMMARS, file));
    copyFileSync(join("node_modules", name, "LICENSE"), join(GRAMMARS, `${name}.LICENSE`));
  }
}

/** One file each. */
function bundlePages() {
  for (const [outfile, entryPoint] of Object.entries(PAGE_SCRIPTS)) {
    buildSync({
      entryPoints: [entryPoint],
      outfile,
      bundle: true,
      minify: true,
      format: "iife",
      platform: "browser",
      target: "es2022",
      logLevel: "warning",
    });
    const hasTag = /<\/script|<!--/i.test(readFileSync(outfile, "utf8"));
    if (hasTag) throw new Error("Expected a script that can stand in a page, found a tag in it.");
  }
}

function git(...args) {
  return execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
}

function commit() {
  try {
    return git("rev-parse", "HEAD") + (git("status", "--porcelain", "--untracked-files=no") === "" ? "" : "+changes");
  } catch {
    return null;
  }
}

/** Files of types that the public ones name, and theirs. */
function publicTypes() {
  const found = new Set();
  const { exports } = JSON.parse(readFileSync("package.json", "utf8"));
  const wanted = Object.values(exports).map(({ types }) => join(types));
  for (let path = wanted.pop(); path !== undefined; path = wanted.pop()) {
    if (found.has(path)) continue;
    if (!existsSync(path)) compileAnew();
    found.add(path);
    for (const [, name] of readFileSync(path, "utf8").matchAll(/(?:from |import\()"(\.[^"]+)\.js"/g))
      wanted.push(join(dirname(path), `${name}.d.ts`));
  }
  return found;
}

/** Files that an earlier build removed, and that are public since, the compiler does not write again by itself. */
function compileAnew() {
  rmSync("dist/.tsbuildinfo");
  execFileSync(process.execPath, ["node_modules/typescript-native/bin/tsc", "-p", "tsconfig.build.json"]);
}

/** Nobody can import what is not public: 2.6 MB of types that would be installed for nothing. */
function removeOtherTypes() {
  const kept = publicTypes();
  for (const entry of readdirSync("dist", { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && path.endsWith(".d.ts") && !kept.has(path)) rmSync(path);
  }
}

copyGrammars();
bundlePages();
removeOtherTypes();
writeFileSync("dist/build.json", `${JSON.stringify({ commit: commit() })}\n`);
chmodSync(COMMAND, 0o755);
if (process.platform !== "win32" && existsSync("node_modules/.bin")) {
  rmSync(LINK, { force: true });
  symlinkSync(`../../${COMMAND}`, LINK);
}
