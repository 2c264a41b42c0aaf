import { z } from "zod";
import { shorten } from "../../../base/text.js";
import type { LineUp } from "../../../trial/lineup/line-up.js";
import type { TestTally } from "../../../trial/trial-records.js";

/** Result of a test. */
export interface TestResult {
  /** Every test of the file passed, there was at least one, nothing failed outside of them, and the line-up saw them all. */
  readonly passes: boolean;
  /** True if expectations that were turned held, where the test passed. */
  readonly isTampered: boolean;
  /** `null`: there was none, as the test did not pass, or is nobody's judge. */
  readonly lineUp: LineUp | null;
  readonly testsPassed: number;
  readonly testsFailed: number;
  /** Each test that failed, and the first message of it; absent in reports of earlier runs, and where no test ran. */
  readonly failures?: TestTally["failed"];
  /** Class of the failure, by structure; `null`: none. */
  readonly failureKind: string | null;
  /** Message of the tests, without colours; empty where they passed. */
  readonly message: string;
  /** Packages that are neither in the runner nor mocked: the fixture cannot be judged without them. */
  readonly missingPackages: readonly string[];
  readonly durationMs: number;
}

/** Tests of which none was run. */
export const NOT_RUN = {
  passes: false,
  isTampered: false,
  lineUp: null,
  testsPassed: 0,
  testsFailed: 0,
  missingPackages: [],
} as const;

/**
 * Result of a report. `failureKind`: `load:<class>` for a file that did not load, `no_tests`, `unhandled:<class>` for
 * an error outside tests, else the class of the first failing test's error, `timeout` for one that took too long.
 */
export function judgeReport(report: RunnerReport, durationMs: number): TestResult {
  const { tests, errors } = report.test;
  const passed = tests.filter(({ state }) => state === "passed").length;
  const failed = tests.filter(({ state }) => state !== "passed" && state !== "skipped");
  const failureKind = failureKindOf(report, passed, failed[0]?.errors[0] ?? null, failed.length);
  const passes = failureKind === null;
  const said = [...errors, ...failed.flatMap((test) => test.errors), ...report.unhandled];
  return {
    passes,
    isTampered: false,
    lineUp: null,
    testsPassed: passed,
    testsFailed: failed.length,
    ...(failed.length > 0 && { failures: failed.map(failureOf) }),
    // Names of errors are anybody's words.
    failureKind: failureKind === null ? null : onOneLine(failureKind, 100),
    message: passes ? "" : said.map(textOf).join("\n\n"),
    missingPackages: report.missingPackages,
    durationMs,
  };
}

function failureOf({ name, errors: [first] }: RunnerReport["test"]["tests"][number]): TestTally["failed"][number] {
  const [line = ""] = (first === undefined ? "" : textOf(first)).trim().split("\n", 1);
  return { name: onOneLine(name, 200), message: onOneLine(line, 300) };
}

/** Tabs and line ends of a name are blanks to who reads it. */
function onOneLine(text: string, most: number): string {
  return shorten(text.trim().replace(/\s+/g, " "), most);
}

function failureKindOf(
  { test, unhandled }: RunnerReport,
  passed: number,
  first: TestError | null,
  failed: number,
): string | null {
  const [outside] = test.errors;
  if (outside !== undefined && test.tests.length === 0)
    return isEmptyFile(outside) ? "no_tests" : `load:${outside.name}`;
  if (failed > 0) return first === null ? "unknown" : TIMEOUT.test(first.message) ? "timeout" : first.name;
  const [loose] = [...test.errors, ...unhandled];
  if (loose !== undefined) return `unhandled:${loose.name}`;
  return passed === 0 ? "no_tests" : null;
}

const TIMEOUT = /^(?:Test|Hook) timed out in \d+ms/;

function isEmptyFile({ message }: TestError): boolean {
  return message.startsWith("No test suite found in file");
}

function textOf({ name, message }: TestError): string {
  return message.startsWith(name) ? message : `${name}: ${message}`;
}

const errorSchema = z.object({ name: z.string(), message: z.string() });
const testSchema = z.object({
  name: z.string(),
  state: z.enum(["passed", "failed", "skipped", "pending"]),
  errors: z.array(errorSchema),
});
const fileSchema = z.object({ tests: z.array(testSchema), errors: z.array(errorSchema) });

/** Schema of the runner's report. */
export const reportSchema = z.object({
  test: fileSchema,
  unhandled: z.array(errorSchema),
  mocked: z.array(z.string()),
  missingPackages: z.array(z.string()),
});

export type RunnerReport = z.infer<typeof reportSchema>;
type TestError = z.infer<typeof errorSchema>;
