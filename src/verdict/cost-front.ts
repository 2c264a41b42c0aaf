import { groupBy } from "../base/grouping.js";
import { meanOrNull } from "../base/sums.js";
import { modelNames } from "./leaderboard.js";
import type { RunVerdicts, Verdict } from "./verdict.js";

/** Trials of a run: the share that passes, and what a trial costs. */
export interface CostRow {
  readonly model: string;
  readonly runId: string;
  /** Trials that were judged. */
  readonly n: number;
  /** 0–1. */
  readonly passed: number;
  /** Mean US dollars of the judged trials whose cost is known; `null`: of none it is. */
  readonly costUsd: number | null;
  /** Judged trials whose cost is known. */
  readonly priced: number;
  /** True if no other run costs at most as much and passes as often, one of both better; `null`: not all its costs are known. */
  readonly isOnFront: boolean | null;
}

/** Runs about the same tasks, under one condition or under all that they have. */
export interface CostSet {
  /** `null`: all conditions together, each trial counted once. */
  readonly form: string | null;
  readonly rows: readonly CostRow[];
}

/** Passes against costs of runs of agents: a set a condition, and one of all; none of fewer than two runs. */
export function costSets(runs: readonly RunVerdicts[]): CostSet[] {
  const names = modelNames(runs);
  const named = runs.flatMap((run, i) =>
    run.forms.some(({ kind }) => kind === "trial") ? [{ run, name: names[i] ?? run.model }] : [],
  );
  const groups = groupBy(named, ({ run }) => JSON.stringify([run.suite, run.data]));
  return [...groups.values()].flatMap((own) => {
    const forms = [...new Set(own.flatMap(({ run }) => run.forms.map(({ name }) => name)))];
    // All together only where all runs have the same conditions: else it would be of different trials.
    const areSame = own.every(({ run }) => run.forms.length === forms.length);
    return [...forms, ...(forms.length > 1 && areSame ? [null] : [])].flatMap((form): CostSet[] => {
      const rows = own.flatMap(({ run, name }) => rowOf(run, name, form));
      return rows.length < 2 ? [] : [{ form, rows: withFront(rows) }];
    });
  });
}

type Draft = Omit<CostRow, "isOnFront">;

function rowOf({ runId, verdicts }: RunVerdicts, model: string, form: string | null): Draft[] {
  const judged = verdicts.filter((verdict) => verdict.passed !== null && (form === null || verdict.form === form));
  if (judged.length === 0) return [];
  const costs = judged.map(costOf);
  const passed = judged.filter((verdict) => verdict.passed === true).length / judged.length;
  const priced = costs.filter((cost) => cost !== null).length;
  return [{ model, runId, n: judged.length, passed, costUsd: meanOrNull(costs), priced }];
}

function costOf({ values }: Verdict): number | null {
  return values["cost_usd"] ?? null;
}

/** Means over some of the trials may be those of the cheap ones: such a run takes no part. */
function withFront(rows: readonly Draft[]): CostRow[] {
  const points = rows.flatMap(({ runId, passed, costUsd, n, priced }) =>
    costUsd === null || priced < n ? [] : [{ runId, cost: costUsd, score: passed }],
  );
  const front = new Set(paretoFront(points).map(({ runId }) => runId));
  const known = new Set(points.map(({ runId }) => runId));
  return rows.map((row) => ({ ...row, isOnFront: known.has(row.runId) ? front.has(row.runId) : null }));
}

/**
 * Points of which no other costs at most as much and scores at least as high, one of both strictly: by cost upwards.
 */
export function paretoFront<T extends { readonly cost: number; readonly score: number }>(points: readonly T[]): T[] {
  const beats = (a: T, b: T) => a.cost <= b.cost && a.score >= b.score && (a.cost < b.cost || a.score > b.score);
  return points.filter((point) => !points.some((other) => beats(other, point))).toSorted((a, b) => a.cost - b.cost);
}
