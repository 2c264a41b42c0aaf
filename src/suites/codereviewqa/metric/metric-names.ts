import type { Brand } from "../../../base/symbol.js";
import { RULE_TEXTS } from "../../../question/floors/rules.js";

/** The metrics of multiple-choice questions, in the order of their rows, with what a reader must know. */
const CHOICE_METRICS = {
  invariant_accuracy:
    "Share of questions right under all N! orders (paper §5.1); with --orders, under those asked, whose number the note " +
    "tells: easier the fewer there are, and never to be compared with another number of them. Interval: Wilson; where questions are about hunks of tasks, at the effective number of questions (Korn & Graubard 1998). n: questions.",
  invariant_lost_rate:
    "Share of questions that are not right only because orders failed, were undecided or not asked. n: questions.",
  mean_accuracy:
    "Mean over questions of correct orders / orders asked. With --early-stop: the share of questions whose first order, drawn at " +
    "random, was right. n: questions with every order answered; then, with the first answered.",
  plurality_agreement:
    "PPA: mean over questions of k/orders asked, k = orders that chose the plurality option (paper §5.2). 1/N for a model that " +
    "always says the same letter; see plurality_agreement_null for one that guesses.",
  plurality_agreement_null:
    "Mean plurality_agreement under uniform guessing: under all orders 0.3584 for four options, 0.5391 for three, higher " +
    "under fewer; its interval holds 95 % of such models at this n. Exact at every n.",
  mcsb_p_value: "Probability of an agreement this high under uniform guessing; 1e-80 stands for all that is less.",
  mcsb_gate:
    "1 if mcsb_p_value < 0.01, else 0: whether the model binds letters to options, so that its answers mean something.",
  position_bias: "Share of the commonest letter among the chosen; 1/N without bias, 1 for always the same. n: answers.",
  position_bias_chi_square: "Σ (observed − expected)²/expected over the letters. A size, not a test. n: answers.",
  symbol_mass: "Mean over questions of the probability the model gave to the letters together.",
  undecided_rate:
    "Share of answers without a single best letter: a tie, or a letter whose probability is unknown. n: answers that did " +
    "not fail, of each order the first alone (--repeats).",
  failure_rate:
    "Share of answers that failed; for ACR, of generations. n: all that are recorded, --repeats too; the note tells how many are missing.",
  order_disagreement:
    "With --repeats: share of pairs of choices under two orders that are of different options, mean over questions. " +
    "Interval: t by example. n: questions with such pairs.",
  repeat_disagreement:
    "With --repeats: share of pairs of choices under one order, at two times, that differ: what chance does.",
  order_effect:
    "With --repeats: order_disagreement minus repeat_disagreement, question by question: what the order does beyond " +
    "chance. 0 where only chance is at work, however much of it. Interval: t by example.",
  // Of models that think; arXiv 2605.06672 asks the same.
  thinking_tokens:
    "Tokens of the thoughts before an answer, mean over questions of their means. n: questions that tell it.",
  thought_bias_correlation:
    "Spearman's partial correlation, over questions, of the mean length of the thoughts and the question's position bias " +
    "(½ Σ |share of a letter − 1/N|), mean accuracy held fixed, −1 to 1. Above 0: the longer the thoughts, the more the " +
    "place decides. Interval: Fisher's z by example. n: examples.",
  thought_bias_q1:
    "Mean position bias of the quarter of the questions with the shortest thoughts; the note tells their lengths. " +
    "0 where each letter is chosen equally often. Interval: t by example.",
  thought_bias_q2: "Mean position bias of the second quarter by length of thoughts.",
  thought_bias_q3: "Mean position bias of the third quarter by length of thoughts.",
  thought_bias_q4: "Mean position bias of the quarter of the questions with the longest thoughts.",
  settled_at:
    "With --trace-thoughts: part of the thoughts, 0–1, after which the letter that would be answered did not change any " +
    "more, mean over questions. Interval: t by example. n: answers with a trace.",
  answer_switches: "With --trace-thoughts: changes of the option that would be answered, an answer.",
  left_right_option:
    "With --trace-thoughts: share of answers that had chosen the right option along the thoughts and ended with another.",
  left_right_for_preferred:
    "With --trace-thoughts: share of answers that left the right option and ended with the commonest letter.",
  floor_random: "1/N: mean accuracy of guessing, and the least that plurality_agreement can be.",
  floor_invariant: "(1/N)^(N!): invariant accuracy of guessing each order independently (paper §5.1).",
  floor_majority: "CTR only: share of the commonest change type, the invariant accuracy of always answering it.",
} as const;

/** Metrics of the same questions asked once more with something withheld (`--ablate`), in rows of the whole form. */
const GAIN_METRICS = {
  review_gain:
    "With --ablate review: invariant_accuracy minus what it is on the same questions without the review, −1 to 1. 0: the " +
    "answers do not depend on the review. Overall only. Interval: bootstrap by example. n: questions asked both ways.",
  review_gain_p_value: "Exact McNemar test, two-sided, of no such gain.",
  code_gain: "With --ablate code: likewise without the code.",
  code_gain_p_value: "Exact McNemar test, two-sided, of no such gain.",
  both_gain: "With --ablate both: likewise without review and code, the options alone being left (arXiv 2402.12483).",
  both_gain_p_value: "Exact McNemar test, two-sided, of no such gain.",
} as const;

