import { expect, it } from "vitest";
// Imports the package by its name, as a user does; `packed.slow.test.ts` does so with what was built.
import { runAndCompare } from "../../examples/run-and-compare.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";

const folder = useFreshFolder();

it("the example runs models, reads their answers back and compares them", async () => {
  const lines = await runAndCompare(folder.path(), ["scripted:oracle", "scripted:always-A", "tiny"]);
  // 4 examples: CTR 4 × 6 orders, CL 4 × 24. Over all orders of CTR the right option stands at A, B, C twice each; of CL
  // at each of four letters six times.
  expect(lines.slice(0, 6)).toEqual([
    "scripted:oracle, CTR: 1.00 of 4 right in all orders",
    "scripted:oracle, CL: 1.00 of 4 right in all orders",
    "scripted:oracle chose A 32, B 32, C 32, D 24",
    "scripted:always-A, CTR: 0.00 of 4 right in all orders",
    "scripted:always-A, CL: 0.00 of 4 right in all orders",
    "scripted:always-A chose A 120",
  ]);
  expect(lines.slice(6, 9)).toEqual([
    expect.stringMatching(/^tiny, CTR: \d\.\d\d of 4 right in all orders$/),
    expect.stringMatching(/^tiny, CL: \d\.\d\d of 4 right in all orders$/),
    expect.stringMatching(/^tiny chose [ABCD] \d+/),
  ]);
  // Four questions, all discordant on one side: p = 2 · (1/2)^4 = 0.125.
  expect(lines.slice(9, 12)).toEqual([
    "scripted:always-A against scripted:oracle, CTR: -1.00 (p 0.13)",
    "scripted:always-A against scripted:oracle, CL hard: -1.00 (p 0.13)",
    "scripted:always-A against scripted:oracle, all probes: -1.00 (p 0.13)",
  ]);
  expect(lines).toHaveLength(15);
});
