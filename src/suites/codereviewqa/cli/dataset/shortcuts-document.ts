import type { GroupFloors, RuleFloor } from "../../floors/floors.js";
import type { ShortcutReport, Shortcuts } from "../../floors/shortcuts.js";

/** What `probe dataset shortcuts --json` prints (spec §6); `parts` and `languages` have the fields of `forms`. */
export function shortcutsDocument({ forms, parts, languages }: ShortcutReport): object {
  return {
    forms: forms.map((form) => ({ ...placeOf(form), ...floorsOf(form.floors) })),
    parts: parts.map((each) => ({ ...placeOf(each), part: each.part, ...floorsOf(each.floors) })),
    languages: languages.map((each) => ({ ...placeOf(each), language: each.language, ...floorsOf(each.floors) })),
  };
}

function placeOf({ task, difficulty }: Shortcuts): object {
  return { task, difficulty };
}

function floorsOf({ n, rules, fitted, highest }: GroupFloors): object {
  return {
    n,
    rules: [...rules, ...(fitted === null ? [] : [fitted])].map(ruleOf),
    floor: highest?.share.value ?? null,
    floor_rule: highest?.rule ?? null,
  };
}

function ruleOf({ rule, sees, share: { value, low, high } }: RuleFloor): object {
  return { rule, sees, value, ci_low: low, ci_high: high };
}
