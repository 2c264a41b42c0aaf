import { existsSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";

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

const fileAt = (path) => ENDINGS.map((end) => path + end).find((file) => existsSync(file) && statSync(file).isFile());
const withoutEnding = (path) => path.replace(/\.m?[jt]sx?$/, "");

/**
 * Finds modules as a fixture's own build does: `@/x` is `src/x`; what a test imports by a relative path is looked for at the
 * root, then in `src`; packages come from the runner alone. What the test mocks with a factory, and nothing provides, is a
 * stub by its absolute path, so that a file that moved still reaches the same mock. Nothing else is stubbed.
 */
export function fixturePlaces({ root, test, mocked }) {
  const src = join(root, "src");
  const tests = dirname(join(root, test));
  const stubs = new Set(mocked.flatMap((specifier) => stubNames(specifier, tests, src)));

  function placesOf(specifier, folder) {
    if (specifier.startsWith("@/")) return [join(src, specifier.slice(2))];
    if (isAbsolute(specifier)) return [specifier];
    if (!/^\.\.?(\/|$)/.test(specifier)) return null;
    return folder === root ? [resolve(root, specifier), resolve(src, specifier)] : [resolve(folder, specifier)];
  }

  return {
    isOfFixture: (path) => path === root || path.startsWith(root + sep),
    isStub: (name) => stubs.has(name),
    /** A file, the name of a stub, or nothing; `null`: it names a package. */
    lead(specifier, folder) {
      const places = placesOf(specifier, folder);
      if (places === null) return null;
      const file = places.map(fileAt).find((found) => found !== undefined);
      return {
        file,
        stub: file === undefined ? places.map(withoutEnding).find((place) => stubs.has(place)) : undefined,
      };
    },
  };
}

function stubNames(specifier, tests, src) {
  if (specifier.startsWith("@/")) return [withoutEnding(join(src, specifier.slice(2)))];
  if (!specifier.startsWith(".")) return [specifier];
  return [withoutEnding(resolve(tests, specifier)), withoutEnding(resolve(src, specifier))];
}

export function packageOf(specifier) {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}
