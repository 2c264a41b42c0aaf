import { badInput } from "../../base/errors.js";
import { type Console, EXIT, type ExitCode, jsonText } from "../../console/console.js";
import { requireWritable } from "../../console/output-file.js";
import { datasetFile, inspectDataset, readExamples } from "../../dataset/dataset-file.js";
import { firstOf } from "../../dataset/problem.js";
import type { GroupFloors, RuleFloor } from "../../question/floors/floors.js";
import { measureShortcuts, type ShortcutReport, type Shortcuts } from "../../question/floors/shortcuts.js";
import type { Block, Cell } from "../../report/block.js";
import {
  type ColumnOf,
  EMPTY,
  intervalOf,
  leftColumn,
  MISSING,
  sentence as sentenceBlock,
  tableOf,
  textCell,
  textColumn,
} from "../../report/make-block.js";
import { DASH, numberText, quantityText } from "../../report/number-text.js";
import { showBlocks } from "../../report/terminal.js";
import { writeAtomically } from "../../store/atomic-write.js";
import type { ShortcutsValues } from "./dataset-options.js";

/** `probe dataset shortcuts`: what a benchmark's questions give away. */
export async function handleShortcuts(values: ShortcutsValues, console: Console): Promise<ExitCode> {
  const { out, overwrite, json } = values;
  const file = datasetFile(values.file);
  await requireWritable([{ option: "out", path: out }], { inputs: [file], overwrite });
  const report = await measureShortcuts(readExamples(file, await soundLines(file)));
  const document = jsonText(shortcutsDocument(report));
  if (out !== null) await writeAtomically(out, (append) => append(document));
  if (json) console.out(document);
  else showBlocks(console, shortcutBlocks(report));
  if (out !== null) console.err(`The same as JSON: ${out}\n`);
  return EXIT.done;
}

async function soundLines(file: string): Promise<ReadonlySet<number>> {
  const { lines, problems } = await inspectDataset(file);
  const [first, ...rest] = problems;
  if (first === undefined) return new Set(lines);
  throw badInput(firstOf([first, ...rest]));
}

/** Document of `probe dataset shortcuts --json` (spec §6); `parts` and `languages` have the fields of `forms`, `kept_out` all but the floor. */
function shortcutsDocument({ forms, parts, languages, keptOut }: ShortcutReport): object {
  return {
    forms: forms.map((form) => ({ ...placeOf(form), ...floorsOf(form.floors) })),
    parts: parts.map((each) => ({ ...placeOf(each), part: each.part, ...floorsOf(each.floors) })),
    languages: languages.map((each) => ({ ...placeOf(each), language: each.language, ...floorsOf(each.floors) })),
    kept_out: keptOut.map((each) => ({ ...placeOf(each), n: each.floors.n, rules: each.floors.rules.map(ruleOf) })),
  };
}

function placeOf({ task, difficulty }: Shortcuts): object {
  return { task, difficulty };
}

function floorsOf({ n, rules, highest }: GroupFloors): object {
  return {
    n,
    rules: rules.map(ruleOf),
    floor: highest?.share.value ?? null,
    floor_rule: highest?.rule ?? null,
  };
}

function ruleOf({ rule, sees, share: { value, low, high } }: RuleFloor): object {
  return { rule, sees, value, ci_low: low, ci_high: high };
}

/** A column of a task's table: a form, or a part of one. */
interface Column {
  readonly head: string;
  readonly group: Shortcuts;
}

/** Output of `probe dataset shortcuts`: a table a task, one by language, and the conclusions. */
export function shortcutBlocks(report: ShortcutReport): Block[] {
  const tasks = [...new Set(report.forms.map(({ task }) => task))];
  return [
    ...tasks.map((task) => taskTable(task, columnsOf(report, task))),
    ...keptOutTables(report),
    languageTable(report),
    ...shortcutLines(report).map((line) => sentenceBlock(line)),
  ];
}

/** The same in short: a sentence a form. */
export function shortcutLines({ forms }: ShortcutReport): string[] {
  return [
    ...forms.flatMap(({ floors: { noRead, lexical }, ...form }) =>
      [noRead, lexical].flatMap((floor) => (floor === null ? [] : [sentence(nameOf(form), form.chance, floor)])),
    ),
    "A rule picks an option without comprehension; a score says something where it is above every one of them.",
  ];
}

/** Distance above chance of the lower end of a rule's interval at which `validate` warns. */
const WELL_ABOVE = 0.1;

/**
 * A sentence for every form in which a rule that does not read the review is right well above chance. Not of `majority`:
 * what is common among the reviews says nothing about how the options were made.
 */
export function shortcutWarnings({ forms }: ShortcutReport): string[] {
  return forms.flatMap(({ floors, ...form }) => {
    const noRead = floors.rules.filter(({ rule, sees }) => sees !== "lexical" && rule !== "majority");
    const telling = noRead.filter(({ share }) => (share.low ?? 0) > form.chance + WELL_ABOVE);
    const most = telling.toSorted((a, b) => b.share.value - a.share.value)[0];
    return most === undefined ? [] : [`${sentence(nameOf(form), form.chance, most)} The options give the answer away.`];
  });
}

