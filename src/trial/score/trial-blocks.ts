import { goldAgent } from "../../agent/scripted-agents.js";
import { groupBy } from "../../base/grouping.js";
import { counted } from "../../base/text.js";
import { modelName } from "../../model/vendor/model-name.js";
import type { Block } from "../../report/block.js";
import {
  type ColumnOf,
  estimateColumn,
  heading,
  MISSING,
  notice,
  numberColumn,
  rightColumn,
  sentence,
  tableOf,
  textCell,
  textColumn,
} from "../../report/make-block.js";
import { money } from "../../report/number-text.js";
import { EQUIVALENT_MUTANTS, isWeak, weakNotice } from "../check/mutant-blocks.js";
import { isLost, type PlacedCheck, type ScoreColumn, type TrialRecord } from "../trial-records.js";
import { isControl, type TrialRun } from "../trial-run.js";
import { goldBlocks, MUTANTS_KILLED } from "./reality.js";
import type { SummaryRow } from "./trial-tables.js";

interface Shown {
  readonly run: TrialRun;
  readonly summary: readonly SummaryRow[];
  readonly records: readonly TrialRecord[];
  readonly checks: readonly PlacedCheck[];
  readonly scores: readonly ScoreColumn[];
  readonly headline: string;
  /** Lines about what was judged, such as how the floor compares. */
  readonly judgements: readonly string[];
}

interface ArmRow {
  readonly agent: string;
  readonly rows: ReadonlyMap<string, SummaryRow>;
}

/**
 * Report for a person on a run: a table a condition with floor and ceiling, trials that are not judged, code that is
 * not contained.
 */
export function trialBlocks(shown: Shown): Block[] {
  const { run, summary } = shown;
  return [
    ...run.conditions.flatMap((condition, i) => [
      heading(3, condition),
      tableOf(null, columnsOf(shown), armsOf(run, summary, condition), { isCards: true }),
      ...(shown.judgements[i] === undefined ? [] : [sentence(shown.judgements[i])]),
    ]),
    ...passBlocks(run, summary, shown.headline),
    ...goldBlocks(run, summary),
    ...lostBlocks(shown),
    ...validityBlocks(shown),
    ...shownStrength(shown),
    ...ceilingBlocks(run),
    ...sandboxBlocks(run),
  ];
}

function armsOf(run: TrialRun, summary: readonly SummaryRow[], condition: string): ArmRow[] {
  return run.agents.map(({ name }) => {
    const own = summary.filter((row) => row.agent === name && row.condition === condition && row.groupBy === "overall");
    return { agent: name, rows: new Map(own.map((row) => [row.metric, row])) };
  });
}

/** The headline first, then false confidence, then the other shares, as far as there is room. */
function columnsOf({ run, summary, scores, headline }: Shown): ColumnOf<ArmRow>[] {
  const label = (agent: string) => {
    if (!isControl(run, agent)) return agent === "loop" ? modelName(run.model) : agent;
    return agent === "scripted:noop" ? "floor: noop" : "ceiling: gold";
  };
  const share = (metric: string, text: string, importance: 1 | 2) =>
    estimateColumn<ArmRow>(metric, text, "fraction", ({ rows }) => rows.get(metric), { importance });
  const others = scores.filter(({ kind, name }) => kind === "share" && name !== headline);
  return [
    textColumn("agent", "agent", ({ agent }) => label(agent)),
    numberColumn("n", "n", "count", ({ rows }) => rows.get(headline)?.n),
    share(headline, headline, 1),
    // Beside a pass rate: the share of mutants that the tests which it comes from kill.
    ...(summary.some(({ metric }) => metric === MUTANTS_KILLED) ? [share(MUTANTS_KILLED, "mutants killed", 1)] : []),
    ...others.map(({ name }) => share(name, name, 2)),
    share("false_confidence", "false confidence", 2),
    rightColumn("cost", "a trial costs", ({ rows }) => costCell(rows.get("cost_usd")?.value ?? null), {
      importance: 3,
    }),
  ];
}

function costCell(usd: number | null) {
  return usd === null ? MISSING : textCell(money(usd, "USD"));
}

/** Reasons that are shown. */
const MOST_REASONS = 5;

function lostBlocks({ records }: Shown): Block[] {
  const lost = records.filter(isLost);
  if (lost.length === 0) return [];
  const reasons = [...new Set(lost.map(({ status, detail }) => `${status}: ${detail ?? ""}`))];
  const more = reasons.length > MOST_REASONS ? [`… ${reasons.length - MOST_REASONS} more reasons`] : [];
  return [
    notice("bad", `${lost.length} of ${records.length} trials have no scores; the same command goes on with them.`),
    { kind: "list", items: [...reasons.slice(0, MOST_REASONS), ...more].map((reason) => [reason]) },
  ];
}

