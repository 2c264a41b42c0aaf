import { type FailureRow, failureRows } from "./cells.js";
import { type ChainStep, chainSteps } from "./chain.js";
import type { ExampleOutcome } from "./example-outcome.js";

export const GROUPINGS = ["language", "change_type"] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** The failures of one group of examples. */
export interface FailureGroup {
  readonly groupBy: "overall" | Grouping;
  /** The language or change type; `all` for overall. */
  readonly group: string;
  readonly examples: number;
  readonly rows: readonly FailureRow[];
  readonly chain: readonly ChainStep[];
}

/** All examples together; then each language or change type, in alphabetical order, if asked for. */
export function failureGroups(examples: readonly ExampleOutcome[], by: Grouping | null): FailureGroup[] {
  return [failureGroup("overall", "all", examples), ...(by === null ? [] : groupedBy(examples, by))];
}

function groupedBy(examples: readonly ExampleOutcome[], by: Grouping): FailureGroup[] {
  const nameOf = (example: ExampleOutcome) => (by === "language" ? example.language : example.changeType);
  return [...new Set(examples.map(nameOf))].sort().map((name) =>
    failureGroup(
      by,
      name,
      examples.filter((example) => nameOf(example) === name),
    ),
  );
}

function failureGroup(
  groupBy: FailureGroup["groupBy"],
  group: string,
  examples: readonly ExampleOutcome[],
): FailureGroup {
  return { groupBy, group, examples: examples.length, rows: failureRows(examples), chain: chainSteps(examples) };
}
