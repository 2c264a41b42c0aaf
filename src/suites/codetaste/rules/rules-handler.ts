import { join, resolve } from "node:path";
import { type Console, EXIT, type ExitCode, jsonText } from "../../../console/console.js";
import type { Block } from "../../../report/block.js";
import {
  type ColumnOf,
  heading,
  notice,
  numberColumn,
  sentence,
  tableOf,
  textColumn,
} from "../../../report/make-block.js";
import { numberText } from "../../../report/number-text.js";
import { showBlocks } from "../../../report/terminal.js";
import { writeTable } from "../../../store/csv.js";
import { makeFolder } from "../../../store/folder/work-folder.js";
import { columnsOf, type Table } from "../../../store/table.js";
import { openRoom } from "../../../trial/bench-room.js";
import type { Bench } from "../../../trial/bench-task.js";
import { jaccard } from "../../../trial/make/gold-book.js";
import { codeOf, requireSandbox, wordsOf } from "../../../trial/named-code.js";
import { selectTasks } from "../../../trial/plan-trials.js";
import { openCage } from "../../../workspace/cage.js";
import { Workspace } from "../../../workspace/workspace.js";
import { codetasteAdapter } from "../taste-adapter.js";
import type { RulesValues } from "../taste-options.js";
import type { TasteTask } from "../taste-task.js";
import { type LineSpan, type Rule, type RuleSet, type RuleSide, type ScanResult, SIDES } from "./taste-rule.js";

/** The rules of an instance, checked. */
interface CheckedTask {
  readonly task: string;
  readonly rules: readonly CheckedRule[];
  /** Reason why none of them could be; `null`: they were. */
  readonly obstacle: string | null;
}

type RuleRow = CheckedRule & { readonly task: string };

/** `rules.csv`. */
export const RULES: Table<RuleRow> = {
  file: "rules.csv",
  title: "One row a static rule of an instance, held against the code before and behind its refactoring.",
  primaryKey: ["task_id", "side", "rule"],
  columns: columnsOf<RuleRow>([
    ["task_id", "string", "The instance.", ({ task }) => task],
    ["side", "string", "additive: what is to come; reductive: what is to go.", ({ side }) => side],
    ["rule", "string", "The rule.", ({ id }) => id],
    ["kind", "string", "Key of its pattern.", ({ kind }) => kind],
    ["base_matches", "integer", "Matches on the unmodified code; empty: not run.", ({ base }) => base],
    ["gold_matches", "integer", "Matches on the right solution; empty: not run.", ({ gold }) => gold],
    ["valid", "boolean", "It tells one from the other, and is no double; empty: not known.", ({ valid }) => valid],
    ["why", "string", "Why it is not valid, or not known.", ({ why }) => why],
    ["likest_rule", "string", "The valid rule before it with the likest lines.", ({ likest }) => likest],
    ["jaccard", "number", "Jaccard similarity with the lines of that, 0–1.", ({ jaccard }) => jaccard],
    ["witness", "string", "A match that should not be, of a rule that is all but right.", ({ witness }) => witness],
  ]),
};

/** Checks rules of instances on both of their trees. */
export async function handleRules(values: RulesValues, console: Console): Promise<ExitCode> {
  const { workingDirectory } = console;
  const { repo, ruleEngine } = values;
  const folder = values.data === null ? null : resolve(workingDirectory, values.data);
  const data = await codetasteAdapter.load(folder, workingDirectory, { repo, ruleEngine, testCmd: null });
  const tasks = selectTasks(data, { taskId: values.taskId, sample: null, seed: 0, limit: null });
  const cage = await openCage({ sandbox: values.sandbox, image: values.image, hidden: data.hidden });
  requireSandbox(wordsOf(codeOf({ data: values.data, repo })), cage);
  const room = await openRoom(`rules ${process.pid} ${data.source}`);
  const checked: CheckedTask[] = [];
  try {
    for (const task of tasks) {
      const bench = room.open(cage, new AbortController().signal);
      checked.push(await checkTask(task, bench).finally(() => bench.close()));
    }
  } finally {
    await room.close();
  }
  const rows = checked.flatMap(({ task, rules }) => rules.map((rule) => ({ task, ...rule })));
  if (values.out !== null) {
    const out = resolve(workingDirectory, values.out);
    await makeFolder(out);
    await writeTable(join(out, RULES.file), RULES, rows);
  }
  if (values.json) console.out(jsonText({ tasks: checked.map(documentOf) }));
  else showBlocks(console, checked.flatMap(blocksOf));
  const isComplete = rows.length > 0 && checked.every(({ obstacle }) => obstacle === null);
  return isComplete && rows.every(({ valid }) => valid !== null) ? EXIT.done : EXIT.failedAnswers;
}

