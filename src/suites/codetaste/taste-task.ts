import type { BenchTask } from "../../trial/bench-task.js";
import type { InstanceName, RuleSets } from "./assets.js";
import type { RuleEngine } from "./rules/taste-rule.js";
import type { PassBand } from "./score/test-counts.js";

/** Command that runs the tests of a tree. */
export type TestCommand =
  /** For `sh -c`, in the tree. */
  | { readonly kind: "line"; readonly line: string }
  /** A program of the data, in a folder with what it needs. */
  | { readonly kind: "script"; readonly folder: string; readonly file: string };

/** Source of a right solution. */
export type GoldSource =
  | { readonly kind: "patch"; readonly path: string }
  | { readonly kind: "commit"; readonly repository: string; readonly base: string; readonly commit: string };

/** An instance of the benchmark as a task. */
export interface TasteTask extends BenchTask {
  readonly instance: InstanceName;
  readonly description: { readonly instructed: string; readonly open: string };
  readonly rules: RuleSets;
  readonly engine: RuleEngine;
  /** `null`: no baseline tells what a pass is. */
  readonly band: PassBand | null;
  /** `null`: none is known. */
  readonly tests: TestCommand | null;
  readonly goldSource: GoldSource | null;
  /** Reason why there is no tree of it; `null`: there is one. */
  readonly treeObstacle: string | null;
  /** Reason why it cannot be tried here; `null`: it can. */
  readonly obstacle: string | null;
}
