import type { RunFile } from "../record/run-file.js";

/** Context sizes are given in steps of this. */
const ROUND = 256;

/** Tokens that a revision may have (paper, Appendix B). */
const WRITTEN = 512;

/** How many of these failures are of prompts that do not fit the model's context. */
export function unfitOf(failures: RunFile["counts"]["failures"]): number {
  return failures["context_overflow"] ?? 0;
}

/**
 * What helps where prompts do not fit: a context that is too short stays so, and a longer one makes another run.
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
