import { nounOf } from "../../../base/counted.js";
import type { Block, Column } from "../../../report/block.js";
import { type ColumnOf, numberCell, sentence, tableOf, textCell } from "../../../report/make-block.js";
import { money } from "../../../report/money.js";
import { numberText } from "../../../report/number-text.js";
import type { RunPreview } from "../ask/dry-run.js";
import { formName } from "../example/form.js";

type Form = RunPreview["forms"][number];

/** What `--dry-run` shows. */
export function previewBlocks(preview: RunPreview): Block[] {
  const { model, examples, questions, calls, promptTokens, prompts } = preview;
  const tokens = promptTokens === null ? "prompt tokens unknown" : `${count(promptTokens)} prompt tokens`;
  return [
    sentence(
      [model, named(examples, "examples"), named(questions, "questions"), named(calls, "calls"), tokens].join(" · "),
    ),
    tableOf(null, COLUMNS, preview.forms),
    ...(preview.tokensUnknown === null
      ? []
      : [
          sentence(
            `Tokens unknown (about ${count(preview.estimatedPromptTokens)} by length): ${preview.tokensUnknown}`,
          ),
        ]),
    costSentence(preview),
    ...prompts.flatMap(({ task, text }): Block[] => [
      sentence(`--- first prompt of ${task} ---`),
      { kind: "code", text },
    ]),
    sentence("Nothing was asked (--dry-run)."),
  ];
}

function named(number: number, plural: string): string {
  return `${count(number)} ${nounOf(number, plural)}`;
}

const COLUMNS: readonly ColumnOf<Form>[] = [
  {
    id: "probe",
    label: "probe",
    align: "left",
    importance: 1,
    cell: (form) => textCell(formName(form)),
  },
  counted("questions", 1, ({ questions }) => questions),
  counted("skipped", 2, ({ skipped }) => skipped),
  counted("calls", 1, ({ calls }) => calls),
  counted("prompt tokens", 1, ({ promptTokens }) => promptTokens),
  counted("longest prompt", 3, ({ longestPromptTokens }) => longestPromptTokens),
  {
    id: "generated tokens",
    label: "generated tokens",
    align: "right",
    importance: 2,
    // One token an answer; a generation may end before its limit.
    cell: ({ calls, maxCompletionTokens: most }) => numberCell(most, "count", most > calls ? { name: "at most" } : {}),
  },
];

function counted(label: string, importance: Column["importance"], of: (form: Form) => number | null): ColumnOf<Form> {
  return { id: label, label, align: "right", importance, cell: (form) => numberCell(of(form), "count") };
}

function count(value: number | null): string {
  return numberText(value, "count");
}

function costSentence({ cost }: RunPreview): Block {
  if (cost === null) return sentence("Cost unknown: no price for this model (probe.config.json can give one).");
  const about = `${cost.isUpperBound ? "at most " : ""}${cost.isEstimate ? "about " : ""}`;
  return sentence(
    `Cost: ${about}${money(cost.amount, cost.currency)} at prices of ${cost.pricesAsOf}, without discounts.`,
  );
}
