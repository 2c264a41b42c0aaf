/** What an agent is told, and what it does before it works. */
export interface TasteCondition {
  readonly name: string;
  /** Which description it is given: the full one, or the short one. */
  readonly track: "instructed" | "open";
  /** Plans that come before the work. */
  readonly plans: number;
}

/** The four arms of the benchmark. */
export const CONDITIONS: readonly TasteCondition[] = [
  { name: "instructed/direct", track: "instructed", plans: 0 },
  { name: "open/direct", track: "open", plans: 0 },
  { name: "open/plan", track: "open", plans: 1 },
  { name: "open/multiplan", track: "open", plans: 5 },
];

/** The condition of this name. */
export function conditionOf(name: string): TasteCondition {
  const found = CONDITIONS.find((condition) => condition.name === name);
  if (found === undefined) throw new Error(`Expected a condition, found ${name}.`);
  return found;
}
