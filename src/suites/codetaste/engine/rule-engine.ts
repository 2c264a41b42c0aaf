import type { Bench } from "../../../trial/adapter.js";
import type { RuleSet, ScanResult } from "../rules/rule.js";

/** What `--rule-engine` takes. */
export const ENGINES = ["auto", "opengrep", "semgrep", "regex"] as const;
export type EngineName = (typeof ENGINES)[number];

/** What runs rules on trees. */
export interface RuleEngine {
  readonly name: Exclude<EngineName, "auto">;
  /** Such as `1.14.0`: another one is another engine. */
  readonly version: string;
  /** @throws the reason of the bench's signal when that stops it */
  scan(set: RuleSet, tree: string, bench: Bench): Promise<ScanResult>;
}
