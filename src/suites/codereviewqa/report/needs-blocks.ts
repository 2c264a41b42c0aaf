import { formName } from "../../../question/form.js";
import type { Block } from "../../../report/block.js";
import { STATE_WORDS } from "../../../report/judgement-words.js";
import {
  type ColumnOf,
  numberColumn,
  rightColumn,
  sentence,
  tableOf,
  textCell,
  textColumn,
} from "../../../report/make-block.js";
import { numberText } from "../../../report/number-text.js";
import type { FormNeeds } from "../ask/form-needs.js";

/** Answer to "what would it take?", a row a form; nothing without any. */
export function needsBlocks(needs: readonly FormNeeds[]): Block[] {
  if (needs.length === 0) return [];
  return [
    tableOf("What would it take?", COLUMNS, needs),
    sentence(
      "Share of the questions that a model must know, guessing at the others in every order, to be told so in 80 of 100 runs: " +
        "by the tests of the verdict, against every rule on these very questions. –: knowing all of them would not do. " +
        "Words fail: questions that matching words of the review (the fitted lexical rule) gets wrong.",
    ),
  ];
}

const COLUMNS: readonly ColumnOf<FormNeeds>[] = [
  textColumn("probe", "probe", (form) => formName(form)),
  numberColumn("questions", "questions", "count", ({ questions }) => questions),
  numberColumn("clusters", "clusters", "count", ({ clusters }) => clusters, { importance: 3 }),
  numberColumn("words_fail", "words fail", "count", ({ wordsFail }) => wordsFail),
  needColumn("unsteady", `${STATE_WORDS.unsteady.text} or better`, ({ unsteady }) => unsteady),
  needColumn("above_floor", STATE_WORDS.above_floor.text, ({ aboveFloor }) => aboveFloor),
];

function needColumn(id: string, label: string, of: (form: FormNeeds) => number | null): ColumnOf<FormNeeds> {
  return rightColumn(id, label, (form) => {
    const share = of(form);
    return textCell(share === null ? "–" : `knows ${numberText(share, "fraction")}`);
  });
}
