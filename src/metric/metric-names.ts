/** Every metric of `summary.csv`, in the order of its rows, with what a reader must know. */
export const METRICS = {
  invariant_accuracy: "Share of questions right under all N! orders (paper §5.1). Interval: Wilson. n: questions.",
  invariant_lost_rate:
    "Share of questions that are not right only because orders failed, were undecided or not asked. n: questions.",
  mean_accuracy: "Mean over questions of correct orders / N!. n: questions with every order answered.",
  plurality_agreement:
    "PPA: mean over questions of k/N!, k = orders that chose the plurality option (paper §5.2). 1/N for a model that " +
    "always says the same letter; see plurality_agreement_null for one that guesses.",
  plurality_agreement_null:
    "What plurality_agreement is on average under uniform guessing: 0.3584 for four options, 0.5391 for three; its " +
    "interval holds 95 % of such models at this n. Exact (up to 200 questions; normal above).",
  mcsb_p_value: "Probability of an agreement this high under uniform guessing.",
  mcsb_gate:
    "1 if mcsb_p_value < 0.01, else 0: whether the model binds letters to options, so that its answers mean something.",
  position_bias: "Share of the commonest letter among the chosen; 1/N without bias, 1 for always the same. n: answers.",
  position_bias_chi_square: "Σ (observed − expected)²/expected over the letters. A size, not a test. n: answers.",
  symbol_mass: "Mean over questions of the probability the model gave to the letters together.",
  undecided_rate:
    "Share of answers without a single best letter: a tie, or a letter whose probability is unknown. n: answers.",
  failure_rate: "Share of answers that failed. n: answers.",
  floor_random: "1/N: mean accuracy of guessing, and the least that plurality_agreement can be.",
  floor_invariant: "(1/N)^(N!): invariant accuracy of guessing each order independently (paper §5.1).",
  floor_majority: "CTR only: share of the commonest change type, the invariant accuracy of always answering it.",
} as const;

export type MetricName = keyof typeof METRICS;
