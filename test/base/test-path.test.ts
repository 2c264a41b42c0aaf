import { expect, it } from "vitest";
import { isTestPath } from "../../src/base/source-path.js";

it.each([
  ["test/a.js", true],
  ["pkg/tests/a.go", true],
  ["kitty_tests/screen.py", true],
  ["src/test_a.py", true],
  ["src/a_test.py", true],
  ["pkg/a_test.go", true],
  ["src/a.test.tsx", true],
  ["src/a.spec.ts", true],
  ["test.uts", true],
  ["src/latest/a.js", false],
  ["src/contest.py", false],
  ["a_test.js", false],
])("has tests in %s: %s", (path, expected) => {
  expect(isTestPath(path)).toBe(expected);
});
