import { z } from "zod";
import type { LineUp } from "../../../trial/lineup/line-up.js";
import { type RuleSet, type RuleSide, type ScanResult, SIDES } from "../rules/taste-rule.js";
import type { TasteTask } from "../taste-task.js";
import type { ChangedLines, PlacedLine } from "./changed-lines.js";
import { coverageOf } from "./following.js";
import type { TestRun } from "./run-repo-tests.js";
import type { Measured, Scores } from "./taste-scores.js";
import { countsSchema } from "./test-counts.js";

const count = z.int().nonnegative();
const share = z.number().nullable();
const lineSchema = z.object({ path: z.string(), line: count });

/** Schema of a trial's `report.json`: every rule, every line that a rule wanted, the tests' results. */
export const trialReportSchema = z.object({
  engine: z.string(),
  rules: z.array(
    z.object({
      id: z.string(),
      side: z.enum(SIDES as [RuleSide, ...RuleSide[]]),
      /** `null`: it was not run. */
      matches: count.nullable(),
      /** Additive with a match, reductive without; `null`: it was not run. */
      followed: z.boolean().nullable(),
      /** Reason why it was not run to its end. */
      why: z.string().nullable(),
    }),
  ),
  scan_errors: count,
  missing: z.array(z.string()),
  lines: z
    .object({
      added: count,
      removed: count,
      relevant_added: count.nullable(),
      relevant_removed: count.nullable(),
    })
    .nullable(),
  /** Changed lines that a rule wanted. */
  wanted: z.object({ added: z.array(lineSchema), removed: z.array(lineSchema) }),
  tests: z
    .object({
      end: z.string(),
      counts: countsSchema.nullable(),
    })
    .nullable(),
  /** Line-up of tests that passed; `null`: they did not; absent: the run is older. */
  line_up: z.object({ asked: count, unseen: z.array(z.string()), turned: z.array(z.string()) }).nullish(),
  band: z.object({ min_passed: count, max_failed: count }).nullable(),
  /** Scores by the released code. */
  published: z.record(z.string(), share),
});

/** `report.json` of a trial. */
export type TrialReport = z.infer<typeof trialReportSchema>;

interface Reported {
  readonly task: TasteTask;
  readonly additive: ScanResult;
  readonly reductive: ScanResult;
  readonly base: ScanResult;
  readonly changed: ChangedLines | null;
  readonly tests: TestRun | null;
  readonly lineUp: LineUp | null;
  readonly scores: Scores;
  readonly measured: Measured;
}

/** Everything a reader may ask of a trial's scores. */
export function reportOf(reported: Reported): TrialReport {
  const { task, additive, reductive, base, changed, tests, lineUp, scores, measured } = reported;
  const { tallies, lines } = measured;
  return {
    engine: `${task.engine.name} ${task.engine.version}`,
    rules: [...rulesOf(task.rules.additive, additive), ...rulesOf(task.rules.reductive, reductive)],
    scan_errors: tallies.additive.errors + tallies.reductive.errors,
    missing: [additive, reductive, base].flatMap((scan) => (scan.status === "missing" ? [scan.detail] : [])),
    lines: lines && {
      added: lines.added,
      removed: lines.removed,
      relevant_added: lines.relevantAdded,
      relevant_removed: lines.relevantRemoved,
    },
    wanted: { added: wanted(changed?.added, additive), removed: wanted(changed?.removed, base) },
    tests: tests && { end: tests.end, counts: tests.counts },
    line_up: lineUp && { asked: lineUp.asked, unseen: [...lineUp.unseen], turned: [...lineUp.turned] },
    band: task.band && { min_passed: task.band.minPassed, max_failed: task.band.maxFailed },
    published: { ...scores.published },
  };
}

function rulesOf({ side, rules }: RuleSet, scan: ScanResult): TrialReport["rules"] {
  const reasons = new Map(scan.status === "missing" ? [] : scan.notRun.map(({ rule, why }) => [rule, why]));
  return rules.map(({ id }) => {
    const matches = scan.status === "missing" ? null : (scan.matches.get(id)?.length ?? null);
    const followed = matches === null ? null : side === "additive" ? matches > 0 : matches === 0;
    const why = scan.status === "missing" ? scan.detail : (reasons.get(id) ?? null);
    return { id, side, matches, followed, why };
  });
}

function wanted(lines: readonly PlacedLine[] | undefined, scan: ScanResult): PlacedLine[] {
  return (lines ?? []).filter(coverageOf(scan));
}
