import { z } from "zod";

/** What became of each test of a run, by its name. */
export type TestReport = ReadonlyMap<string, TestState>;

/** `other`: skipped, for one; it says nothing. */
export type TestState = "passed" | "failed" | "other";

const named = z.looseObject({ name: z.string() });
const listsSchema = z.looseObject({
  passed_tests: z.array(named).default([]),
  failed_tests: z.array(named).default([]),
});
const statesSchema = z.looseObject({ tests: z.array(named.extend({ status: z.unknown() })) });

/** The report that a script of a refactoring writes: names by what became of them. `null`: it is none. */
export function readLists(text: string): TestReport | null {
  const lists = parsed(text, listsSchema);
  if (lists === null) return null;
  // A name that stands in both lists has passed.
  return new Map<string, TestState>([
    ...lists.failed_tests.map(({ name }) => [name, "failed"] as const),
    ...lists.passed_tests.map(({ name }) => [name, "passed"] as const),
  ]);
}

const STATES: Readonly<Record<string, TestState>> = { PASSED: "passed", FAILED: "failed", ERROR: "failed" };

/** The report that is read from what tests print: a state a name. `null`: it is none. */
export function readStates(text: string): TestReport | null {
  const states = parsed(text, statesSchema);
  if (states === null) return null;
  return new Map(
    states.tests.map(({ name, status }) => [name, STATES[String(status).trim().toUpperCase()] ?? "other"] as const),
  );
}

function parsed<T>(text: string, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
