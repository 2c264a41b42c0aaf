import type { PrintedAgent } from "./printed.js";
import type { SmellStats } from "./stats-blocks.js";

/** What `--json` prints: full precision, shares 0–1. */
export function statsDocument({ printed, trials, tables }: SmellStats): object {
  return {
    printed: printed.map(({ agents, cells, pooled, same, cellMarks }) => ({
      table1: agents.map(({ fit, ...row }) => ({ ...row, ...fitFields(fit) })),
      table3: cells.map(({ fit, ...row }) => ({ ...row, ...fitFields(fit) })),
      pooled: pooled && { ...pooled, tpr: pooled.passed / pooled.n, la: pooled.located / pooled.n },
      same: same.map(({ agent, llm, marks }) => ({ agent, llm, marks })),
      table3_llm_mean: cellMarks,
    })),
    trials,
    tables: tables.map(({ by, rows }) => ({
      by,
      rows: rows.map(({ label, n, tpr, la, laExcluded, marks, judged }) => ({
        ...Object.fromEntries(by.map((name, i) => [name, label[i] ?? ""])),
        ...{ n, tpr, la, la_excluded: laExcluded, marks, judged },
      })),
    })),
  };
}

function fitFields(fit: PrintedAgent["fit"]): object {
  const { n, excluded, passed, located } = fit ?? { n: null, excluded: null, passed: null, located: null };
  return { n, excluded, passed, located };
}
