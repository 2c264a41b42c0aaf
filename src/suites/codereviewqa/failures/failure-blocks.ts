import { counted, shorten } from "../../../base/text.js";
import type { Block, Inline } from "../../../report/block.js";
import { NOT_BOUND } from "../../../report/judgement-words.js";
import {
  type ColumnOf,
  EMPTY,
  heading,
  intervalOf,
  notice,
  numberColumn,
  rightColumn,
  sentence,
  tableOf,
  textColumn,
} from "../../../report/make-block.js";
import type { MatchName } from "../metric/written/generation-score.js";
import { thinkOf } from "../record/run-file.js";
import { forcedNotice } from "../report/run-summary.js";
import {
  CELL_NAMES,
  failCell,
  failureComparison,
  fewerOrdersText,
  OUTCOME_NAMES,
  PAPER_CELLS,
  PAPER_COLUMNS,
  rowOf,
  shareCell,
} from "./failure-comparison.js";
import type { ChainStep, FailureRow, RightShare } from "./failure-shares.js";
import { analysedModel, type FailureAnalysis, type FailureGroup, type FailureReport } from "./failures.js";

/** Ids shown of one cell, and the longest of them. */
const SHOWN_IDS = 4;
const LONGEST_ID = 40;

/** The report of `probe failures`: each model's failures and chain, then all models side by side. */
export function failureBlocks({ analyses, match }: FailureReport): Block[] {
  return [
    ...analyses.flatMap((analysis) => analysisBlocks(analysis, match)),
    ...(analyses.length > 1 ? [heading(2, "All models"), ...failureComparison(analyses)] : []),
    heading(3, "Method"),
    METHOD,
  ];
}

function analysisBlocks(analysis: FailureAnalysis, match: MatchName): Block[] {
  const [overall, ...groups] = analysis.groups;
  if (overall === undefined) return [];
  return [
    ...runBlocks(analysis),
    ...thoughtNotices(analysis),
    acrSentence(overall, match),
    ...unboundNotices(analysis),
    failureTable(
      overall.rows,
      `Share that fails a probe: not right under all orders (paper §7, Table 3, and its mirror)${fewerOrdersText([analysis])}`,
    ),
    ...lostSentence(overall.rows),
    ...idBlocks(overall.rows),
    ...(groups.length > 0 ? [groupTable(groups)] : []),
    chainTable(overall.chain, "Share that is right, step by step: CTR → CL → SI → ACR"),
  ];
}

/** The tables of one analysis for a page on which its run is named already. */
export function failureTables(analysis: FailureAnalysis): Block[] {
  const [overall] = analysis.groups;
  if (overall === undefined) return [];
  const model = analysedModel(analysis) ?? "";
  return [
    ...thoughtNotices(analysis, `${model}: `),
    ...unboundNotices(analysis, `${model}: `),
    failureTable(overall.rows, `${model}: share that fails a probe (95 %)${fewerOrdersText([analysis])}`),
    ...lostSentence(overall.rows),
    chainTable(overall.chain, `${model}: share that is right, step by step`),
  ];
}

function runBlocks({ runs, sources, examples }: FailureAnalysis): Block[] {
  const [first] = runs;
  const forced = runs.find(({ run }) => forcedNotice(run).length > 0);
  const warning = forced === undefined ? [] : forcedNotice(forced.run);
  const title = heading(2, analysedModel({ runs }) ?? "");
  const count = counted(examples.length, "examples");
  if (runs.length === 1) return [title, sentence(`${first?.folder ?? ""} · ${count}`), ...warning];
  const items = runs.map((named): Inline[] => {
    const forms = [...sources].filter(([, source]) => source === named).map(([form]) => form);
    return [`${forms.join(", ")}: ${named.folder}`];
  });
  return [title, sentence(`${count} · ${runs.length} runs as one`), { kind: "list", items }, ...warning];
}

/** Notice about runs that make one together, and of which one thought otherwise: a failure may be of that. */
function thoughtNotices({ runs }: FailureAnalysis, before = ""): Block[] {
  const asked = runs.map(({ folder, run }) => ({ folder, think: thinkOf(run) }));
  if (new Set(asked.map(({ think }) => think ?? "off")).size < 2) return [];
  const shown = asked.map(({ folder, think }) => `${think === null ? "not given" : String(think)} in ${folder}`);
  return [notice("warning", `${before}The runs were asked for other thoughts, --think ${shown.join(", ")}.`)];
}

function acrSentence({ rows, examples, matches: estimate }: FailureGroup, match: MatchName): Block {
  const matches = rowOf(rows, "match")?.n ?? 0;
  const failed = rowOf(rows, "all")?.failedGenerations ?? 0;
  return sentence(
    `ACR matches (${match}): `,
    { value: estimate?.value ?? null, format: "fraction", interval: intervalOf(estimate?.low, estimate?.high) },
    ` ${matches}/${examples}`,
    failed === 0 ? "" : `; failed generations, counted as non-matches: ${failed}`,
  );
}

