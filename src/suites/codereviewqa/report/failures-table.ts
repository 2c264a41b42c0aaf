import Table from "cli-table3";
import { printable } from "../../../base/text.js";
import { type Estimate, proportion } from "../../../stats/interval.js";
import type { AcrOutcome, CellShare, FailureCell, FailureRow } from "../failures/cells.js";
import type { ChainStep, RightShare } from "../failures/chain.js";
import type { FailureAnalysis, FailureReport } from "../failures/failures.js";
import type { FailureGroup } from "../failures/groups.js";
import type { MatchName } from "../failures/match.js";

const STYLE = { head: [], border: [], compact: true };
/** Ids shown of one cell. */
const SHOWN_IDS = 4;

/** Names of the cells for people. */
export const CELL_NAMES: Readonly<Record<FailureCell, string>> = {
  CTR: "CTR",
  CL_easy: "CL easy",
  CL_hard: "CL hard",
  CL: "CL, either",
  SI_easy: "SI easy",
  SI_hard: "SI hard",
  SI: "SI, either",
  any: "at least one",
  none: "none of them",
};

/** The columns of the paper's Table 3, in its order. */
const PAPER_CELLS: readonly FailureCell[] = ["any", "CTR", "CL", "SI"];

/** What `probe failures` prints: each model's failures and chain, then all models side by side. */
export function failuresText(report: FailureReport): string {
  const { analyses, match } = report;
  return [
    ...analyses.map((analysis) => analysisText(analysis, match)),
    ...(analyses.length > 1 ? [comparisonText(analyses)] : []),
    methodText(),
  ].join("\n");
}

function analysisText(analysis: FailureAnalysis, match: MatchName): string {
  const [overall, ...groups] = analysis.groups;
  if (overall === undefined) return "";
  const lines = [
    ...runLines(analysis),
    acrLine(overall, match),
    ...unboundLines(analysis),
    "Share that fails a probe: not right under all orders (paper §7, Table 3, and its mirror)",
    failureTable(overall.rows),
    ...lostLines(overall.rows),
    ...idLines(overall.rows),
    ...(groups.length > 0 ? ["By group", groupTable(groups)] : []),
    "Share that is right, step by step: CTR → CL → SI → ACR",
    chainTable(overall.chain),
  ];
  return `${lines.join("\n")}\n`;
}

function runLines({ runs, sources, examples }: FailureAnalysis): string[] {
  const label = printable(runs[0]?.run.model.label ?? "");
  const forced = runs.some(({ run }) => run.model.check?.["forced"] === true)
    ? ["FORCED: the check refused this server; its numbers may mean nothing."]
    : [];
  const count = `${examples.length} examples`;
  if (runs.length === 1) return [`${label} · ${printable(runs[0]?.folder ?? "", 1000)} · ${count}`, ...forced];
  const parts = runs.map((named) => {
    const forms = [...sources].filter(([, source]) => source === named).map(([form]) => form);
    return `  ${forms.join(", ")}: ${printable(named.folder, 1000)}`;
  });
  return [`${label} · ${count} · ${runs.length} runs as one`, ...parts, ...forced];
}

function acrLine({ rows, examples }: FailureGroup, match: MatchName): string {
  const matches = rowOf(rows, "match")?.n ?? 0;
  const failed = rowOf(rows, "all")?.failedGenerations ?? 0;
  const lost = failed === 0 ? "" : `; failed generations, counted as non-matches: ${failed}`;
  return `ACR matches (${match}): ${shareText({ n: examples, right: matches, estimate: proportion(matches, examples) })}${lost}`;
}

function rowOf(rows: readonly FailureRow[], outcome: AcrOutcome): FailureRow | undefined {
  return rows.find((row) => row.outcome === outcome);
}

/** Where a failure may be one of answering with letters, not of comprehension. */
function unboundLines({ bindings }: FailureAnalysis): string[] {
  const named = (status: string) => bindings.filter(({ gate }) => gate.status === status).map(({ form }) => form);
  const [failed, unknown] = [named("failed"), named("unknown")];
  return [
    ...(failed.length === 0
      ? []
      : [
          `Not to be read as comprehension: on ${failed.join(", ")} the model does not bind letters to options ` +
            "(agreement no better than guessing).",
        ]),
    ...(unknown.length === 0
      ? []
      : [`Whether the model binds letters to options is not known on ${unknown.join(", ")} (no agreement measured).`]),
  ];
}