/** One a rule; a probe of one's own may have more, named `floor_` and its rule. */
const RULE_METRICS: Readonly<Record<`floor_${string}`, string>> = Object.fromEntries(
  Object.entries(RULE_TEXTS).map(([rule, text]) => [`floor_${rule}`, `Floor of a rule: ${text}.`]),
);

/** The best of the rules. */
const FLOOR_METRICS = {
  floor_fitted_no_read:
    "Floor of the no-read rules together: a conditional logit over their scores, five-fold cross-validated by example (by " +
    "task for hunks of one task); the note says which carries most weight. From 50 questions of a form on.",
  floor_fitted_lexical: "Floor of all rules together, lexical ones among them.",
  floor_no_read:
    "The highest floor of a rule that does not read the review; its name is in the note. A rule picks by a score, " +
    "splits ties evenly, and is right under all N! orders or none, so it stands beside invariant_accuracy. Interval: " +
    "Wilson, of the expected number of right picks. n: questions.",
  floor_lexical: "The highest floor of a rule that matches words of the review, computed as floor_no_read.",
} as const;

/** The metrics of generations (ACR), likewise. */
const GENERATION_METRICS = {
  em:
    "ACR: share of generations that are the post-review code, character for character, after line numbers the model " +
    "echoed are removed. A failed generation is no match; a truncated or empty one counts as it is. Interval: Wilson. " +
    "n: generations.",
  em_trim: "ACR: likewise, where some run of the generated lines is the post-review code: text around it is forgiven.",
  em_no_space: "ACR: likewise, after all whitespace is removed.",
  em_no_comment: "ACR: likewise, after comments (by the language's grammar) and whitespace are removed.",
  paper_em:
    "ACR: exact match exactly as the paper's released script computes it, to stand beside its Table 7: two characters " +
    "are dropped from every line, words are compared.",
  paper_em_trim: "ACR: EM-trim of the released script, quirks included.",
  paper_em_no_space: "ACR: EM-no-space of the released script: found in the generation, not equal to it.",
  paper_em_no_comment: "ACR: EM-no-comment of the released script: // and # are comments in every language.",
  bleu:
    "ACR: corpus BLEU-4 (Papineni et al. 2002) over tokens of code, 0–1, no smoothing; not the mean of the column bleu. " +
    "n: generations that did not fail and whose post-review code is not empty.",
  edit_similarity: "ACR: mean of 1 − Levenshtein / length of the longer text, 0–1. n: generations that did not fail.",
  truncated_rate: "ACR: share of generations cut off at the most tokens allowed. n: generations that did not fail.",
  empty_rate: "ACR: share of generations that hold nothing but whitespace. n: generations that did not fail.",
  failure_rate: CHOICE_METRICS.failure_rate,
  floor_copy_em:
    "ACR: em of the pre-review code, had the model repeated it unchanged wherever it generated anything. Like all copy " +
    "floors, absent in runs that did not record that code. n: as em.",
  floor_copy_em_trim: "ACR: likewise em_trim: above 0 where a review only deletes code at either end.",
  floor_copy_em_no_space: "ACR: likewise em_no_space: above 0 where a review only moves whitespace.",
  floor_copy_em_no_comment:
    "ACR: likewise em_no_comment: the share of reviews that change only comments or whitespace.",
  floor_copy_bleu: "ACR: likewise bleu. High, as a review changes few lines of a hunk: read bleu against it.",
  floor_copy_edit_similarity: "ACR: likewise edit_similarity.",
} as const;

/** The metrics of open localisation (CLO), besides `em` and how generations ended. */
const OPEN_METRICS = {
  jaccard:
    "CLO: mean over generations of lines in both sets / lines in either, 0–1; em is there the share of exactly the right " +
    "sets. What is no list of line numbers, and what failed, counts 0. n: as em.",
  no_answer_rate:
    "CLO: share of generations that are no list of line numbers, and so match nothing; failed ones are in failure_rate alone. n: as em.",
  floor_longest_line: "CLO: em of a rule that sees the code alone: always the longest line.",
  floor_middle_line: "CLO: likewise always the middle line.",
  floor_commonest_size: "CLO: likewise as many lines as most of the right answers have, in the middle of the code.",
} as const;

/** Every metric of `summary.csv`. */
export const METRICS = {
  ...CHOICE_METRICS,
  ...RULE_METRICS,
  ...FLOOR_METRICS,
  ...GAIN_METRICS,
  ...GENERATION_METRICS,
  ...OPEN_METRICS,
} as const;

/** The name of a measure that a probe defines itself, such as `jaccard` of CLO. */
export type ProbeMetric = Brand<string, "ProbeMetric">;

/** Name of a metric of `summary.csv`. */
export type MetricName = keyof typeof METRICS | `floor_${string}` | ProbeMetric;
