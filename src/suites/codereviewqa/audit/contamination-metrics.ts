/**
 * Every metric of `contamination_summary.csv`, in the order of its rows, with what a reader must know. Intervals of fewer
 * than 20 examples are Student's t, whichever way the others are found.
 */
export const CONTAMINATION_METRICS = {
  perplexity_mean:
    "Mean of the sequences' perplexities (paper §8, Eq. 5; Table 4). Interval: bootstrap by example, as everywhere here; " +
    "of fewer than 30 examples by Student's t. n: sequences.",
  perplexity_corpus: "exp(Σ nll / Σ tokens): every token counts alike. n: tokens.",
  perplexity_median: "Median of the sequences' perplexities. n: sequences.",
  ngram_accuracy:
    "Share of the starting points whose 5 tokens greedy generation gets right, mean over the sequences (paper §8, Eq. 6; " +
    "Table 4). Interval: bootstrap by example. n: sequences that are long enough.",
  bits_per_character:
    "Σ surprisal in bits / Σ characters: comparable between texts that are cut into tokens differently. n: characters.",
  ln_perplexity_minus_acr:
    "Paired difference: ln perplexity of this form (mean over its sequences) minus that of ACR, mean over the examples that " +
    "have both. Above 0: harder to predict than ACR. exp of it is a factor. Interval: bootstrap by example. n: examples.",
  ngram_accuracy_minus_acr:
    "Paired difference of the n-gram accuracy: this form minus ACR, as ln_perplexity_minus_acr.",
  renaming_cost:
    "ACR_RENAMED only: surprisal in bits that the renaming adds to ACR's, divided by the characters it replaced, mean over the " +
    "examples that have both: how much better the model knows the names than made-up ones. Interval: bootstrap by example. " +
    "n: examples.",
  renaming_cost_difference:
    "The audited dataset's renaming_cost minus this benchmark's. Above 0: the model knows the names of the audited " +
    "dataset better, as it does when it has memorised the code. Interval: both resampled; by Welch's t where either has fewer than 20 examples. n: examples of this benchmark.",
} as const;

export type ContaminationMetric = keyof typeof CONTAMINATION_METRICS;

/**
 * Below this many examples intervals are Student's t and nothing is concluded: a percentile bootstrap of so few is too
 * narrow (of 10 normal values it holds the mean in 89 of 100 simulations, Student's t in 94), and one odd example decides.
 */
export const LEAST_EXAMPLES = 20;

/** Words in place of a conclusion. */
export function tooFewText(examples: number): string {
  return `too few examples (${examples}) for a verdict: it takes ${LEAST_EXAMPLES}`;
}

/** `even`: spread evenly over the text. `random`: drawn, all different. */
export const START_MODES = ["even", "random"] as const;
export type StartMode = (typeof START_MODES)[number];
