// Packages that a test or a fixture requires, such as in the factory of a mock, are the runner's, as those that it imports.
import Module, { createRequire, isBuiltin } from "node:module";
import { isAbsolute, sep } from "node:path";

const { resolve } = createRequire(import.meta.url);
const found = Module._resolveFilename;
const NOT_OF_FIXTURE = [import.meta.dirname + sep, `${sep}node_modules${sep}`];

Module._resolveFilename = function (specifier, parent, ...rest) {
  const from = parent?.filename ?? null;
  const isOfFixture = from !== null && !NOT_OF_FIXTURE.some((folder) => from.includes(folder));
  const isPackage = !isBuiltin(specifier) && !isAbsolute(specifier) && !/^\.\.?(\/|$)/.test(specifier);
  return isOfFixture && isPackage ? resolve(specifier) : found.call(this, specifier, parent, ...rest);
};
