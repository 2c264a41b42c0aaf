import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { setTimeout } from "node:timers/promises";
import { build, type Loader, type Message, type PartialMessage, type Plugin, stop, transform } from "esbuild";
import { isWithin, realPath } from "../../workspace/shown-folders.js";
import { filesOf } from "../../workspace/tree-files.js";

/** Endings of what is compiled. */
const SOURCE = /\.(?:js|jsx|mjs|cjs|ts|tsx)$/;

/** Something that keeps a file from being compiled. */
interface CompileError {
  /** A path within `src`. */
  readonly file: string;
  /** From 1; `null` where it is not known. */
  readonly line: number | null;
  readonly message: string;
  /** The same for the same mistake, wherever it stands: an error of the original that only moved is not new. */
  readonly key: string;
}

/** Compile check of a tree's `src`. */
export interface CompileCheck {
  readonly errors: readonly CompileError[];
  /** JavaScript and TypeScript files. */
  readonly sources: readonly string[];
  /** Packages that its files import, and which files do. */
  readonly packages: ReadonlyMap<string, readonly string[]>;
  /** Characters of its largest source. */
  readonly largest: number;
}

let before: Promise<unknown> = Promise.resolve();

/**
 * Parses every source file of a folder and follows every import within it: files that are not there, names that a file does
 * not export. Packages are not looked into. Runs nothing of it. Checks wait for one another: they share the parser's
 * process, which is ended where a file keeps it busy.
 * @param source a folder `src`: what `@/` stands for
 * @param original the code that it was made of; absent: it is an original
 */
export function compileCheck(source: string, original?: CompileCheck): Promise<CompileCheck> {
  const own = before.then(() => checkTree(source, original));
  before = own.catch(() => {});
  return own;
}

/** Of a source beyond the largest of the original's: twice as many open brackets or signs are more than the parser's stack. */
const MOST_MORE_CHARACTERS = 100_000;

/** Characters up to which files of a changed tree are parsed. */
export function mostCharacters({ largest }: CompileCheck): number {
  return largest + MOST_MORE_CHARACTERS;
}

/** For one tree, whose kilobytes take milliseconds, unless made to take long. */
const LONGEST_CHECK_MS = 120_000;
const UNFINISHED = `the parser did not come to an end of it (within ${LONGEST_CHECK_MS / 1000} s for all files)`;

async function checkTree(source: string, original: CompileCheck | undefined): Promise<CompileCheck> {
  const sources = (await filesOf(source)).filter((path) => SOURCE.test(path));
  const errors: CompileError[] = [];
  const packages = new Map<string, string[]>();
  let largest = 0;
  if (sources.length === 0) return { errors, sources, packages, largest };
  const most = original === undefined ? Number.POSITIVE_INFINITY : mostCharacters(original);
  const deadline = Date.now() + LONGEST_CHECK_MS;
  const parsed = new Set<string>();
  for (const file of sources) {
    const text = await readFile(join(source, file), "utf8");
    largest = Math.max(largest, text.length);
    const [fault] =
      text.length > most ? [{ text: `over ${most} characters are not parsed` }] : await faultsOf(text, file, deadline);
    if (fault === undefined) parsed.add(file);
    else errors.push(errorOf(file, `SyntaxError: ${fault.text ?? ""}`, fault.location?.line ?? null));
  }
  const plugin = checkPlugin(source, (error) => errors.push(error), { sources: new Set(sources), parsed, packages });
  const linking = build({
    entryPoints: sources.map((path) => join(source, path)),
    plugins: [plugin],
    bundle: true,
    write: false,
    outdir: "out",
    format: "esm",
    platform: "neutral",
    jsx: "automatic",
    logLevel: "silent",
    logLimit: 0,
    absWorkingDir: source,
    tsconfigRaw: {},
  });
  const linked = await answered(linking, deadline);
  const found = linked?.map(linkError) ?? sources.map((file) => errorOf(file, `Imports: ${UNFINISHED}`));
  return { errors: [...errors, ...found].toSorted(byPlace), sources, packages, largest };
}

function errorOf(file: string, message: string, line: number | null = null): CompileError {
  return { file, line, message, key: message };
}

async function faultsOf(text: string, file: string, deadline: number): Promise<readonly PartialMessage[]> {
  const unfinished = [{ text: UNFINISHED }];
  if (Date.now() >= deadline) return unfinished;
  const options = { loader: loaderOf(file), jsx: "automatic", logLevel: "silent", tsconfigRaw: {} } as const;
  return (await answered(transform(text, options), deadline)) ?? unfinished;
}

/** Errors that the parser tells; `null`: its process ended, or took too long and was ended. The next call starts another. */
async function answered(asked: Promise<unknown>, deadline: number): Promise<readonly Message[] | null> {
  const timer = new AbortController();
  const late = setTimeout(Math.max(0, deadline - Date.now()), null, { signal: timer.signal }).catch(() => null);
  const told = asked.then(
    () => [],
    (error: unknown) => (hasMessages(error) ? error.errors : null),
  );
  const found = await Promise.race([told, late]);
  timer.abort();
  if (found === null) await stop();
  return found;
}

function byPlace(left: CompileError, right: CompileError): number {
  return left.file === right.file ? (left.line ?? 0) - (right.line ?? 0) : left.file < right.file ? -1 : 1;
}

