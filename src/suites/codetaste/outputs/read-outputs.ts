import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { badInput, isSystemError, ProbeError } from "../../../base/errors.js";
import { jsonValue, shorten } from "../../../base/text.js";
import { readText } from "../../../store/text-lines.js";
import { foldersIn, type InstanceName, instancePath, instancesIn, readBand, readRuleSets, textOf } from "../assets.js";
import { readCommits } from "../read-instances.js";
import { readScan } from "../rules/program-engine.js";
import type { RuleSet, RuleSide, ScanResult } from "../rules/taste-rule.js";
import { changedLines } from "../score/changed-lines.js";
import { precisionCounts, type RuleTallies, tally } from "../score/following.js";
import { codeLines, textsOfPatch } from "../score/measure-tree.js";
import { type Scores, scoresOf } from "../score/taste-scores.js";
import { countsSchema, passes, type TestCounts, testCounts } from "../score/test-counts.js";

/** An agent's work on an instance, as released outputs hold it, scored. */
export interface OutputRow {
  /** Such as `open/plan`; `pseudo_agents/direct` of right and empty solutions. */
  readonly condition: string;
  readonly agent: string;
  readonly task: string;
  /** By `instances.csv`; `null`: it does not tell. */
  readonly language: string | null;
  readonly scores: Scores;
  readonly tallies: RuleTallies;
  /** Reasons for missing results of a side's rules. */
  readonly missing: readonly { readonly side: RuleSide; readonly detail: string }[];
  readonly tests: TestState;
  /** US dollars of all phases; `null`: a phase does not tell, or none is told of. */
  readonly costUsd: number | null;
}

/** State of the tests: `told` with counts, `lost` where they ran and printed none. */
type TestState = "told" | "lost" | "not_run" | "no_baseline";

/** Released results of rules on unmodified code are here, among the outputs. */
const PSEUDO = "pseudo_agents/direct";

const evaluationSchema = z.looseObject({
  agent_test_metrics: countsSchema.nullish(),
  instance_metadata: z.looseObject({ has_execution_environment: z.boolean().optional() }).optional(),
});
const costSchema = z.looseObject({ cost_usd: z.number().nullish(), judge_cost_usd: z.number().nullish() });

/**
 * Scores a tree of released outputs: `TRACK/MODE/OWNER/REPOSITORY/HASH/AGENT`.
 * @param data with `assets` and `baseline_results`
 * @throws ProbeError `bad_input` where there is nothing of that kind
 */
export async function readOutputs(outputs: string, data: string): Promise<OutputRow[]> {
  const rows: OutputRow[] = [];
  const commits = await readCommits(data);
  for (const track of await foldersIn(outputs))
    for (const mode of await foldersIn(join(outputs, track)))
      for (const instance of await instancesIn(join(outputs, track, mode)))
        rows.push(
          ...(await rowsOf({
            outputs,
            data,
            condition: `${track}/${mode}`,
            instance,
            language: commits.get(instancePath(instance))?.language ?? null,
          })),
        );
  if (rows.length > 0) return rows;
  throw badInput(`Expected outputs in ${shorten(outputs, 300)}/TRACK/MODE/OWNER/REPOSITORY/HASH/AGENT, found none.`);
}

interface Place {
  readonly outputs: string;
  readonly data: string;
  readonly condition: string;
  readonly instance: InstanceName;
  readonly language: string | null;
}

