import type { Block } from "../../report/block.js";
import {
  type ColumnOf,
  heading,
  rightColumn,
  sentence,
  tableOf,
  textCell,
  textColumn,
} from "../../report/make-block.js";
import type { RunSection } from "../../trial/suite-part.js";
import { readArtifacts } from "../../trial/trial-artifacts.js";
import { recordsOf, TRIALS, type TrialRecord } from "../../trial/trial-records.js";
import type { TrialRun } from "../../trial/trial-run.js";
import type { PlacedLine } from "./score/changed-lines.js";
import { type TrialReport, trialReportSchema } from "./score/trial-report.js";

/** A trial with what its grading left. */
interface ShownTrial {
  readonly record: TrialRecord;
  readonly report: TrialReport;
  readonly patch: string;
}

/** Rules and how often they were followed, and each patch with the lines that a rule wanted marked. */
export const PATCH_SECTION: RunSection = {
  id: "patches",
  title: (model) => `Rules and patches of ${model}`,
  async blocks(stored) {
    const shown: ShownTrial[] = [];
    for (const record of await recordsOf(stored, TRIALS)) {
      const trial = record.status === "graded" ? await readTrial(stored.folder, stored.run, record) : null;
      if (trial !== null) shown.push(trial);
    }
    if (shown.length === 0) return [];
    return [...mapBlocks(shown), heading(3, "Patches"), sentence(MARKS), ...shown.map(patchBlock)];
  },
};

const MARKS = "A line that begins with * is one that a rule wanted: an additive one there, or a reductive one gone.";

async function readTrial(folder: string, run: TrialRun, record: TrialRecord): Promise<ShownTrial | null> {
  try {
    const { patch, report } = await readArtifacts(folder, run, record);
    return { record, report: trialReportSchema.parse(report), patch };
  } catch {
    // Artifacts may have been thrown away: the tables are there all the same.
    return null;
  }
}

/** A table a task: every rule, and in how many trials of each agent and condition it was followed. */
function mapBlocks(shown: readonly ShownTrial[]): Block[] {
  const tasks = [...new Set(shown.map(({ record }) => record.task_id))];
  return tasks.flatMap((task) => {
    const own = shown.filter(({ record }) => record.task_id === task);
    const arms = [...new Set(own.map(armOf))];
    const columns: ColumnOf<TrialReport["rules"][number]>[] = [
      textColumn("rule", "rule", ({ id }) => id),
      textColumn("side", "side", ({ side }) => side),
      ...arms.map((arm) => {
        const ofArm = own.filter((trial) => armOf(trial) === arm);
        return rightColumn<{ readonly id: string }>(arm, arm, ({ id }) => textCell(followedIn(ofArm, id)));
      }),
    ];
    return [
      heading(3, `Rules of ${task}, and trials that follow them`),
      tableOf(null, columns, own[0]?.report.rules ?? []),
    ];
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

/** Changed lines that a rule wanted. */
interface WantedLines {
  readonly added: readonly PlacedLine[];
  readonly removed: readonly PlacedLine[];
}

/** Characters of a patch that a page shows. */
const MOST_CHARACTERS = 200_000;

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** A patch as git writes it, with a column before it: `*` before lines that a rule wanted. */
export function markedPatch(patch: string, wanted: WantedLines): string {
  const marks = { added: keysOf(wanted.added), removed: keysOf(wanted.removed) };
  const place = { old: "", new: "", oldLine: 0, newLine: 0, oldLeft: 0, newLeft: 0 };
  const lines = patch.slice(0, MOST_CHARACTERS).replace(/\n$/, "").split("\n");
  const shown = lines.map((line) => (isWanted(line, place, marks) ? `* ${line}` : `  ${line}`));
  const cut = patch.length > MOST_CHARACTERS ? `\n  … cut: ${patch.length} characters in all` : "";
  return `${shown.join("\n")}${cut}`;
}

type Place = Record<"old" | "new", string> & Record<"oldLine" | "newLine" | "oldLeft" | "newLeft", number>;
type Marks = Readonly<Record<"added" | "removed", ReadonlySet<string>>>;

/** Goes on by a line. */
function isWanted(line: string, place: Place, { added, removed }: Marks): boolean {
  if (place.oldLeft === 0 && place.newLeft === 0) {
    readHead(line, place);
    return false;
  }
  const kind = line[0];
  if (kind === "\\") return false;
  const [old, fresh] = [`${place.old}\n${place.oldLine}`, `${place.new}\n${place.newLine}`];
  if (kind !== "+") {
    place.oldLine++;
    place.oldLeft--;
  }
  if (kind !== "-") {
    place.newLine++;
    place.newLeft--;
  }
  return kind === "+" ? added.has(fresh) : kind === "-" && removed.has(old);
}

function readHead(line: string, place: Place): void {
  if (line.startsWith("--- ")) place.old = pathOf(line);
  if (line.startsWith("+++ ")) place.new = pathOf(line);
  const hunk = HUNK.exec(line);
  if (hunk === null) return;
  const [, oldLine, oldLeft = "1", newLine, newLeft = "1"] = hunk;
  Object.assign(place, {
    oldLine: Number(oldLine),
    oldLeft: Number(oldLeft),
    newLine: Number(newLine),
    newLeft: Number(newLeft),
  });
}

function pathOf(line: string): string {
  return line
    .slice(4)
    .replace(/\t.*$/, "")
    .replace(/^"?[ab]\//, "")
    .replace(/"$/, "");
}

function keysOf(lines: readonly PlacedLine[]): Set<string> {
  return new Set(lines.map(({ path, line }) => `${path}\n${line}`));
}
