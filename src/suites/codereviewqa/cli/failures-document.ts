import type { Estimate } from "../../../stats/interval.js";
import type { CellShare, FailureRow } from "../failures/cells.js";
import type { ChainStep, RightShare } from "../failures/chain.js";
import { runIdsOf } from "../failures/failure-columns.js";
import type { FailureAnalysis, FailureReport } from "../failures/failures.js";
import type { FailureGroup } from "../failures/groups.js";

/** What `probe failures --json` prints. */
export function failuresDocument({ match, by, analyses }: FailureReport): object {
  return {
    match,
    by,
    interval: "Wilson, 95 %",
    analyses: analyses.map(analysisEntry),
  };
}

function analysisEntry(analysis: FailureAnalysis): object {
  const { runs, sources, examples, groups, bindings } = analysis;
  return {
    run_id: runIdsOf(analysis),
    model: runs[0]?.run.model.label ?? null,
    forced: runs.some(({ run }) => run.model.check?.["forced"] === true),
    runs: runs.map((named) => ({
      folder: named.folder,
      run_id: named.run.run_id,
      forms: [...sources].filter(([, source]) => source === named).map(([form]) => form),
    })),
    examples: examples.length,
    symbol_binding: bindings.map(({ form, gate }) => ({ form, gate: gate.status })),
    groups: groups.map(groupEntry),
  };
}

function groupEntry({ groupBy, group, examples, rows, chain }: FailureGroup): object {
  return { group_by: groupBy, group, examples, failures: rows.map(rowEntry), chain: chain.map(stepEntry) };
}

function rowEntry({ outcome, n, failedGenerations, cells }: FailureRow): object {
  return { acr: outcome, examples: n, failed_generations: failedGenerations, cells: cells.map(cellEntry) };
}

function cellEntry({ cell, n, examples, lost, estimate }: CellShare): object {
  return {
    fails: cell,
    ...estimateEntry(estimate),
    count: examples.length,
    n,
    lost,
    example_ids: examples.map(({ exampleId }) => exampleId),
  };
}

function stepEntry({ step, overall, afterRight, afterWrong }: ChainStep): object {
  return {
    step,
    overall: shareEntry(overall),
    after_right: afterRight && shareEntry(afterRight),
    after_wrong: afterWrong && shareEntry(afterWrong),
  };
}

function shareEntry({ right, n, estimate }: RightShare): object {
  return { ...estimateEntry(estimate), count: right, n };
}

function estimateEntry(estimate: Estimate | null): object {
  return { value: estimate?.value ?? null, ci_low: estimate?.low ?? null, ci_high: estimate?.high ?? null };
}
