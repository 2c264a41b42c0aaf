import { nounOf } from "../../../base/text.js";
import { formName } from "../../../question/form.js";
import type { Block, Column } from "../../../report/block.js";
import {
  type ColumnOf,
  numberCell,
  numberColumn,
  rightColumn,
  sentence,
  tableOf,
  textColumn,
} from "../../../report/make-block.js";
import { durationText, money, numberText } from "../../../report/number-text.js";
import type { RunPreview } from "../ask/dry-run.js";

type Form = RunPreview["forms"][number];

/** The report of `--dry-run`. */
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
    ...timeSentences(preview),
    ...prompts.flatMap(({ task, text }): Block[] => [
      sentence(`--- first prompt of ${task} ---`),
      { kind: "code", text },
    ]),
    sentence(`Nothing was ${preview.time.status === "estimated" ? "recorded" : "asked"} (--dry-run).`),
  ];
}

function named(number: number, plural: string): string {
  return `${count(number)} ${nounOf(number, plural)}`;
}

const COLUMNS: readonly ColumnOf<Form>[] = [
  textColumn("probe", "probe", (form) => formName(form)),
  counted("questions", 1, ({ questions }) => questions),
  counted("skipped", 2, ({ skipped }) => skipped),
  counted("calls", 1, ({ calls }) => calls),
  counted("prompt tokens", 1, ({ promptTokens }) => promptTokens),
  counted("longest prompt", 3, ({ longestPromptTokens }) => longestPromptTokens),
  rightColumn(
    "generated tokens",
    "generated tokens",
    ({ calls, maxCompletionTokens: most }) => numberCell(most, "count", most > calls ? { name: "at most" } : {}),
    { importance: 2 },
  ),
];

function counted(label: string, importance: Column["importance"], of: (form: Form) => number | null): ColumnOf<Form> {
  return numberColumn(label, label, "count", (form) => of(form), { importance });
}

function count(value: number | null): string {
  return numberText(value, "count");
}

/** A range: a single number would promise more than a few questions tell. */
function timeSentences({ time }: RunPreview): Block[] {
  if (time.status === "unknown") return [sentence(`Time unknown: ${time.reason}.`)];
  const { leastMs, mostMs, questions, durationMs, isServer, tokensToEvaluate } = time;
  const range = [leastMs, mostMs].map((ms) => durationText(Math.max(1_000, ms)));
  const shown = range[0] === range[1] ? `about ${range[0]}` : `${range[0]} to ${range[1]}`;
  const caveat = isServer ? "if the server stays as it is" : "if this machine stays as busy as it is";
  return [
    sentence(`Time: ${shown}, ${caveat}; by ${named(questions, "questions")} asked in ${durationText(durationMs)}.`),
    ...(tokensToEvaluate === null
      ? []
      : [sentence(`Tokens to evaluate: about ${count(tokensToEvaluate)}; the rest is found in the cache.`)]),
  ];
}

function costSentence({ cost }: RunPreview): Block {
  if (cost === null) return sentence("Cost unknown: no price for this model (probe.config.json can give one).");
  const about = `${cost.isUpperBound ? "at most " : ""}${cost.isEstimate ? "about " : ""}`;
  return sentence(
    `Cost: ${about}${money(cost.amount, cost.currency)} at prices of ${cost.pricesAsOf}, without discounts.`,
  );
}
