import { stripVTControlCharacters } from "node:util";

const MOST = 20_000;

/** What came of the tests of a file, as plain data. */
export function reportOf(module) {
  const tests = module === undefined ? [] : [...module.children.allTests()].map(testOf);
  const errors = module === undefined ? [] : [...errorsIn(module)];
  return { tests, errors };
}

function testOf(test) {
  const { state, errors = [] } = test.result();
  return { name: plain(test.fullName), state, errors: errors.map(errorOf) };
}

/** Errors outside tests: the file did not load, or a hook of a group failed. */
function* errorsIn(suite) {
  yield* suite.errors().map(errorOf);
  for (const inner of suite.children.allSuites()) yield* inner.errors().map(errorOf);
}

export function errorOf(error) {
  return { name: plain(error?.name ?? "Error"), message: plain(error?.message ?? error) };
}

function plain(text) {
  return stripVTControlCharacters(String(text)).slice(0, MOST);
}
