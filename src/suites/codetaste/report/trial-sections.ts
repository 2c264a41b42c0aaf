import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Block } from "../../../report/block.js";
import { type ColumnOf, heading, sentence, tableOf, textCell } from "../../../report/make-block.js";
import { artifactsOf } from "../../../trial/artifacts.js";
import type { TrialRecord } from "../../../trial/records.js";
import type { TrialRun } from "../../../trial/trial-run.js";
import { type TrialReport, trialReportSchema } from "../grade/report.js";
import { markedPatch } from "./marked-patch.js";

/** A trial with what its grading left. */
interface ShownTrial {
  readonly record: TrialRecord;
  readonly report: TrialReport;
  readonly patch: string;
}

/** Which rules were followed, and each patch with the lines that a rule wanted marked. */
export async function trialSections(
  folder: string,
  run: Pick<TrialRun, "agents">,
  records: readonly TrialRecord[],
): Promise<Block[]> {
  const shown: ShownTrial[] = [];
  for (const record of records.filter(({ status }) => status === "graded")) {
    const trial = await readTrial(folder, run, record);
    if (trial !== null) shown.push(trial);
  }
  if (shown.length === 0) return [];
  return [...mapBlocks(shown), heading(3, "Patches"), sentence(MARKS), ...shown.map(patchBlock)];
}

const MARKS = "A line that begins with * is one that a rule wanted: an additive one there, or a reductive one gone.";

async function readTrial(
  folder: string,
  { agents }: Pick<TrialRun, "agents">,
  record: TrialRecord,
): Promise<ShownTrial | null> {
  const { agent, condition, task_id: taskId, trial } = record;
  const isControl = agents.some(({ name, is_control }) => name === agent && is_control);
  const place = artifactsOf(folder, { agent, isControl, condition, taskId, trial });
  try {
    const report = trialReportSchema.parse(JSON.parse(await readFile(join(place, "report.json"), "utf8")));
    return { record, report, patch: await readFile(join(place, "patch.diff"), "utf8").catch(() => "") };
  } catch {
    // Artifacts may have been thrown away: the tables are there all the same.
    return null;
  }
}

interface RuleRow {
  readonly id: string;
  readonly side: string;
  readonly cells: ReadonlyMap<string, string>;
}

/** A table a task: every rule, and in how many trials of each agent and condition it was followed. */
function mapBlocks(shown: readonly ShownTrial[]): Block[] {
  const tasks = [...new Set(shown.map(({ record }) => record.task_id))];
  return tasks.flatMap((task) => {
    const own = shown.filter(({ record }) => record.task_id === task);
    const arms = [...new Set(own.map(armOf))];
    const rows = (own[0]?.report.rules ?? []).map(({ id, side }): RuleRow => {
      const cells = arms.map(
        (arm) =>
          [
            arm,
            followedIn(
              own.filter((trial) => armOf(trial) === arm),
              id,
            ),
          ] as const,
      );
      return { id, side, cells: new Map(cells) };
    });
    const columns: ColumnOf<RuleRow>[] = [
      { ...{ id: "rule", label: "rule", align: "left", importance: 1 }, cell: ({ id }) => textCell(id) },
      { ...{ id: "side", label: "side", align: "left", importance: 1 }, cell: ({ side }) => textCell(side) },
      ...arms.map(
        (arm): ColumnOf<RuleRow> => ({
          ...{ id: arm, label: arm, align: "right", importance: 1 },
          cell: ({ cells }) => textCell(cells.get(arm) ?? ""),
        }),
      ),
    ];
    return [heading(3, `Rules of ${task}, and trials that follow them`), tableOf(null, columns, rows)];
  });
}

function armOf({ record }: ShownTrial): string {
  return `${record.agent}, ${record.condition}`;
}

function followedIn(trials: readonly ShownTrial[], id: string): string {
  const told = trials.flatMap(({ report }) => report.rules.filter((rule) => rule.id === id));
  const known = told.filter(({ followed }) => followed !== null);
  return known.length === 0 ? "not run" : `${known.filter(({ followed }) => followed).length} of ${known.length}`;
}

function patchBlock({ record, report, patch }: ShownTrial): Block {
  const { agent, condition, task_id, trial } = record;
  const text = patch === "" ? "Nothing was changed." : markedPatch(patch, report.wanted);
  const summary = `${task_id}, ${condition}, ${agent}, trial ${trial}`;
  return { kind: "details", summary, blocks: [{ kind: "code", text }] };
}
