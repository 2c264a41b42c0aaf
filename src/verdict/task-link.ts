import { groupBy } from "../base/grouping.js";
import { counted } from "../base/text.js";
import { type Estimate, proportion } from "../stats/interval.js";
import { fisherExact } from "../stats/p-values.js";
import { judgementText } from "./judgement.js";
import { taskOfProbe } from "./task-probe.js";
import type { RunVerdicts, Verdict, VerdictForm } from "./verdict.js";

/** A task that was tried and asked about: one case, however many trials and probes it has. */
interface LinkCase {
  readonly task: string;
  /** `true`: more than half of its judged trials passed. */
  readonly succeeded: boolean;
  /** `true`: every probe of it was answered right under every order of the options. */
  readonly understood: boolean;
}

/** Success and comprehension in a table of four cells, over tasks. */
export interface LinkTable {
  /** `null`: trials under all conditions. */
  readonly condition: string | null;
  readonly cases: readonly LinkCase[];
  /** Tasks of each of the four kinds. */
  readonly both: number;
  /** Success without comprehension. */
  readonly successOnly: number;
  readonly understoodOnly: number;
  readonly neither: number;
  /** Tasks with trials but no probe, and with either but not judged: in no cell. */
  readonly unprobed: number;
  readonly unjudged: number;
  /** Fisher's exact test, two-sided; `null` without a case. */
  readonly pValue: number | null;
  /** Shares of tasks that succeeded, with Wilson's intervals; `null` without such tasks. */
  readonly ifUnderstood: Estimate | null;
  readonly ifNot: Estimate | null;
  /** Share of successes that are without comprehension; `null` without a success. */
  readonly without: Estimate | null;
}

/** Forms of probes that are used, and those that are not, with the reason in words. */
interface UsedForms {
  readonly forms: readonly string[];
  readonly leftOut: readonly { readonly form: string; readonly why: string }[];
}

/** Success in a run of trials held against comprehension in a run of probes on the same tasks. */
export type Link =
  | ({ readonly status: "linked"; readonly tables: readonly LinkTable[] } & UsedForms)
  | ({ readonly status: "refused"; readonly reason: string } & UsedForms);

/**
 * Holds success against comprehension, a case a task (its trials and its probes are no independent cases): overall, and
 * under each condition. Forms of probes whose score is not above its floor say nothing and are left out; where none is
 * above it, nothing is held against anything.
 * @param suite a run of agents
 * @param probes a run of questions about hunks of the same tasks
 */
export function linkRuns(suite: RunVerdicts, probes: RunVerdicts): Link {
  const used = usedForms(probes);
  if (probes.forms.some((form) => isProbe(form) && form.records.mayBeFewer))
    return { status: "refused", reason: STOPPED, ...used };
  if (used.forms.length === 0) return { status: "refused", reason: refusal(used), ...used };
  const open = probes.forms.find((form) => isProbe(form) && form.records.recorded < form.records.planned);
  if (open !== undefined) {
    const { recorded, planned } = open.records;
    const reason = `${open.name}: ${recorded} of ${planned} answers are recorded, so it is not known whether all probes of a task are right. Finish that run first.`;
    return { status: "refused", reason, ...used };
  }
  const asked = groupBy(
    probes.verdicts.filter(({ form, item }) => used.forms.includes(form) && taskOfProbe(item) !== null),
    ({ item }) => taskOfProbe(item) ?? "",
  );
  if (!suite.verdicts.some(({ cluster }) => asked.has(cluster))) {
    const reason = `No probe is about a task of the run: expected items such as ${suite.verdicts[0]?.cluster ?? "task"}#1, made by \`probe suite probes\`.`;
    return { status: "refused", reason, ...used };
  }
  const conditions = [...new Set(suite.verdicts.map(({ form }) => form))];
  const overall = tableOf(null, suite.verdicts, asked);
  const tables =
    conditions.length < 2
      ? [overall]
      : [
          overall,
          ...conditions.map((name) =>
            tableOf(
              name,
              suite.verdicts.filter(({ form }) => form === name),
              asked,
            ),
          ),
        ];
  return { status: "linked", tables, ...used };
}

