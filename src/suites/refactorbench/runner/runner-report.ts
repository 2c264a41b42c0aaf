import { z } from "zod";
import { CANARY_PREFIX, canaryTests } from "./canary.js";

/** What a test came to. */
export interface TestResult {
  /** Every test of the file passed, there was at least one, and nothing failed outside of them. */
  readonly passes: boolean;
  /** Whether false assertions of the canary passed, or did not run, where the test passed; never without a canary. */
  readonly isTampered: boolean;
  readonly testsPassed: number;
  readonly testsFailed: number;
  /** What failed, by structure; `null`: nothing. */
  readonly failureKind: string | null;
  /** What the tests said, without colours; empty where they passed. */
  readonly message: string;
  /** Packages that are neither in the runner nor mocked: the fixture cannot be judged without them. */
  readonly missingPackages: readonly string[];
  readonly durationMs: number;
}

/**
 * What a report comes to. `failureKind`: `load:<class>` for a file that did not load, `no_tests`, `unhandled:<class>` for an
 * error outside tests, else the class of the first failing test's error, `timeout` for one that took too long.
 */
export function judgeReport(report: RunnerReport, isDom: boolean, durationMs: number): TestResult {
  const { tests, errors } = report.test;
  const passed = tests.filter(({ state }) => state === "passed").length;
  const failed = tests.filter(({ state }) => state !== "passed" && state !== "skipped");
  const failureKind = failureKindOf(report, passed, failed[0]?.errors[0] ?? null, failed.length);
  const passes = failureKind === null;
  const said = [...errors, ...failed.flatMap((test) => test.errors), ...report.unhandled];
  return {
    passes,
    isTampered: passes && report.canary !== null && !isCanaryAlive(report.canary, isDom),
    testsPassed: passed,
    testsFailed: failed.length,
    failureKind,
    message: passes ? "" : said.map(textOf).join("\n\n"),
    missingPackages: report.missingPackages,
    durationMs,
  };
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

/** Whether every false assertion ran and failed. */
function isCanaryAlive(canary: NonNullable<RunnerReport["canary"]>, isDom: boolean): boolean {
  const own = canary.tests.filter(({ name }) => name.startsWith(CANARY_PREFIX));
  return own.length === canaryTests(isDom) && own.every(({ state }) => state === "failed");
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

/** What the runner writes. */
export const reportSchema = z.object({
  key: z.string(),
  test: fileSchema,
  /** `null`: none was run. */
  canary: fileSchema.nullable(),
  unhandled: z.array(errorSchema),
  mocked: z.array(z.string()),
  missingPackages: z.array(z.string()),
});

export type RunnerReport = z.infer<typeof reportSchema>;
type TestError = z.infer<typeof errorSchema>;
