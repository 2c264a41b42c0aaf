import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { advisedSuite, type PlannedPart } from "../../judge/advised-suite.js";
import type { Block } from "../../report/block.js";
import { type ColumnOf, heading, sentence, tableOf, textCell } from "../../report/make-block.js";
import { plainPage } from "../../run/run-blocks.js";
import { storedRun } from "../../run/score-folder.js";
import type { StoredRun, SuitePage } from "../../run/suite.js";
import { artifactsOf } from "../../trial/artifacts.js";
import { TRIALS, type TrialRecord } from "../../trial/trial-records.js";
import type { TrialRun } from "../../trial/trial-run.js";
import { MOST_JUDGE_TOKENS, TOOL_PLACE } from "./plans.js";
import type { PlacedLine } from "./score/precision.js";
import { type TrialReport, trialReportSchema } from "./score/trial-report.js";
import { codetasteAdapter } from "./taste-adapter.js";
import { notRunBlocks } from "./taste-blocks.js";
import { conditionOf } from "./taste-conditions.js";
import { judgeText, loadPrompts, type PhaseText, planText, workText } from "./taste-prompts.js";
import type { TasteTask } from "./taste-task.js";

/** What a trial is made of, for a preview; plans that nobody wrote yet are empty. */
async function partsOf(task: TasteTask, name: string): Promise<PlannedPart[]> {
  const condition = conditionOf(name);
  const prompts = await loadPrompts();
  const part = (phase: string, asked: PlannedPart["asked"], { system, user }: PhaseText): PlannedPart => ({
    ...{ name: phase, asked, prompt: `${system}\n${user}` },
    maxTokens: asked === "judge" ? MOST_JUDGE_TOKENS : 0,
  });
  const empty = Array.from({ length: condition.plans }, () => "");
  return [
    ...(condition.plans === 0 ? [] : [part("plan", "agent", planText(prompts, task, condition, TOOL_PLACE))]),
    ...(condition.plans < 2 ? [] : [part("judge", "judge", judgeText(prompts, task, empty))]),
    part("work", "agent", workText(prompts, task, condition, condition.plans === 0 ? null : "")),
  ];
}

const advised = advisedSuite({ bench: codetasteAdapter, parts: partsOf });

/** CodeTaste as every command runs a suite. */
export const suite: typeof advised = {
  ...advised,
  async score(stored, write) {
    const score = await advised.score(stored, write);
    return { ...score, blocks: [...score.blocks, ...notRunBlocks(await recordsOf(stored))] };
  },
  page: ({ runs }) => pageOf(runs),
};

/** What each run came to, which rules were followed, and every patch. */
async function pageOf(folders: readonly string[]): Promise<SuitePage> {
  const sections = [];
  for (const [i, folder] of folders.entries()) {
    const stored = await storedRun(suite, folder);
    const blocks = await trialSections(folder, stored.run, await recordsOf(stored));
    const title = `Rules and patches of ${stored.run.model.label}`;
    if (blocks.length > 0) sections.push({ id: `${suite.name}-patches-${i + 1}`, title, blocks });
  }
  return plainPage(suite, folders, sections);
}

async function recordsOf(stored: Pick<StoredRun, "records">): Promise<TrialRecord[]> {
  const records: TrialRecord[] = [];
  for await (const own of stored.records(TRIALS)) records.push(...own);
  return records;
}

/** A trial with what its grading left. */
interface ShownTrial {
  readonly record: TrialRecord;
  readonly report: TrialReport;
  readonly patch: string;
}

/** Which rules were followed, and each patch with the lines that a rule wanted marked. */
async function trialSections(
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
    ...{ oldLine: Number(oldLine), oldLeft: Number(oldLeft) },
    ...{ newLine: Number(newLine), newLeft: Number(newLeft) },
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