async function checkTask(task: TasteTask, bench: Bench): Promise<CheckedTask> {
  const { id, rules, engine, source, treeObstacle } = task;
  const patch = treeObstacle === null ? await codetasteAdapter.gold(task) : null;
  const failed = (obstacle: string): CheckedTask => ({ task: id, rules: [], obstacle });
  if (patch === null) return failed(treeObstacle ?? "there is no right solution");
  const base = await Workspace.create(join(await bench.folder(), "work"), source);
  const gold = await Workspace.create(join(await bench.folder(), "work"), source);
  const fault = await gold.apply(patch);
  if (fault !== null) return failed(`the right solution does not apply: ${fault}`);
  const checked: CheckedRule[] = [];
  for (const side of SIDES) {
    const scans = {
      base: await engine.scan(rules[side], base.tree, bench),
      gold: await engine.scan(rules[side], gold.tree, bench),
    };
    checked.push(...checkRules(rules[side], scans));
  }
  return { task: id, rules: checked, obstacle: null };
}

function documentOf({ task, rules, obstacle }: CheckedTask): object {
  return {
    task_id: task,
    obstacle,
    rules: rules.map(({ id, base, gold, likest, ...rule }) => ({
      rule: id,
      base_matches: base,
      gold_matches: gold,
      likest_rule: likest,
      ...rule,
    })),
  };
}

function blocksOf({ task, rules, obstacle }: CheckedTask): Block[] {
  if (obstacle !== null) return [heading(3, task), notice("warning", obstacle)];
  const count = (valid: boolean | null) => rules.filter((rule) => rule.valid === valid).length;
  const text = `Rules: ${rules.length}. Valid: ${count(true)}, not valid: ${count(false)}, not known: ${count(null)}.`;
  return [heading(3, task), sentence(text), tableOf(null, COLUMNS, rules)];
}

const WORDS = new Map([
  [true, "valid"],
  [false, "no"],
  [null, "?"],
]);

const COLUMNS: readonly ColumnOf<CheckedRule>[] = [
  textColumn("rule", "rule", ({ id }) => id),
  textColumn("side", "side", ({ side }) => side),
  numberColumn("base", "base", "count", ({ base }) => base),
  numberColumn("gold", "gold", "count", ({ gold }) => gold),
  textColumn("valid", "valid", ({ valid }) => WORDS.get(valid) ?? ""),
  numberColumn("jaccard", "likest", "coefficient", ({ jaccard }) => jaccard, { importance: 2 }),
  textColumn("why", "why", ({ why, witness }) => [why, witness].filter((part) => part !== null).join(", such as "), {
    width: 30,
  }),
];

/** A rule held against the code before and behind the refactoring. */
interface CheckedRule {
  readonly side: RuleSide;
  readonly id: string;
  /** Key of its pattern. */
  readonly kind: string;
  /** Matches on the unmodified code; `null`: it was not run. */
  readonly base: number | null;
  /** Matches on the right solution; `null`: it was not run. */
  readonly gold: number | null;
  /** True if it tells one from the other, and is no double of one before it; `null`: not known. */
  readonly valid: boolean | null;
  /** Reason why it is not valid, or not known; `null`: it is valid. */
  readonly why: string | null;
  /** The rule before it that matches the likest lines; `null`: there is none. */
  readonly likest: string | null;
  /** Jaccard similarity with the lines of that, 0–1. */
  readonly jaccard: number | null;
  /** A place where it matches though it should not, of a rule that is all but right; `null`: it is not. */
  readonly witness: string | null;
}

