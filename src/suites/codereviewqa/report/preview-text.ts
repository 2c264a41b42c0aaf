import Table from "cli-table3";
import { printable } from "../../../base/text.js";
import { money } from "../../../report/money.js";
import type { RunPreview } from "../ask/dry-run.js";

/** What `--dry-run` prints. */
export function previewText(preview: RunPreview): string {
  const table = new Table({
    head: ["probe", "questions", "skipped", "calls", "prompt tokens", "longest prompt", "generated tokens"],
    style: { head: [], border: [], compact: true },
  });
  for (const form of preview.forms) {
    const name = form.difficulty === null ? form.task : `${form.task} ${form.difficulty}`;
    table.push([
      name,
      form.questions,
      form.skipped,
      form.calls,
      number(form.promptTokens),
      number(form.longestPromptTokens),
      atMost(form),
    ]);
  }
  const tokens =
    preview.promptTokens === null ? "prompt tokens unknown" : `${number(preview.promptTokens)} prompt tokens`;
  const lines = [
    `${printable(preview.model)} · ${preview.examples} examples · ${number(preview.questions)} questions · ` +
      `${number(preview.calls)} calls · ${tokens}`,
    table.toString(),
    ...(preview.tokensUnknown === null
      ? []
      : [`Tokens unknown (about ${number(preview.estimatedPromptTokens)} by length): ${preview.tokensUnknown}`]),
    costLine(preview),
    ...preview.prompts.flatMap(({ task, text }) => [`--- first prompt of ${task} ---`, printableBlock(text)]),
    "Nothing was asked (--dry-run).",
  ];
  return `${lines.join("\n")}\n`;
}

/** One token an answer; a generation may end before its limit. */
function atMost({ calls, maxCompletionTokens }: RunPreview["forms"][number]): string {
  return `${maxCompletionTokens > calls ? "at most " : ""}${number(maxCompletionTokens)}`;
}

function number(value: number | null): string {
  return value === null ? "–" : value.toLocaleString("en-US");
}

/** Line ends and tabs are kept; everything else a terminal would obey is escaped. */
function printableBlock(text: string): string {
  return text
    .split("\n")
    .map((line) =>
      line
        .split("\t")
        .map((part) => printable(part, 1000))
        .join("\t"),
    )
    .join("\n");
}

function costLine({ cost }: RunPreview): string {
  if (cost === null) return "Cost unknown: no price for this model (probe.config.json can give one).";
  const about = `${cost.isUpperBound ? "at most " : ""}${cost.isEstimate ? "about " : ""}`;
  return `Cost: ${about}${money(cost.amount, cost.currency)} at prices of ${cost.pricesAsOf}, without discounts.`;
}
