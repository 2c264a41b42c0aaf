import { existsSync, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import { transformWithOxc } from "vite";

const ENDINGS = [
  "",
  ".js",
  ".jsx",
  ".ts",
  ".tsx",
  ".mjs",
  ".json",
  "/index.js",
  "/index.jsx",
  "/index.ts",
  "/index.tsx",
];
const STUB = "\0stub:";

const fileAt = (path) => ENDINGS.map((end) => path + end).find((file) => existsSync(file) && statSync(file).isFile());
const withoutEnding = (path) => path.replace(/\.m?[jt]sx?$/, "");

/**
 * Finds modules as a fixture's own build does: `@/x` is `src/x`; what a test imports by a relative path is looked for at the
 * root, then in `src`; packages come from the runner alone. What the test mocks with a factory, and nothing provides, is a
 * stub by its absolute path, so that a file that moved still reaches the same mock. Nothing else is stubbed.
 * @param missing told the packages that are not there
 */
export function fixturePlugin({ root, test, runner, mocked, missing }) {
  const src = join(root, "src");
  const tests = dirname(join(root, test));
  const stubs = new Set(mocked.flatMap((specifier) => stubNames(specifier, tests, src)));
  const isOfFixture = (file) => file.startsWith(root + sep);

  /** Where a specifier may lead; `null`: it names a package. */
  function placesOf(specifier, importer) {
    if (specifier.startsWith("@/")) return [join(src, specifier.slice(2))];
    if (isAbsolute(specifier)) return [specifier];
    if (!/^\.\.?(\/|$)/.test(specifier)) return null;
    const folder = dirname(importer);
    return folder === root ? [resolve(root, specifier), resolve(src, specifier)] : [resolve(folder, specifier)];
  }

  return {
    name: "fixture",
    enforce: "pre",
    async resolveId(specifier, importer) {
      const from = importer?.split("?")[0];
      if (from === undefined || specifier.startsWith("\0") || !isOfFixture(from) || from.endsWith(".html")) return null;
      const places = placesOf(specifier, from);
      if (places !== null) {
        const file = places.map(fileAt).find((found) => found !== undefined);
        const stub = places.map(withoutEnding).find((place) => stubs.has(place));
        return file ?? (stub === undefined ? null : STUB + stub);
      }
      if (isBuiltin(specifier)) return null;
      const found = await this.resolve(specifier, join(runner, "run.mjs"), { skipSelf: true });
      if (found !== null) return found;
      if (stubs.has(specifier)) return STUB + specifier;
      missing.add(packageOf(specifier));
      return null;
    },
    load(id) {
      return id.startsWith(STUB) ? "export default {};" : null;
    },
    // JSX may stand in `.js`, as it does where such code comes from.
    async transform(code, id) {
      const file = id.split("?")[0];
      if (!isOfFixture(file) || !/\.m?js$/.test(file)) return null;
      return transformWithOxc(code, file, { lang: "jsx", jsx: { runtime: "automatic" }, sourcemap: true });
    },
  };
}

function stubNames(specifier, tests, src) {
  if (specifier.startsWith("@/")) return [withoutEnding(join(src, specifier.slice(2)))];
  if (!specifier.startsWith(".")) return [specifier];
  return [withoutEnding(resolve(tests, specifier)), withoutEnding(resolve(src, specifier))];
}

function packageOf(specifier) {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}