/** Without all orders of a question the gate that scores have to pass is not measured (suites.md §6). */
const STOPPED =
  "The questions of the probes stopped at their first wrong order (--early-stop), so it was not measured whether letters " +
  "are bound to options, and right answers may not show comprehension. Ask them again without --early-stop.";

function usedForms({ forms }: RunVerdicts): UsedForms {
  const probes = forms.filter(isProbe);
  const isUsed = ({ judgement }: VerdictForm) => judgement?.state === "above_floor";
  return {
    forms: probes.filter(isUsed).map(({ name }) => name),
    leftOut: probes
      .filter((form) => !isUsed(form))
      .map(({ name, judgement }) => ({ form: name, why: judgement === null ? "a control" : judgementText(judgement) })),
  };
}

/** Form of choices with nothing withheld. */
function isProbe({ kind, ablation }: VerdictForm): boolean {
  return kind === "choice" && ablation === "none";
}

function refusal({ leftOut }: UsedForms): string {
  if (leftOut.length === 0) return "The run of probes asked no multiple-choice question: make it with --task CL,SI.";
  const all = leftOut.map(({ form, why }) => `${form}: ${why}`).join("; ");
  return `No probe's score is above its floor, so right answers do not show comprehension, and success cannot be held against it. ${all}.`;
}

function tableOf(
  condition: string | null,
  trials: readonly Verdict[],
  asked: ReadonlyMap<string, readonly Verdict[]>,
): LinkTable {
  const cases: LinkCase[] = [];
  let [unprobed, unjudged] = [0, 0];
  for (const [task, own] of groupBy(trials, ({ cluster }) => cluster)) {
    const probes = asked.get(task);
    const succeeded = successOf(own);
    const understood = probes === undefined ? null : comprehensionOf(probes);
    if (probes === undefined) unprobed++;
    else if (succeeded === null || understood === null) unjudged++;
    else cases.push({ task, succeeded, understood });
  }
  return { condition, cases, unprobed, unjudged, ...cellsOf(cases) };
}

/** `true`: more than half of the judged trials of a task passed; `null`: none was judged. */
function successOf(trials: readonly Verdict[]): boolean | null {
  const judged = trials.filter(({ passed }) => passed !== null);
  if (judged.length === 0) return null;
  return judged.filter(({ passed }) => passed).length > judged.length / 2;
}

/** One wrong answer tells; that all are right is known once none is missing. */
function comprehensionOf(probes: readonly Verdict[]): boolean | null {
  const known = probes.filter(({ passed, lost }) => passed !== null && !lost);
  if (known.some(({ passed }) => passed === false)) return false;
  return known.length === probes.length ? true : null;
}

type Cells = Omit<LinkTable, "condition" | "cases" | "unprobed" | "unjudged">;

function cellsOf(cases: readonly LinkCase[]): Cells {
  const count = (succeeded: boolean, understood: boolean) =>
    cases.filter((each) => each.succeeded === succeeded && each.understood === understood).length;
  const [both, successOnly] = [count(true, true), count(true, false)];
  const [understoodOnly, neither] = [count(false, true), count(false, false)];
  return {
    both,
    successOnly,
    understoodOnly,
    neither,
    pValue:
      cases.length === 0
        ? null
        : fisherExact([
            [both, successOnly],
            [understoodOnly, neither],
          ]),
    ifUnderstood: proportion(both, both + understoodOnly),
    ifNot: proportion(successOnly, successOnly + neither),
    without: proportion(successOnly, both + successOnly),
  };
}

/** Reasons for tasks in no cell, in words; `null`: all are in one. */
export function leftOutText({ unprobed, unjudged }: Pick<LinkTable, "unprobed" | "unjudged">): string | null {
  const parts = [
    ...(unprobed === 0 ? [] : [`${counted(unprobed, "tasks")} without a probe that is used`]),
    ...(unjudged === 0 ? [] : [`${counted(unjudged, "tasks")} whose trials or answers are not judged`]),
  ];
  return parts.length === 0 ? null : `In no cell: ${parts.join(", ")}.`;
}
