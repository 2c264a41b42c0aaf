import { statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { isAbsolute, join, resolve } from "node:path";

const ENDINGS = ["", ".js", ".jsx", ".ts", ".tsx", ".mjs", ".json"];
const INDEXES = ENDINGS.slice(1).map((ending) => `/index${ending}`);

/** Where an import leads. */
export type Place =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "missing"; readonly path: string }
  | { readonly kind: "package"; readonly name: string };

/**
 * Where a file's import leads: `@/x` is `src/x`, endings and `index` may be left out, all else is a package.
 * @param folder of the file that imports
 */
export function resolveInside(source: string, folder: string, specifier: string): Place {
  const path = pathOf(source, folder, specifier);
  if (path === null) return { kind: "package", name: isBuiltin(specifier) ? specifier : packageName(specifier) };
  const file = [...ENDINGS, ...INDEXES].map((ending) => path + ending).find(isFile);
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

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
