/** What an agent of a condition is given. */
export interface Condition {
  readonly name: string;
  /** Whether a run that names none has it. */
  readonly isDefault: boolean;
  /** Whether it can run tests that it writes. */
  readonly hasTestRunner: boolean;
  /** Whether it can list, read and search files. */
  readonly hasFullTools: boolean;
}

/** The two arms of the benchmark, and each again with tools to look at files. */
export const CONDITIONS: readonly Condition[] = [
  { name: "no-test-runner", isDefault: true, hasTestRunner: false, hasFullTools: false },
  { name: "test-runner", isDefault: true, hasTestRunner: true, hasFullTools: false },
  { name: "no-test-runner-full", isDefault: false, hasTestRunner: false, hasFullTools: true },
  { name: "test-runner-full", isDefault: false, hasTestRunner: true, hasFullTools: true },
];

/** The name of an arm with tools to look at files. */
export function withFullTools(name: string): string {
  const { hasTestRunner } = conditionOf(name);
  return CONDITIONS.find((other) => other.hasFullTools && other.hasTestRunner === hasTestRunner)?.name ?? name;
}

/** The condition of this name. */
export function conditionOf(name: string): Condition {
  const found = CONDITIONS.find((condition) => condition.name === name);
  if (found === undefined) throw new Error(`Expected a condition, found ${name}.`);
  return found;
}