function failureTable(rows: readonly FailureRow[]): string {
  const table = new Table({
    head: ["fails", ...rows.map(({ outcome, n }) => `${outcomeName(outcome)} (n=${n})`)],
    style: STYLE,
  });
  for (const [i, { cell }] of (rows[0]?.cells ?? []).entries()) {
    table.push([CELL_NAMES[cell], ...rows.map(({ cells }) => cellText(cells[i]))]);
  }
  return table.toString();
}

export function outcomeName(outcome: AcrOutcome): string {
  return { non_match: "ACR non-matches", match: "ACR matches", all: "all examples" }[outcome];
}

function cellText(share: CellShare | undefined): string {
  return share === undefined ? "–" : shareText({ right: share.examples.length, n: share.n, estimate: share.estimate });
}

/** Such as `0.250 (0.102–0.495) 4/16`. */
function shareText({ right, n, estimate }: RightShare): string {
  return estimate === null ? "– 0/0" : `${estimateText(estimate)} ${right}/${n}`;
}

function estimateText({ value, low, high }: Estimate): string {
  return low === null || high === null
    ? value.toFixed(3)
    : `${value.toFixed(3)} (${low.toFixed(3)}–${high.toFixed(3)})`;
}

function lostLines(rows: readonly FailureRow[]): string[] {
  const lost = rowOf(rows, "all")?.cells.filter(({ cell, lost: count }) => count > 0 && cell !== "any") ?? [];
  if (lost.length === 0) return [];
  const counts = lost.map(({ cell, lost: count }) => `${CELL_NAMES[cell]} ${count}`);
  return [`Of these, lost only because orders failed or were undecided: ${counts.join(", ")}`];
}

/** The questions behind the shares: the first ids of the cells of Table 3. */
function idLines(rows: readonly FailureRow[]): string[] {
  const lines = rows.flatMap(({ outcome, cells }) => {
    if (outcome === "all") return [];
    return cells
      .filter(({ cell, examples }) => (PAPER_CELLS.includes(cell) || cell === "none") && examples.length > 0)
      .map(({ cell, examples }) => {
        const ids = examples.slice(0, SHOWN_IDS).map(({ exampleId }) => printable(exampleId, 40));
        const rest = examples.length - ids.length;
        return `  ${`${outcome}.${cell}`.padEnd(14)} ${ids.join(" ")}${rest > 0 ? ` … and ${rest} more` : ""}`;
      });
  });
  return ["Their examples (all of one: --list, such as --list match.any; all: --out FILE.csv)", ...lines];
}

function groupTable(groups: readonly FailureGroup[]): string {
  const table = new Table({
    head: ["group", "ACR", "n", ...PAPER_CELLS.map((cell) => CELL_NAMES[cell])],
    style: STYLE,
  });
  for (const { group, rows } of groups) {
    for (const row of rows.filter(({ outcome }) => outcome !== "all")) {
      table.push([group, outcomeName(row.outcome), String(row.n), ...paperCells(row)]);
    }
  }
  return table.toString();
}

function paperCells({ cells }: FailureRow): string[] {
  return PAPER_CELLS.map((name) => cellText(cells.find(({ cell }) => cell === name)));
}

function chainTable(chain: readonly ChainStep[]): string {
  const table = new Table({
    head: ["step", "overall", "every earlier step right", "an earlier step wrong"],
    style: STYLE,
  });
  const text = (share: RightShare | null) => (share === null ? "" : shareText(share));
  for (const { step, overall, afterRight, afterWrong } of chain) {
    table.push([step, text(overall), text(afterRight), text(afterWrong)]);
  }
  return table.toString();
}

function comparisonText(analyses: readonly FailureAnalysis[]): string {
  const blocks = (["non_match", "match"] as const).flatMap((outcome) => {
    const table = new Table({
      head: ["model", "run", "n", ...PAPER_CELLS.map((cell) => CELL_NAMES[cell])],
      style: STYLE,
    });
    for (const { runs, groups } of analyses) {
      const row = rowOf(groups[0]?.rows ?? [], outcome);
      const folders = runs.map(({ folder }) => printable(folder, 60)).join(" + ");
      if (row !== undefined) {
        table.push([printable(runs[0]?.run.model.label ?? "", 40), folders, String(row.n), ...paperCells(row)]);
      }
    }
    return [`Share of ${outcomeName(outcome)} that fails`, table.toString()];
  });
  return `${blocks.join("\n")}\n`;
}

function methodText(): string {
  const lines = [
    "intervals: Wilson, 95 %; n of a cell: the examples that were asked it (SI is not asked of deletions)",
    "CL and SI fail at either difficulty and are right at both; at least one: of the probes the example was asked",
    "chain: a step that an example has no question for is passed over",
  ];
  return `${lines.join("\n")}\n`;
}
