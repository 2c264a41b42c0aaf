import { z } from "zod";
import { PythonFloat, parsePythonJson, pythonStrip } from "../../../base/python-json.js";

/** Counts as the released reader takes them: also as texts, truths, and numbers with nothing behind the point. -1 failures: tests that crashed. */
const count = z.preprocess((value) => {
  if (typeof value === "boolean") return Number(value);
  if (value instanceof PythonFloat) return value.value;
  if (typeof value !== "string") return value;
  const digits = /^([-+]?\d+(?:_\d+)*)(?:\.0+)?$/.exec(pythonStrip(value))?.[1];
  return digits === undefined ? value : Number(digits.replaceAll("_", ""));
}, z.int());
export const countsSchema = z.looseObject({
  passed: count,
  failed: count,
  total: count,
  skipped: count.default(0),
  error: z.string().nullish(),
});

/** Counts that a run of tests prints. */
export type TestCounts = Pick<z.infer<typeof countsSchema>, "passed" | "failed" | "total" | "skipped">;

/** Lines at the end of the output in which the counts may stand. */
const LAST_LINES = 10;

/**
 * The counts that a test command prints: the last JSON object with `passed`, `failed` and `total` among the last ten lines,
 * blanks at the end left out. `null`: there is none.
 */
export function testCounts(output: string): TestCounts | null {
  const lines = pythonStrip(output).split("\n").slice(-LAST_LINES);
  for (const line of lines.toReversed()) {
    const counts = countsOf(line);
    if (counts !== null) return counts;
  }
  return null;
}

/** Counts of one line of JSON; `null`: it holds none. */
export function countsOf(line: string): TestCounts | null {
  try {
    const { passed, failed, total, skipped } = countsSchema.parse(parsePythonJson(pythonStrip(line)));
    return { passed, failed, total, skipped };
  } catch {
    return null;
  }
}

/** Test counts of right solutions and of unmodified code: the bar that a patch has to clear. */
export interface PassBand {
  readonly minPassed: number;
  readonly maxFailed: number;
}

/** The band of all baseline runs; `null` without any. */
export function passBand(baselines: readonly TestCounts[]): PassBand | null {
  if (baselines.length === 0) return null;
  return {
    minPassed: Math.min(...baselines.map(({ passed }) => passed)),
    maxFailed: Math.max(...baselines.map(({ failed }) => failed)),
  };
}

/**
 * Pass: at least as many tests passed, and at most as many failed, as in any baseline run. `null` without a baseline; a
 * report that is lost is a failure.
 */
export function passes(counts: TestCounts | null, band: PassBand | null): boolean | null {
  if (band === null) return null;
  return counts !== null && counts.passed >= band.minPassed && counts.failed <= band.maxFailed;
}