function sentence(form: string, chance: number, floor: RuleFloor): string {
  const { rule, share, n, note } = floor;
  return `${form}: the rule ${rule} (${note}) is right in ${interval(floor)} of ${n} question${n === 1 ? "" : "s"}; guessing in ${percent(chance)}.${share.value <= chance ? " That is no more than guessing." : ""}`;
}

function columnsOf({ forms, parts }: ShortcutReport, task: string): Column[] {
  return forms
    .filter((form) => form.task === task)
    .flatMap((form) => [
      { head: form.difficulty ?? "all", group: form },
      ...parts
        .filter((part) => part.task === task && part.difficulty === form.difficulty)
        .map((part) => ({ head: `${part.difficulty ?? "all"}, ${part.part}`, group: part })),
    ]);
}

/** A row of a task's table: a name, what it sees, and what it has of each form. */
interface Row {
  readonly name: string;
  readonly sees: string;
  readonly cell: (group: Shortcuts) => Cell;
}

function taskTable(task: string, columns: readonly Column[]): Block {
  const rules = new Map(
    columns.flatMap(({ group }) => group.floors.rules.map(({ rule, sees }) => [rule, sees] as const)),
  );
  const rows: Row[] = [
    ...[...rules].map(([rule, sees]): Row => {
      const cell = (group: Shortcuts) => floorCell(group.floors.rules.find((each) => each.rule === rule));
      return { name: rule, sees, cell };
    }),
    ruleRow("best no-read rule", ({ noRead }) => noRead),
    ruleRow("best lexical rule", ({ lexical }) => lexical),
    { name: "guessing", sees: "", cell: ({ chance }) => textCell(percent(chance)) },
  ];
  return tableOf<Row>(
    null,
    [
      textColumn("rule", task, ({ name }) => name),
      leftColumn("sees", "sees", ({ sees }) => (sees === "" ? EMPTY : textCell(sees)), { importance: 2 }),
      ...columns.map(({ head, group }): ColumnOf<Row> => {
        const label = `${head} (n ${group.floors.n})`;
        return leftColumn(head, label, ({ cell }) => cell(group), { importance: isPart(group) ? 3 : 1 });
      }),
    ],
    rows,
  );
}

/** Rules that no option was chosen by: a table a task. */
function keptOutTables({ keptOut }: ShortcutReport): Block[] {
  return [...new Set(keptOut.map(({ task }) => task))].map((task, i) => {
    const own = keptOut.filter((form) => form.task === task);
    return tableOf<string>(
      i === 0 ? "Kept out: rules that no option is chosen by and no verdict is measured against" : null,
      [
        textColumn("rule", task, (rule) => rule),
        ...own.map(({ floors, difficulty }): ColumnOf<string> => {
          const label = `${difficulty ?? "all"} (n ${floors.n})`;
          return leftColumn(label, label, (rule) => floorCell(floors.rules.find((each) => each.rule === rule)));
        }),
      ],
      [...new Set(own.flatMap(({ floors }) => floors.rules.map(({ rule }) => rule)))],
    );
  });
}

/** A row that names a rule of each form. */
function ruleRow(name: string, of: (floors: Shortcuts["floors"]) => RuleFloor | null): Row {
  return { name, sees: "", cell: ({ floors }) => textCell(of(floors)?.rule ?? DASH) };
}

function isPart(group: Shortcuts): boolean {
  return "part" in group;
}

function languageTable({ forms, languages }: ShortcutReport): Block {
  return tableOf<string>(
    "The floor by language: the highest of these rules",
    [
      textColumn("language", "language", (language) => language),
      ...forms.map(({ task, difficulty }, i): ColumnOf<string> => {
        const label = nameOf({ task, difficulty });
        const cell = (language: string) =>
          highestCell(
            languages.find(
              (each) => each.language === language && each.task === task && each.difficulty === difficulty,
            ),
          );
        // The columns that a narrow terminal has room for come first.
        return leftColumn(label, label, cell, { importance: i < 2 ? 1 : 3 });
      }),
    ],
    [...new Set(languages.map((each) => each.language))].sort(),
  );
}

function highestCell(own: Shortcuts | undefined): Cell {
  if (own?.floors.highest == null) return MISSING;
  return textCell(`${percent(own.floors.highest.share.value)} ${own.floors.highest.rule} (n ${own.floors.n})`);
}

function nameOf({ task, difficulty }: Pick<Shortcuts, "task" | "difficulty">): string {
  return difficulty === null ? task : `${task} ${difficulty}`;
}

function floorCell(floor: RuleFloor | null | undefined): Cell {
  return floor == null ? MISSING : textCell(interval(floor));
}

function interval({ share: { value, low, high } }: RuleFloor): string {
  return quantityText({ value, format: "fraction", interval: intervalOf(low, high) });
}

function percent(value: number): string {
  return numberText(value, "fraction");
}
