import type { Block } from "../../../report/block.js";
import { type ColumnOf, heading, notice, numberColumn, tableOf, textColumn } from "../../../report/make-block.js";
import type { SummaryRow } from "../../../trial/score/trial-tables.js";
import type { TrialRecord } from "../../../trial/trial-records.js";
import type { TrialRun } from "../../../trial/trial-run.js";
import {
  aligned,
  following,
  type Precision,
  type PrecisionCounts,
  type PublishedFollowing,
  precision,
  publishedFollowing,
  publishedPrecision,
  type RuleTallies,
} from "./following.js";

/** Measurements of a patch. */
export interface Measured {
  readonly tallies: RuleTallies;
  /** `null`: the patch cannot be read. */
  readonly lines: PrecisionCounts | null;
  /** Counts of lines of code alone; `null`: the patch cannot be read. */
  readonly code: PrecisionCounts | null;
  /** `null`: no baseline tells what a pass is. */
  readonly pass: boolean | null;
}

/** Scores that the released code has too, by the names of their columns. */
export const RELEASED = [
  "ifr",
  "ifr_additive",
  "ifr_reductive",
  "alignment",
  "alignment_additive",
  "alignment_reductive",
  "precision",
  "precision_added",
  "precision_removed",
] as const;

export type ReleasedName = (typeof RELEASED)[number];

type ReleasedScores = Readonly<Record<ReleasedName, number | null>>;

/** Scores of a patch by the names of their columns; shares 0–1, `null`: unknown. */
export interface Scores extends ReleasedScores, FilteredScores {
  readonly ifr_supported: number | null;
  readonly rules_supported: number;
  readonly pass: boolean | null;
  /** Passes and follows every rule; `null` where either cannot be told. */
  readonly refactored: boolean | null;
  /** The same by the released code. */
  readonly published: ReleasedScores;
}

/** Scores of lines of code alone, as the paper's Table 6 filters them. */
export const FILTERED = ["precision_filtered", "precision_added_filtered", "precision_removed_filtered"] as const;
/** Counts of such lines. */
export const LINE_COUNTS = ["edited_lines", "added_lines", "removed_lines"] as const;

type FilteredScores = Readonly<Record<(typeof FILTERED | typeof LINE_COUNTS)[number], number | null>>;

const NO_LINES: Precision = { overall: null, added: null, removed: null };

/** All scores of a patch. */
export function scoresOf({ tallies, lines, code, pass }: Measured): Scores {
  const ours = following(tallies);
  const published = publishedFollowing(tallies);
  const [own, released] = lines === null ? [NO_LINES, NO_LINES] : [precision(lines), publishedPrecision(lines)];
  return {
    ...ours,
    pass,
    ...alignments(pass, ours),
    refactored: pass === null || ours.ifr === null ? null : pass && ours.ifr === 1,
    ...namedPrecision(own),
    ...filteredScores(code),
    published: { ...published, ...alignments(pass, published), ...namedPrecision(released) },
  };
}

function alignments(pass: boolean | null, { ifr, ifr_additive, ifr_reductive }: PublishedFollowing) {
  return {
    alignment: aligned(pass, ifr),
    alignment_additive: aligned(pass, ifr_additive),
    alignment_reductive: aligned(pass, ifr_reductive),
  };
}

function filteredScores(code: PrecisionCounts | null): FilteredScores {
  const { overall, added, removed } = code === null ? NO_LINES : precision(code);
  return {
    precision_filtered: overall,
    precision_added_filtered: added,
    precision_removed_filtered: removed,
    edited_lines: code && code.added + code.removed,
    added_lines: code?.added ?? null,
    removed_lines: code?.removed ?? null,
  };
}

function namedPrecision({ overall, added, removed }: Precision) {
  return { precision: overall, precision_added: added, precision_removed: removed };
}

interface ArmRow {
  readonly agent: string;
  readonly condition: string;
  readonly rows: ReadonlyMap<string, SummaryRow>;
}

/** Table of rules followed, by agent and condition, with floor and ceiling beside it. */
export function scoreBlocks({ agents, conditions }: TrialRun, summary: readonly SummaryRow[]): Block[] {
  const arms = conditions.flatMap((condition) =>
    agents.map(({ name: agent }): ArmRow => {
      const own = summary.filter(
        (row) => row.agent === agent && row.condition === condition && row.groupBy === "overall",
      );
      return { agent, condition, rows: new Map(own.map((row) => [row.metric, row])) };
    }),
  );
  return [heading(3, "Rules and lines"), tableOf(null, COLUMNS, arms, { isCards: true })];
}

const COLUMNS: readonly ColumnOf<ArmRow>[] = [
  textColumn("condition", "condition", ({ condition }) => condition, { width: 18 }),
  textColumn("agent", "agent", ({ agent }) => agent, { width: 20 }),
  share("ifr", "IFR"),
  share("ifr_additive", "IFR⁺", 2),
  share("ifr_reductive", "IFR⁻", 2),
  share("alignment", "A"),
  share("precision", "Prec"),
];

function share(metric: string, label: string, importance: 1 | 2 = 1): ColumnOf<ArmRow> {
  return numberColumn(metric, label, "fraction", ({ rows }) => rows.get(metric)?.value, { importance });
}

/** Key in a trial's record: rules that were not run, and why. */
export const RULES_NOT_RUN = "rules_not_run";

const MOST_NAMED = 5;

/** Notices about instances with rules of which nothing is known. */
export function notRunBlocks(records: readonly TrialRecord[]): Block[] {
  const found = new Map<string, readonly string[]>();
  for (const { task_id, scores } of records) {
    const told = scores[RULES_NOT_RUN];
    if (typeof told === "string" && told !== "") found.set(task_id, told.split("\n"));
  }
  return [...found].map(([task, rules]) => {
    const named = rules.slice(0, MOST_NAMED).join("; ");
    const more = rules.length > MOST_NAMED ? `; and ${rules.length - MOST_NAMED} more` : "";
    return notice(
      "warning",
      `${task}: not run, so that its IFR is not known: ${rules.length} rules (${named}${more}). ` +
        "ifr_supported is of the others. With opengrep or semgrep on the search path all can be run.",
    );
  });
}
