import Table from "cli-table3";
import { intervalOf } from "../../../../report/make-block.js";
import { numberText, quantityText } from "../../../../report/number-text.js";
import type { RuleFloor } from "../../floors/floors.js";
import type { ShortcutReport, Shortcuts } from "../../floors/shortcuts.js";

/** A column of a task's table: a form, or a part of one. */
interface Column {
  readonly head: string;
  readonly group: Shortcuts;
}

const NONE = "–";

/** What `probe dataset shortcuts` prints: a table a task, one by language, and what it comes to. */
export function shortcutsText(report: ShortcutReport): string {
  const tasks = [...new Set(report.forms.map(({ task }) => task))];
  return `${[
    ...tasks.map((task) => taskTable(task, columnsOf(report, task))),
    `The floor by language: the highest of these rules\n${languageTable(report)}`,
    ...shortcutLines(report),
  ].join("\n")}\n`;
}

/** The same in short: a sentence a form. */
export function shortcutLines({ forms }: ShortcutReport): string[] {
  return [
    ...forms.flatMap(({ floors, ...form }) =>
      floors.highest === null ? [] : [sentence(nameOf(form), form.chance, floors.highest)],
    ),
    "A rule picks an option without comprehension; a score says something where it is above the best of them.",
  ];
}

/** How far above chance the lower end of a rule's interval is before `validate` warns. */
const WELL_ABOVE = 0.1;

/**
 * A sentence for every form in which a rule that does not read the review is right well above chance. Not of `majority`:
 * what is common among the reviews says nothing about how the options were made.
 */
export function shortcutWarnings({ forms }: ShortcutReport): string[] {
  return forms.flatMap(({ floors, ...form }) => {
    const fixed = floors.rules.filter(({ rule, sees }) => sees !== "lexical" && rule !== "majority");
    const telling = [...fixed, ...(floors.fitted === null ? [] : [floors.fitted])].filter(
      ({ share }) => (share.low ?? 0) > form.chance + WELL_ABOVE,
    );
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

function taskTable(task: string, columns: readonly Column[]): string {
  const table = newTable([task, "sees", ...columns.map(({ head, group }) => `${head} (n ${group.floors.n})`)]);
  const rules = new Map(
    columns.flatMap(({ group }) => group.floors.rules.map(({ rule, sees }) => [rule, sees] as const)),
  );
  for (const [rule, sees] of rules) {
    table.push([
      rule,
      sees,
      ...columns.map(({ group }) => cell(group.floors.rules.find((each) => each.rule === rule))),
    ]);
  }
  const fitted = columns.map(({ group }) => group.floors.fitted);
  table.push(
    ["fitted", fitted.find((each) => each !== null)?.sees ?? "", ...fitted.map(cell)],
    ["floor", "", ...columns.map(({ group }) => group.floors.highest?.rule ?? NONE)],
    ["guessing", "", ...columns.map(({ group }) => percent(group.chance))],
  );
  return table.toString();
}

function languageTable({ forms, languages }: ShortcutReport): string {
  const table = newTable(["", ...forms.map(nameOf)]);
  for (const language of [...new Set(languages.map((each) => each.language))].sort()) {
    const cells = forms.map(({ task, difficulty }) => {
      const own = languages.find(
        (each) => each.language === language && each.task === task && each.difficulty === difficulty,
      );
      return own?.floors.highest == null
        ? NONE
        : `${percent(own.floors.highest.share.value)} ${own.floors.highest.rule} (n ${own.floors.n})`;
    });
    table.push([language, ...cells]);
  }
  return table.toString();
}

function newTable(head: string[]): Table.Table {
  return new Table({ head, style: { head: [], border: [], compact: true } });
}

function nameOf({ task, difficulty }: Pick<Shortcuts, "task" | "difficulty">): string {
  return difficulty === null ? task : `${task} ${difficulty}`;
}

function cell(floor: RuleFloor | null | undefined): string {
  return floor == null ? NONE : interval(floor);
}

function interval({ share: { value, low, high } }: RuleFloor): string {
  return quantityText({ value, format: "fraction", interval: intervalOf(low, high) });
}

function percent(value: number): string {
  return numberText(value, "fraction");
}