/** Notices about failures that may be ones of answering with letters, not of comprehension. */
function unboundNotices({ bindings }: FailureAnalysis, before = ""): Block[] {
  const named = (status: string) => bindings.filter(({ gate }) => gate.status === status).map(({ form }) => form);
  const [failed, unknown] = [named("failed"), named("unknown")];
  return [
    ...(failed.length === 0 ? [] : [notice("bad", `${before}${unboundText(failed.join(", "))}`)]),
    ...(unknown.length === 0 ? [] : [notice("warning", `${before}${maybeUnboundText(unknown.join(", "))}`)]),
  ];
}

/** A row a cell, a column an outcome. */
function failureTable(rows: readonly FailureRow[], caption: string): Block {
  const columns = rows.map((row): ColumnOf<number> => {
    const label = `${OUTCOME_NAMES[row.outcome]} (n = ${row.n})`;
    const cell = (i: number) => failCell(row.cells[i]);
    return rightColumn(row.outcome, label, cell, { importance: row.outcome === "all" ? 3 : 1 });
  });
  const name = textColumn<number>("fails", "fails", (i) => CELL_NAMES[rows[0]?.cells[i]?.cell ?? "any"]);
  const cells = (rows[0]?.cells ?? []).map((_, i) => i);
  return tableOf(caption, [name, ...columns], cells);
}

function lostSentence(rows: readonly FailureRow[]): Block[] {
  const lost = rowOf(rows, "all")?.cells.filter(({ cell, lost: count }) => count > 0 && cell !== "any") ?? [];
  if (lost.length === 0) return [];
  const counts = lost.map(({ cell, lost: count }) => `${CELL_NAMES[cell]} ${count}`);
  return [sentence(`Of these, lost only because orders failed or were undecided: ${counts.join(", ")}`)];
}

/** The questions behind the shares: the first ids of the cells of Table 3. */
function idBlocks(rows: readonly FailureRow[]): Block[] {
  const items = rows.flatMap(({ outcome, cells }) => {
    if (outcome === "all") return [];
    return cells
      .filter(({ cell, examples }) => (PAPER_CELLS.includes(cell) || cell === "none") && examples.length > 0)
      .map(({ cell, examples }): Inline[] => {
        const ids = examples.slice(0, SHOWN_IDS).map(({ exampleId }) => shorten(exampleId, LONGEST_ID));
        const rest = examples.length - ids.length;
        return [`${`${outcome}.${cell}`.padEnd(14)} ${ids.join(" ")}${rest > 0 ? ` … and ${rest} more` : ""}`];
      });
  });
  return [
    sentence("Their examples (all of one: --list, such as --list match.any; all: --out FILE.csv)"),
    { kind: "list", items },
  ];
}

function groupTable(groups: readonly FailureGroup[]): Block {
  const rows = groups.flatMap(({ group, rows: own }) =>
    own.filter(({ outcome }) => outcome !== "all").map((row) => ({ group, row })),
  );
  const columns: ColumnOf<(typeof rows)[number]>[] = [
    textColumn("group", "group", ({ group }) => group),
    textColumn("ACR", "ACR", ({ row }) => OUTCOME_NAMES[row.outcome]),
    numberColumn("n", "n", "count", ({ row }) => row.n, { importance: 2 }),
    ...PAPER_COLUMNS.map((column) => ({ ...column, cell: ({ row }: (typeof rows)[number]) => column.cell(row) })),
  ];
  return tableOf("By group", columns, rows);
}

function chainTable(chain: readonly ChainStep[], caption: string): Block {
  const share = (label: string, of: (step: ChainStep) => RightShare | null): ColumnOf<ChainStep> =>
    rightColumn(label, label, (step) => {
      const found = of(step);
      return found === null ? EMPTY : shareCell(found.right, found.n, found.estimate);
    });
  const columns: ColumnOf<ChainStep>[] = [
    textColumn("step", "step", ({ step }) => step),
    { ...share("overall", ({ overall }) => overall), importance: 2 },
    share("every earlier step right", ({ afterRight }) => afterRight),
    share("an earlier step wrong", ({ afterWrong }) => afterWrong),
  ];
  return tableOf(caption, columns, chain);
}

const METHOD: Block = {
  kind: "facts",
  facts: [
    {
      name: "intervals",
      parts: ["Wilson, 95 %; n of a cell: the examples that were asked it (SI is not asked of deletions)"],
    },
    {
      name: "CL and SI",
      parts: ["fail at either difficulty and are right at both; at least one: of the probes the example was asked"],
    },
    { name: "chain", parts: ["a step that an example has no question for is passed over"] },
  ],
};

/** Beside failures on forms whose answers are unreadable. */
function unboundText(forms: string): string {
  return `Not to be read as comprehension: on ${forms} ${NOT_BOUND} (agreement no better than guessing).`;
}

/** Beside failures on forms whose agreement was not measured. */
function maybeUnboundText(forms: string): string {
  return `Whether the model binds letters to options is not known on ${forms} (no agreement measured).`;
}