/** The most that two rules' lines may be alike (CodeTaste, A.3). */
export const MOST_ALIKE = 0.95;
/** A rule with so many times more matches where it should have them is all but right (A.3). */
export const ALL_BUT = 10;

/**
 * Checks the rules of one side in their order (CodeTaste §3.4, A.3). An additive rule is valid if it matches on the right
 * solution and nowhere on the base, a reductive one the other way round; and if the Jaccard similarity of the lines that it
 * matches there with those of every valid rule before it is at most .95. `valid` is `null` where either tree was not scanned
 * by it.
 */
export function checkRules({ side, rules }: RuleSet, scans: { readonly base: ScanResult; readonly gold: ScanResult }) {
  const registered: Registered[] = [];
  return rules.map((rule, i): CheckedRule => {
    const isTwice = rules.findIndex(({ id }) => id === rule.id) < i;
    const checked = checkRule(side, rule, scans, registered);
    return isTwice ? { ...checked, valid: false, why: "another rule has the same id" } : checked;
  });
}

interface Registered {
  readonly id: string;
  readonly lines: ReadonlySet<string>;
}

function checkRule(
  side: RuleSide,
  { id, kind }: Rule,
  scans: { readonly base: ScanResult; readonly gold: ScanResult },
  registered: Registered[],
): CheckedRule {
  const [base, gold] = [spansOf(scans.base, id), spansOf(scans.gold, id)];
  const counts = { base: base?.length ?? null, gold: gold?.length ?? null };
  const rule = { side, id, kind, ...counts, likest: null, jaccard: null, witness: null };
  if (base === null || gold === null)
    return { ...rule, valid: null, why: reasonIn(scans.base, id) ?? reasonIn(scans.gold, id) ?? "not run" };
  const [wanted, unwanted] = side === "additive" ? [gold, base] : [base, gold];
  const lines = linesOf(wanted);
  const [likest = null] = registered
    .map((other) => ({ id: other.id, alike: jaccard(lines, other.lines) ?? 0 }))
    .toSorted((a, b) => b.alike - a.alike);
  const why = faultIn(side, wanted, unwanted) ?? doubleOf(likest);
  if (why === null) registered.push({ id, lines });
  const isAllBut = unwanted.length > 0 && wanted.length > ALL_BUT * unwanted.length;
  const [first] = unwanted;
  return {
    ...rule,
    valid: why === null,
    why,
    likest: likest?.id ?? null,
    jaccard: likest?.alike ?? null,
    witness: isAllBut && first !== undefined ? `${first.path}:${first.first}` : null,
  };
}

function spansOf(scan: ScanResult, id: string): readonly LineSpan[] | null {
  return scan.status === "scanned" ? (scan.matches.get(id) ?? null) : null;
}

function reasonIn(scan: ScanResult, id: string): string | null {
  return scan.status === "missing" ? scan.detail : (scan.notRun.find(({ rule }) => rule === id)?.why ?? null);
}

const TREES: Readonly<Record<RuleSide, readonly [wanted: string, unwanted: string]>> = {
  additive: ["the right solution", "the unmodified code"],
  reductive: ["the unmodified code", "the right solution"],
};

function faultIn(side: RuleSide, wanted: readonly LineSpan[], unwanted: readonly LineSpan[]): string | null {
  const [there, elsewhere] = TREES[side];
  if (wanted.length === 0) return `matches nothing of ${there}`;
  return unwanted.length === 0 ? null : `matches ${elsewhere} too`;
}

function doubleOf(likest: { readonly id: string; readonly alike: number } | null): string | null {
  if (likest === null || likest.alike <= MOST_ALIKE) return null;
  return `matches the lines of ${likest.id} (Jaccard ${numberText(likest.alike, "coefficient")})`;
}

function linesOf(spans: readonly LineSpan[]): ReadonlySet<string> {
  const lines = new Set<string>();
  for (const { path, first, last } of spans) for (let line = first; line <= last; line++) lines.add(`${path}\n${line}`);
  return lines;
}
