import { nounOf } from "../../../base/text.js";
import { formName } from "../../../question/form.js";
import type { Block } from "../../../report/block.js";
import { STATE_WORDS } from "../../../report/judgement-words.js";
import {
  type ColumnOf,
  numberCell,
  numberColumn,
  rightColumn,
  sentence,
  tableOf,
  textCell,
  textColumn,
  when,
} from "../../../report/make-block.js";
import { durationText, money, numberText } from "../../../report/number-text.js";
import type { FormNeeds } from "../ask/form-needs.js";
import type { RunPreview } from "../ask/preview/dry-run.js";
import type { ThoughtRange } from "../ask/preview/preview-cost.js";

type Form = RunPreview["forms"][number];

/** The report of `--dry-run`. */
export function previewBlocks(preview: RunPreview): Block[] {
  const { model, examples, questions, calls, promptTokens, prompts, tokensUnknown } = preview;
  const estimate = count(preview.estimatedPromptTokens);
  const tokens = promptTokens === null ? "prompt tokens unknown" : `${count(promptTokens)} prompt tokens`;
  const most = preview.isAtMost && calls > 0 ? "at most " : "";
  const counts = [named(examples, "examples"), named(questions, "questions"), `${most}${named(calls, "calls")}`];
  return [
    sentence([model, ...counts, tokens].join(" · ")),
    tableOf(null, COLUMNS, preview.forms),
    ...when(tokensUnknown !== null, sentence(`Tokens unknown (about ${estimate} by length): ${tokensUnknown}`)),
    ...timeSentences(preview),
    costSentence(preview),
    ...(preview.batch === undefined ? [] : [sentence(batchText(preview.batch))]),
    ...needsBlocks(preview.needs),
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
  numberColumn("questions", "questions", "count", ({ questions }) => questions),
  numberColumn("skipped", "skipped", "count", ({ skipped }) => skipped, { importance: 2 }),
  numberColumn("calls", "calls", "count", ({ calls }) => calls),
  numberColumn("prompt tokens", "prompt tokens", "count", ({ promptTokens }) => promptTokens),
  numberColumn("longest prompt", "longest prompt", "count", ({ longestPromptTokens }) => longestPromptTokens, {
    importance: 3,
  }),
  rightColumn(
    "generated tokens",
    "generated tokens",
    ({ calls, maxCompletionTokens: most }) => numberCell(most, "count", most > calls ? { name: "at most" } : {}),
    { importance: 2 },
  ),
];

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
  const tokens = `Tokens to evaluate: about ${count(tokensToEvaluate)}; the rest is found in the cache.`;
  return [
    sentence(`Time: ${shown}, ${caveat}; by ${named(questions, "questions")} asked in ${durationText(durationMs)}.`),
    ...when(tokensToEvaluate !== null, sentence(tokens)),
    ...(time.thoughts === undefined ? [] : [sentence(thoughtsText(time.thoughts))]),
  ];
}

function thoughtsText({ least, mean, most, leastInAll, mostInAll }: ThoughtRange): string {
  const inAll = leastInAll === mostInAll ? `about ${count(mostInAll)}` : `${count(leastInAll)} to ${count(mostInAll)}`;
  return (
    `Thoughts, with all beside the letter: ${count(least)} to ${count(most)} tokens an answer, ${count(Math.round(mean))} on average, by those that were ` +
    `asked; ${inAll} in all.`
  );
}

function batchText({ service, batches, priceShare }: NonNullable<RunPreview["batch"]>): string {
  const count = batches === 1 ? "1 batch" : `at least ${batches} batches`;
  const share =
    priceShare === 1 ? "the whole price, as no other is known" : `${priceShare * 100} % of the listed price`;
  return `Asked in ${count} at ${service}, within a day, at ${share}.`;
}

function costSentence({ cost, batch }: RunPreview): Block {
  if (cost === null) return sentence("Cost unknown: no price for this model (probe.config.json can give one).");
  const { byThoughts, currency } = cost;
  const range =
    byThoughts && `${money(byThoughts.least, currency)} to ${money(byThoughts.most, currency)} by these thoughts, `;
  const about = `${range ?? ""}${cost.isUpperBound ? "at most " : ""}${cost.isEstimate ? "about " : ""}`;
  return sentence(
    `Cost: ${about}${money(cost.amount, cost.currency)} at prices of ${cost.pricesAsOf}, without ${batch === undefined ? "" : "other "}discounts.`,
  );
}

/** Answer to "what would it take?", a row a form; nothing without any. */
export function needsBlocks(needs: readonly FormNeeds[]): Block[] {
  if (needs.length === 0) return [];
  return [
    tableOf("What would it take?", NEED_COLUMNS, needs),
    sentence(
      "Share of the questions that a model must know, guessing at the others in every order, to be told so in 80 of 100 runs: " +
        "by the tests of the verdict, against every rule on these very questions. –: knowing all of them would not do. " +
        "Words fail: questions that matching words of the review (the fitted lexical rule) gets wrong.",
    ),
  ];
}

const NEED_COLUMNS: readonly ColumnOf<FormNeeds>[] = [
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
