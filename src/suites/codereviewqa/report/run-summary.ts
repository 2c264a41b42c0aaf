import { counted, shellWord } from "../../../base/text.js";
import { formName } from "../../../question/form.js";
import type { Block } from "../../../report/block.js";
import { SCORE_LEGEND } from "../../../report/judgement-words.js";
import { notice, sentence, when } from "../../../report/make-block.js";
import { money } from "../../../report/number-text.js";
import { isStoppedEarly } from "../metric/question-score.js";
import type { SummaryRow } from "../metric/summary-row.js";
import { isRaced, type RunFile } from "../record/run-file.js";
import { FormMetrics } from "./probe-forms.js";
import { type FormScores, isCode, judgementBlocks, lostBlocks, openAnswerBlocks, scoreTable } from "./score-blocks.js";

/** Size of a run, in a few words each. */
export function summaryFacts(run: RunFile): string[] {
  return [counted(run.dataset.selected, "examples"), ...recordedCounts(run)];
}

/**
 * The summary of a run: scores with interval and floor, and their judgements.
 * @param longestUnfit tokens of the longest prompt that did not fit the model's context; `null`: not known, or all did
 * @param folder of the run, for the command that goes on with it
 */
export async function resultBlocks(
  run: RunFile,
  summary: readonly SummaryRow[],
  longestUnfit: number | null = null,
  folder = "FOLDER",
): Promise<Block[]> {
  const forms = formScores(summary);
  const choices = forms.filter(({ metric }) => metric("em") === undefined);
  const generations = forms.filter(({ metric }) => metric("em") !== undefined);
  return [
    ...(choices.length > 0
      ? [
          scoreTable(choices, null),
          sentence(SCORE_LEGEND),
          ...lostBlocks(choices, isStoppedEarly(run)),
          ...judgementBlocks(choices),
        ]
      : []),
    ...(generations.length > 0 ? await writtenBlocks(generations) : []),
    ...troubles(run, longestUnfit, folder),
    ...costLine(run),
  ];
}

async function writtenBlocks(forms: readonly FormScores[]): Promise<Block[]> {
  const { endings, generationBlocks } = await import("./generation-blocks.js");
  return forms.flatMap((form) =>
    isCode(form.metric)
      ? [...generationBlocks(form, endings(form.metric), null), ...judgementBlocks([form])]
      : openAnswerBlocks(form, null),
  );
}

function formScores(summary: readonly SummaryRow[]): FormScores[] {
  const forms = new Map(summary.map((row) => [formName(row), row]));
  return [...forms].map(([name, form]) => {
    const metrics = new FormMetrics(summary, form);
    return { name, metric: metrics.find, beyondWords: metrics.beyondWords };
  });
}

/** Such as `36 answers` and `3 generations`. */
function recordedCounts(run: RunFile): string[] {
  return [
    ...(run.planned_answers > 0 ? [counted(answersOf(run), "answers")] : []),
    ...(run.generations > 0 ? [counted(generationsOf(run), "generations")] : []),
  ];
}

function answersOf({ counts }: RunFile): number {
  return counts.chosen + counts.undecided + counts.failed;
}

function generationsOf({ generation_counts: counts }: RunFile): number {
  return counts.complete + counts.truncated + counts.empty + counts.failed;
}

/** Faults of a run as a whole. */
function troubles(run: RunFile, longestUnfit: number | null, folder: string): Block[] {
  const { counts, generation_counts: generated, planned_answers: planned } = run;
  const answers = answersOf(run);
  const isEarlyStop = isStoppedEarly(run);
  const isWhole = isRaced(run) && run.status === "complete";
  const overflow = overflowAdvice(run, longestUnfit);
  const incomplete = (recorded: number, all: number, what: string): readonly Block[] =>
    when(
      recorded < all,
      notice(
        "bad",
        `Incomplete: ${recorded} of ${all} ${what}. It goes on by: probe run --resume ${shellWord(folder)}`,
      ),
    );
  return [
    ...when(
      counts.undecided > 0,
      notice("warning", `Undecided answers: ${counts.undecided} (a tie, or an unknown symbol).`),
    ),
    ...failures("answers", counts),
    ...failures("generations", generated),
    ...(overflow === null ? [] : [notice("bad", overflow)]),
    ...(isEarlyStop || isWhole ? [] : incomplete(answers, planned, "answers")),
    ...incomplete(generationsOf(run), run.generations, "generations"),
    ...when(
      isEarlyStop,
      notice(
        "warning",
        `Early stop: ${answers} of ${planned} orders asked; agreement is not defined, mean accuracy is by the order asked first.`,
      ),
    ),
  ];
}

function failures(what: string, { failed, failures: byKind }: Pick<RunFile["counts"], "failed" | "failures">): Block[] {
  const kinds = Object.entries(byKind).map(([kind, count]) => `${kind} ${count}`);
  const advice = failed > unfitOf(byKind) ? " The same command asks them again." : "";
  return failed > 0 ? [notice("bad", `Failed ${what}: ${failed} (${kinds.join(", ")}).${advice}`)] : [];
}

function costLine({ cost, price, tokens }: RunFile): Block[] {
  if (price === null) return [];
  if (cost === null) return [sentence("Cost: not known, as not every reply told its tokens.")];
  const prompt = tokens.prompt?.toLocaleString("en-US") ?? "unknown";
  const generated = tokens.completion === null ? "" : ` and ${tokens.completion.toLocaleString("en-US")} generated`;
  return [
    sentence(
      `Cost: ${money(cost, price.currency)} for ${prompt} prompt tokens${generated}, at prices of ${price.as_of}.`,
    ),
  ];
}

export function forcedNotice({ model }: Pick<RunFile, "model">): Block[] {
  return model.check?.["forced"] === true
    ? [notice("bad", "FORCED: the check refused this server; its numbers may mean nothing.")]
    : [];
}

/** Context sizes are given in steps of this. */
const ROUND = 256;

/** Tokens that a revision may have (paper, Appendix B). */
const WRITTEN = 512;

/** Number of failures that are prompts too long for the model's context. */
export function unfitOf(failures: RunFile["counts"]["failures"]): number {
  return failures["context_overflow"] ?? 0;
}

/**
 * Advice where prompts do not fit: a context that is too short stays so, and a longer one makes another run.
 * @param longest tokens of the longest of them; `null`: not known
 * @returns `null` where all fit
 */
export function overflowAdvice(
  { counts, generation_counts: generated, model }: Pick<RunFile, "counts" | "generation_counts" | "model">,
  longest: number | null,
): string | null {
  const [answers, generations] = [unfitOf(counts.failures), unfitOf(generated.failures)];
  if (answers + generations === 0) return null;
  const found = longest === null ? "" : `: the longest has ${longest} tokens`;
  const least = longest === null ? null : ROUND * Math.ceil((longest + 1 + (generations > 0 ? WRITTEN : 0)) / ROUND);
  const way =
    model.identity["provider"] === "llama"
      ? `Ask anew with --model-arg contextSize=${least ?? "N"}`
      : `Give the server a context of ${least === null ? "more" : `at least ${least}`} tokens, and ask anew`;
  return `Prompts do not fit the model's context${found}. ${way}; the same command fails again.`;
}