async function rowsOf(place: Place): Promise<OutputRow[]> {
  const { outputs, data, condition, instance, language } = place;
  const task = instancePath(instance);
  const folder = join(outputs, condition, task);
  const agents = (await foldersIn(folder)).filter(
    (agent) => existsSync(join(folder, agent, "prediction.diff")) || existsSync(join(folder, agent, "evaluation")),
  );
  const band = await readBand(data, instance);
  // All results count, as in the released evaluation: rules are told apart for what is followed alone.
  const base = await readScan(join(outputs, PSEUDO, task, "null_agent/evaluation", SARIF_FILES.reductive), null);
  const rows: OutputRow[] = [];
  for (const agent of agents) {
    const own = join(folder, agent);
    const evaluation = join(own, "evaluation");
    const rules = await readRuleSets([evaluation, join(data, "assets/rules", task)]);
    const additive = await scanIn(evaluation, rules.additive);
    const reductive = await scanIn(evaluation, rules.reductive);
    const tallies = {
      additive: tally(rules.additive.rules, additive),
      reductive: tally(rules.reductive.rules, reductive),
    };
    const tests = await readTests(evaluation);
    const patch = await patchIn(join(own, "prediction.diff"));
    const changed = patch === null ? null : changedLines(patch);
    const scans = { additiveOnTree: additive, reductiveOnBase: base };
    const lines = changed && precisionCounts(changed, scans);
    const code = changed && precisionCounts(await codeLines(changed, textsOfPatch(patch ?? "")), scans);
    rows.push({
      condition,
      agent,
      task,
      language,
      tallies,
      scores: scoresOf({ tallies, lines, code, pass: tests === null ? null : passes(tests.counts, band) }),
      missing: [...missingOf("additive", additive), ...missingOf("reductive", reductive)],
      tests: stateOf(tests, band !== null),
      costUsd: await readCost(own),
    });
  }
  return rows;
}

const MOST_PATCH_BYTES = 256 * 1024 * 1024;

/** A patch; `null`: there is none, or none that can be read. */
async function patchIn(path: string): Promise<string | null> {
  try {
    return await readText(path, MOST_PATCH_BYTES);
  } catch (error) {
    if (error instanceof ProbeError || isSystemError(error, "ENOENT")) return null;
    throw error;
  }
}

const SARIF_FILES: Readonly<Record<RuleSide, string>> = {
  additive: "rules_positive.sarif",
  reductive: "rules_negative.sarif",
};

/** Without a rule file, whatever has results counts. */
function scanIn(folder: string, { side, path, rules }: RuleSet): Promise<ScanResult> {
  return readScan(join(folder, SARIF_FILES[side]), path === "" ? null : rules);
}

function missingOf(side: RuleSide, scan: ScanResult): OutputRow["missing"] {
  return scan.status === "missing" ? [{ side, detail: scan.detail }] : [];
}

/** Counts of tests that ran; `null`: they did not run, or cannot. */
async function readTests(folder: string): Promise<{ readonly counts: TestCounts | null } | null> {
  const told = evaluationSchema.safeParse(jsonValue(await textOf(join(folder, "evaluation_result.json")))).data;
  if (told?.instance_metadata?.has_execution_environment === false) return null;
  if (told?.agent_test_metrics != null) return { counts: told.agent_test_metrics };
  const output = join(folder, "test_output.txt");
  if (existsSync(output)) return { counts: testCounts(await textOf(output)) };
  return told === undefined ? null : { counts: null };
}

function stateOf(tests: { readonly counts: TestCounts | null } | null, hasBaseline: boolean): TestState {
  if (tests === null) return "not_run";
  if (!hasBaseline) return "no_baseline";
  return tests.counts === null ? "lost" : "told";
}

/** Files with the cost of each phase; one that took part and does not tell its cost makes the sum unknown. */
const COST_FILES = [
  "inference_metadata.json",
  "plan_metadata.json",
  "multiplan_generation_metadata.json",
  "multiplan_metadata.json",
];

async function readCost(folder: string): Promise<number | null> {
  const files = COST_FILES.filter((file) => existsSync(join(folder, file)));
  if (files.length === 0) return null;
  let sum: number | null = 0;
  for (const file of files) {
    const told = costSchema.safeParse(jsonValue(await textOf(join(folder, file)))).data;
    const cost = told?.cost_usd ?? told?.judge_cost_usd ?? null;
    // The released files have -1 for what is not known.
    sum = sum === null || cost === null || cost < 0 ? null : sum + cost;
  }
  return sum;
}
