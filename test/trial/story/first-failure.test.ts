import { expect, it } from "vitest";
import { firstFailure } from "../../../src/trial/story/first-failure.js";

it.each([
  [
    "TAP",
    "ok 1 - fine\nnot ok 2 - islands cost more\n  ---\n  error: |-\n    Expected values to be strictly equal:\n\n    8 !== 11\n",
    "islands cost more",
    "Expected values to be strictly equal: 8 !== 11",
  ],
  ["TAP, of a test that is to be skipped", "not ok 1 - later # TODO\nok 2 - fine\n", null, null],
  [
    "node's own reporter",
    "✔ one (1.2ms)\n✖ two words (3.4ms)\n  AssertionError [x]: no\n",
    "two words",
    "AssertionError [x]: no",
  ],
  [
    "vitest",
    " FAIL  test/a.test.js > adds\nAssertionError: expected 3 to be 4\n",
    "test/a.test.js > adds",
    "AssertionError: expected 3 to be 4",
  ],
  [
    "pytest",
    "E   ValueError: bad\nFAILED tests/a.py::test_b - ValueError: bad\n",
    "tests/a.py::test_b",
    "ValueError: bad",
  ],
  ["go", "--- FAIL: TestSum (0.00s)\n", "TestSum", null],
  ["cargo", "test sums::adds ... FAILED\n", "sums::adds", null],
  ["nothing that is known", "all is well\n", null, null],
])("tells the first failing test and why, of %s", (_, output, test, reason) => {
  expect(firstFailure(output)).toEqual({ test, reason });
});
