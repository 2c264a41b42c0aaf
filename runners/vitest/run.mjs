// Runs the test of a fixture. The job comes in on standard input, as one JSON object:
//   root    the fixture: `src`, the test
//   test    path of the test in it
//   isDom   whether the tests need a page
//   isJest  whether the tests are written for Jest
//   out     a folder that may be written to
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { mocksOf } from "./mocks.mjs";
import { fixturePlaces, packageOf } from "./places.mjs";

/** Messages about a package that code requires, by node and by Jest. */
const UNFOUND = /^Cannot find module '([^'./@][^']*|@[^'/]+\/[^']+)'(?: from |\nRequire stack:)/;

/** Messages about a part that a mock leaves to what it mocks. */
const LEFT_OUT = /^\[vitest\] No "[^"]+" export is defined on the "([^"]+)" mock/;

const job = JSON.parse(await text(process.stdin));
const { root, test, isJest, out } = job;
const missing = new Set();
const { mocked, partly } = mocksOf(readFileSync(join(root, test), "utf8"), test);
const { runTest } = await import(isJest ? "./jest.mjs" : "./vitest.mjs");
const places = fixturePlaces({ root, test, mocked });
/** Mocked packages that nothing provides, and which were asked for all the same. */
const stubbed = new Set();
const found = await runTest({ ...job, runner: import.meta.dirname, places, missing, stubbed });
for (const { message } of [...found.test.errors, ...found.test.tests.flatMap(({ errors }) => errors)]) {
  const required = UNFOUND.exec(message)?.[1];
  if (required !== undefined) missing.add(packageOf(required));
  const lacking = LEFT_OUT.exec(message)?.[1];
  if (lacking !== undefined && partly.includes(lacking) && stubbed.has(lacking)) missing.add(packageOf(lacking));
}
writeFileSync(join(out, "report.json"), JSON.stringify({ ...found, mocked, missingPackages: [...missing] }));
await found.close?.();
// What the code under test left running must not hold the process.
process.exit(0);
