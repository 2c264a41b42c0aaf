import { modelNames } from "../../verdict/leaderboard.js";
import type { RunVerdicts } from "../../verdict/verdict.js";
import type { Block } from "../block.js";
import { notice } from "../make-block.js";

/** Warning where runs beside each other have scores that were made by different rules; nothing where all are by one. */
export function ruleBlocks(runs: readonly RunVerdicts[]): Block[] {
  const names = modelNames(runs);
  const ruled = runs.flatMap(({ suite, rules = [] }, i) =>
    rules.map((rule) => ({ suite, rule, name: names[i] ?? "" })),
  );
  const isOne = ruled.every(({ suite, rule }) => ruled.every((other) => other.suite !== suite || other.rule === rule));
  if (isOne) return [];
  const told = ruled.map(({ name, rule }) => `${name}: ${rule}`).join("; ");
  return [notice("warning", `Scores were made by different rules, so that they are not alike: ${told}.`)];
}
