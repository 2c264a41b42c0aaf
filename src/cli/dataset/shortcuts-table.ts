import type { RuleFloor } from "../../question/floors/floors.js";
import type { ShortcutReport, Shortcuts } from "../../question/floors/shortcuts.js";
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
    ...(report.keptOut.length === 0 ? [] : [keptOutTable(report)]),
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

/** Rules that no option was chosen by. */
function keptOutTable({ keptOut }: ShortcutReport): Block {
  const rules = [...new Set(keptOut.flatMap(({ floors }) => floors.rules.map(({ rule }) => rule)))];
  return tableOf<string>(
    "Kept out: rules that no option is chosen by and no verdict is measured against",
    [
      textColumn("rule", "rule", (rule) => rule),
      ...keptOut.map(({ floors, ...form }): ColumnOf<string> => {
        const label = `${nameOf(form)} (n ${floors.n})`;
        return leftColumn(label, label, (rule) => floorCell(floors.rules.find((each) => each.rule === rule)));
      }),
    ],
    rules,
  );
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