/** Finds files itself, so that what is not there is told of every import, and goes on. */
function checkPlugin(
  source: string,
  onError: (error: CompileError) => void,
  {
    sources,
    parsed,
    packages,
  }: Record<"sources" | "parsed", ReadonlySet<string>> & { readonly packages: Map<string, string[]> },
): Plugin {
  const pathOf = (file: string) => relative(source, file).split(sep).join("/");
  return {
    name: "check",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /.*/ }, ({ kind, path, importer, resolveDir }) => {
        if (kind === "entry-point") return { path };
        const place = resolveInside(source, resolveDir, path);
        if (place.kind === "package") {
          packages.set(place.name, [...(packages.get(place.name) ?? []), pathOf(importer)]);
          return { path, external: true };
        }
        if (place.kind === "file") {
          // By a link too, nothing is read that was not parsed before.
          const file = relative(realPath(source), realPath(place.path));
          return sources.has(file) ? { path: join(source, file) } : { path, external: true };
        }
        onError({
          file: pathOf(importer),
          line: null,
          message: `Cannot find module '${path}'`,
          key: `module ${pathOf(place.path).replace(/\.[mc]?[jt]sx?$/, "")}`,
        });
        return { path, external: true };
      });
      onLoad({ filter: /.*/ }, async ({ path }) =>
        parsed.has(pathOf(path))
          ? { contents: await readFile(path, "utf8"), loader: loaderOf(path) }
          : // Nothing is known of its exports: every import of it is let pass.
            { contents: "module.exports = globalThis.unknown;", loader: "js" },
      );
    },
  };
}

/** JSX may stand in `.js`. */
function loaderOf(path: string): Loader {
  if (path.endsWith(".ts")) return "ts";
  return path.endsWith(".tsx") ? "tsx" : "jsx";
}

/** Error about a name that a file does not export, in the words of other tools. */
function linkError({ text, location }: Message): CompileError {
  const file = location === null ? "" : location.file.split(sep).join("/");
  const missing = /^No matching export in "(.+)" for import "(.+)"$/.exec(text);
  const message = missing === null ? text : `export '${missing[2]}' was not found in '${missing[1]}'`;
  return errorOf(file, message, location?.line ?? null);
}

function hasMessages(error: unknown): error is { readonly errors: readonly Message[] } {
  return error instanceof Error && "errors" in error && Array.isArray(error.errors);
}

const ENDINGS = ["", ".js", ".jsx", ".ts", ".tsx", ".mjs", ".json"];
const INDEXES = ENDINGS.slice(1).map((ending) => `/index${ending}`);

/** Target of an import. */
type Place =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "missing"; readonly path: string }
  | { readonly kind: "package"; readonly name: string };

/**
 * Where a file's import leads: `@/x` is `src/x`, endings and `index` may be left out, all else is a package. What lies
 * outside the tree, by a path or by a link, is missing: whether it is there is nothing that an agent is told.
 * @param folder of the file that imports
 */
function resolveInside(source: string, folder: string, specifier: string): Place {
  const path = pathOf(source, folder, specifier);
  if (path === null) return { kind: "package", name: isBuiltin(specifier) ? specifier : packageName(specifier) };
  const file = [...ENDINGS, ...INDEXES]
    .map((ending) => path + ending)
    .find((each) => isFileWithin(dirname(source), each));
  return file === undefined ? { kind: "missing", path } : { kind: "file", path: file };
}

function pathOf(source: string, folder: string, specifier: string): string | null {
  if (specifier.startsWith("@/")) return join(source, specifier.slice(2));
  if (isAbsolute(specifier)) return specifier;
  return /^\.\.?(?:\/|$)/.test(specifier) ? resolve(folder, specifier) : null;
}

function packageName(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

function isFileWithin(folder: string, path: string): boolean {
  const isInside = isWithin(folder, path) && isWithin(realPath(folder), realPath(path));
  try {
    return isInside && statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Errors that a refactoring brought, against the code that it started from. */
interface NewErrors {
  readonly errors: readonly CompileError[];
  /** Source files of the refactoring. */
  readonly files: number;
  /** 1 − files with a new error/files, 0–1; `null` without files. */
  readonly filesCompiled: number | null;
  /** The released measure, 1 − errors/files: below 0 where there are more errors than files; `null` without files. */
  readonly filesCompiledPublished: number | null;
  /** A line an error; empty without. */
  readonly message: string;
}

/**
 * The errors that the original lacks, and packages that neither it nor the runner has.
 * @param provided packages that are there whatever the original imports
 */
export function newErrors(original: CompileCheck, changed: CompileCheck, provided: ReadonlySet<string>): NewErrors {
  const known = new Set(original.errors.map(({ key }) => key));
  const isThere = (name: string) => provided.has(name) || original.packages.has(name) || isBuiltin(name);
  const errors = [
    ...changed.errors.filter(({ key }) => !known.has(key)),
    ...[...changed.packages].flatMap(([name, files]) =>
      isThere(name) ? [] : files.map((file) => packageError(name, file)),
    ),
  ];
  const files = changed.sources.length;
  const broken = new Set(errors.map(({ file }) => file)).size;
  return {
    errors,
    files,
    filesCompiled: files === 0 ? null : 1 - broken / files,
    filesCompiledPublished: files === 0 ? null : 1 - errors.length / files,
    message: errors.map(errorText).join("\n"),
  };
}

function packageError(name: string, file: string): CompileError {
  return errorOf(file, `Cannot find module '${name}'`);
}

/** Text of an error for a person, or an agent. */
function errorText({ file, line, message }: CompileError): string {
  return `src/${file}${line === null ? "" : `:${line}`}: ${message}`;
}