function validityBlocks({ checks }: Shown): Block[] {
  const told = (validity: boolean | null, why: string): Block[] => {
    const found = checks.filter(({ valid }) => valid === validity);
    if (found.length === 0) return [];
    return [
      notice("warning", `${found.length} of ${checks.length} tasks are in no rate: ${why}`),
      { kind: "list", items: found.map(({ task_id, reason }) => [`${task_id}: ${reason ?? "not checked"}`]) },
    ];
  };
  return [
    ...told(false, "their own tests do not hold, whoever is judged."),
    ...told(null, "they could not be checked here."),
  ];
}

/** Meaning of the column of mutants, and tasks whose tests kill few. */
function shownStrength({ checks }: Shown): Block[] {
  const tried = checks.flatMap(({ task_id, strength }) => (strength === undefined ? [] : [{ task_id, ...strength }]));
  if (tried.length === 0) return [];
  return [
    sentence(
      "Mutants killed: of a task's own code with one small fault in it, the share that its hidden tests fail on. ",
      EQUIVALENT_MUTANTS,
    ),
    ...tried.filter(isWeak).map(weakNotice),
  ];
}

/** Notice about tasks without a ceiling: nobody can show how to pass them. */
function ceilingBlocks({ tasks, agents }: TrialRun): Block[] {
  const without = tasks.filter((task) => task.has_gold === false).length;
  if (without === 0 || !agents.some(({ name, is_control }) => is_control && name === goldAgent.name)) return [];
  const whose = without === tasks.length ? "there is no ceiling" : "the ceiling is that of the others";
  return [notice("warning", `${without} of ${tasks.length} tasks have no gold patch: ${whose}.`)];
}

function sandboxBlocks({ sandbox, hidden_tests_exposed, agents, tasks }: TrialRun): Block[] {
  if (sandbox.kind !== "none") {
    const image = sandbox.image == null ? "" : `, image ${sandbox.image}`;
    const own = tasks.filter((task) => task.image !== undefined).length;
    const others =
      own === 0 ? "" : `; ${own} of ${counted(tasks.length, "tasks")} in a container of an image of their own`;
    return [notice("plain", `Sandbox: ${sandbox.version ?? sandbox.kind}${image}${others}.`)];
  }
  const why = sandbox.reason === null ? "" : ` (${sandbox.reason})`;
  const exposed = hidden_tests_exposed
    ? " The agent could read the hidden tests and the run's folder, use the network, and start processes that hide from this program."
    : "";
  const graded = agents.length > 0 ? " What was graded could do the same." : "";
  return [notice("warning", `Sandbox: none${why}.${exposed}${graded} With bubblewrap it could not.`)];
}

/** Numbers of one set of tasks, by their metric. */
interface PassRow {
  readonly name: string;
  readonly rows: ReadonlyMap<string, SummaryRow>;
}

/**
 * Pass@1, Pass@k and Pass^k of the agent that a run is about, k its trials a task: by condition, and by what else its suite
 * sets apart. Nothing where there is one trial a task and nothing is set apart.
 */
export function passBlocks(run: TrialRun, summary: readonly SummaryRow[], headline: string): Block[] {
  const [main] = run.agents;
  const own = summary.filter(({ agent, groupBy: by, condition }) => {
    return agent === main?.name && (by === "overall" || !run.conditions.includes(condition));
  });
  const k = run.trials_per_task;
  if (k === 1 && own.every(({ condition }) => run.conditions.includes(condition))) return [];
  const sets = [...groupBy(own, nameOf)].map(([name, rows]): PassRow => {
    return { name, rows: new Map(rows.map((row) => [row.metric, row])) };
  });
  const once = k === 1 ? headline : "pass_at_1";
  const share = (metric: string, label: string) =>
    estimateColumn<PassRow>(metric, label, "fraction", ({ rows }) => rows.get(metric));
  const columns: ColumnOf<PassRow>[] = [
    textColumn("set", "tasks", ({ name }) => name, { width: 32 }),
    numberColumn("n", "n", "count", ({ rows }) => rows.get(once)?.n),
    share(once, "Pass@1"),
    ...(k === 1 ? [] : [share(`pass_at_${k}`, `Pass@${k}`), share(`pass_hat_${k}`, `Pass^${k}`)]),
  ];
  return [heading(3, `${headline} by tasks`), tableOf(null, columns, sets, { isCards: true })];
}

function nameOf({ condition, groupBy: by, group }: SummaryRow): string {
  if (by === "overall") return condition;
  return `${by}: ${group}`;
}
