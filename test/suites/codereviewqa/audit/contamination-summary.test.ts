import { describe, expect, it } from "vitest";
import type { Language } from "../../../../src/base/language.js";
import type { ContaminationRow } from "../../../../src/suites/codereviewqa/audit/audit-record.js";
import { summariseContamination } from "../../../../src/suites/codereviewqa/audit/contamination-summary.js";
import {
  type ContaminationMetric,
  formKey,
  type ScoredExample,
  type ScoredSet,
  type ScoreSummary,
  type SequenceForm,
} from "../../../../src/suites/codereviewqa/audit/sequence-score.js";

const ACR: SequenceForm = { form: "ACR", task: "ACR", difficulty: null };
const RENAMED: SequenceForm = { form: "ACR_RENAMED", task: "ACR", difficulty: null };
const CTR: SequenceForm = { form: "MCQA", task: "CTR", difficulty: null };
const CL: SequenceForm = { form: "MCQA", task: "CL", difficulty: "easy" };
const OPTIONS = { seed: 0, resamples: 200 };
/** The 97.5 % point of Student's t with one degree of freedom, 12.706. */
const T1 = Math.tan(0.475 * Math.PI);

/** A text of this many tokens and this perplexity, twice as many characters as tokens; `hits` of 5 n-grams. */
function score(
  tokens: number,
  perplexity: number,
  hits: number | null = 0,
  renamed: number | null = null,
): ScoreSummary {
  const nll = tokens * Math.log(perplexity);
  return { tokens, nll, characters: 2 * tokens, renamedCharacters: renamed, ngramStarts: 5, ngramHits: hits };
}

function example(id: string, language: Language, ...scores: [SequenceForm, ScoreSummary][]): ScoredExample {
  return { id, language, scores: new Map(scores.map(([form, each]) => [formKey(form), each])) };
}

function set(benchmark: string, forms: readonly SequenceForm[], ...examples: ScoredExample[]): ScoredSet {
  return { benchmark, forms, examples };
}

function find(rows: readonly ContaminationRow[], metric: ContaminationMetric, wanted: Partial<ContaminationRow>) {
  const all: Partial<ContaminationRow> = { group: "all", ...wanted, metric };
  return rows.filter((row) =>
    Object.entries(all).every(([key, value]) => row[key as keyof ContaminationRow] === value),
  );
}

describe("the numbers of an audit", () => {
  const audited = set(
    "mine",
    [ACR, RENAMED, CTR, CL],
    example(
      "a",
      "python",
      [ACR, score(10, 4, 5)],
      [RENAMED, score(20, 8, 0, 10)],
      [CTR, score(10, 8, 1)],
      [CL, score(30, 2, 2)],
    ),
    example("b", "go", [ACR, score(30, 16, 0)], [RENAMED, score(30, 64, 0, 30)], [CTR, score(10, 32, 0)]),
  );
  const rows = summariseContamination([audited], OPTIONS);

  it("are the mean, the token-weighted and the median perplexity", () => {
    // 4 and 16: mean and median 10. Corpus: exp((10 ln 4 + 30 ln 16) / 40) = exp(ln 4 × (10 + 60) / 40) = 4^1.75.
    expect(find(rows, "perplexity_mean", { form: "ACR" })).toMatchObject([{ n: 2 }]);
    expect(find(rows, "perplexity_mean", { form: "ACR" })[0]?.value).toBeCloseTo(10, 10);
    expect(find(rows, "perplexity_median", { form: "ACR" })[0]?.value).toBeCloseTo(10, 10);
    expect(find(rows, "perplexity_corpus", { form: "ACR" })[0]).toMatchObject({ n: 40 });
    expect(find(rows, "perplexity_corpus", { form: "ACR" })[0]?.value).toBeCloseTo(4 ** 1.75, 10);
  });

  it("pool the MCQA forms beside each of them", () => {
    // CTR 8 and 32, CL 2: mean 14, median 8.
    const pooled = { form: "MCQA", task: null } as const;
    expect(find(rows, "perplexity_mean", pooled)[0]?.value).toBeCloseTo(14, 10);
    expect(find(rows, "perplexity_median", pooled)[0]?.value).toBeCloseTo(8, 10);
    expect(find(rows, "perplexity_mean", { task: "CTR" })[0]?.value).toBeCloseTo(20, 10);
    expect(find(rows, "perplexity_mean", { task: "CL", difficulty: "easy" })[0]).toMatchObject({ n: 1, ciLow: null });
  });

  it("average the n-gram accuracies of the texts", () => {
    // ACR: 5/5 and 0/5. MCQA: 1/5, 2/5 and 0/5.
    expect(find(rows, "ngram_accuracy", { form: "ACR" })[0]).toMatchObject({ value: 0.5, n: 2 });
    expect(find(rows, "ngram_accuracy", { form: "MCQA", task: null })[0]?.value).toBeCloseTo(0.2, 10);
  });

  it("compare forms within each example", () => {
    // a: mean of ln 8 and ln 2 is ln 4, minus ln 4: 0. b: ln 32 − ln 16 = ln 2. Mean: ln 2 / 2.
    const [pooled] = find(rows, "ln_perplexity_minus_acr", { form: "MCQA", task: null });
    expect(pooled?.n).toBe(2);
    expect(pooled?.value).toBeCloseTo(Math.LN2 / 2, 10);
    // Two examples: t, with half of their distance as standard error.
    expect(pooled?.ciLow).toBeCloseTo((Math.LN2 / 2) * (1 - T1), 9);
    expect(pooled?.ciHigh).toBeCloseTo((Math.LN2 / 2) * (1 + T1), 9);
    // a: mean of 1/5 and 2/5, minus 5/5: −0.7. b: 0 − 0.
    expect(find(rows, "ngram_accuracy_minus_acr", { form: "MCQA", task: null })[0]?.value).toBeCloseTo(-0.35, 10);
    // CL is of a only: ln 2 − ln 4. One example has no interval.
    expect(find(rows, "ln_perplexity_minus_acr", { task: "CL" })[0]).toMatchObject({ n: 1, ciLow: null });
  });

  it("count what renaming costs by the replaced character", () => {
    // a: 20 × 3 bits − 10 × 2 bits = 40 bits over 10 characters: 4. b: 30 × 6 − 30 × 4 = 60 over 30: 2. Mean 3, standard error 1.
    const [cost] = find(rows, "renaming_cost", { form: "ACR_RENAMED" });
    expect(cost?.n).toBe(2);
    for (const [value, expected] of [
      [cost?.value, 3],
      [cost?.ciLow, 3 - T1],
      [cost?.ciHigh, 3 + T1],
    ]) {
      expect(value).toBeCloseTo(expected!, 9);
    }
    expect(find(rows, "renaming_cost", { form: "MCQA" })).toEqual([]);
  });

  it("are given language by language too, in the benchmark's order", () => {
    const languages = rows.filter(({ groupBy, form, metric }) => {
      return groupBy === "language" && form === "ACR" && metric === "perplexity_mean";
    });
    expect(languages.map(({ group }) => group)).toEqual(["go", "python"]);
    expect(languages[0]?.value).toBeCloseTo(16, 10);
  });
});

describe("intervals", () => {
  const audit = (examples: number, seed: number) => {
    const each = Array.from({ length: examples }, (_, i) => example(`e${i}`, "go", [ACR, score(10, 2 + i, i % 6)]));
    return summariseContamination([set("mine", [ACR], ...each)], { ...OPTIONS, seed });
  };
  const perplexity = (examples: number, seed: number) => find(audit(examples, seed), "perplexity_mean", {})[0]!;

  it("of 19 examples are Student's t, whatever is drawn", () => {
    // 2 … 20: mean 11, s² = 19 · 20 / 12 (whole numbers in a row: n(n + 1)/12), SE = √(5/3); t(18) = 2.100922.
    const { ciLow, ciHigh } = perplexity(19, 0);
    expect(ciLow).toBeCloseTo(11 - 2.100922 * Math.sqrt(5 / 3), 5);
    expect(ciHigh).toBeCloseTo(11 + 2.100922 * Math.sqrt(5 / 3), 5);
    expect(perplexity(19, 1)).toEqual(perplexity(19, 0));
  });

  it("of 30 examples are bootstrapped, so that they depend on the seed", () => {
    expect(perplexity(29, 1)).toEqual(perplexity(29, 0));
    expect(perplexity(30, 1)).not.toEqual(perplexity(30, 0));
  });

  it("end where a perplexity and a share cannot be", () => {
    // Perplexities 2 and 3: 2.5 ± 12.7 · 0.5. Hits 0 and 1 of 5: 0.1 ± 12.7 · 0.1.
    expect(perplexity(2, 0)).toMatchObject({ value: 2.5, ciLow: 1 });
    expect(find(audit(2, 0), "ngram_accuracy", {})[0]).toMatchObject({ value: 0.1, ciLow: 0, ciHigh: 1 });
  });
});

describe("numbers that are not there", () => {
  it("are absent where nothing was scored", () => {
    const rows = summariseContamination([set("mine", [ACR, CTR], example("a", "go", [CTR, score(5, 2)]))], OPTIONS);
    for (const metric of ["perplexity_mean", "perplexity_corpus", "perplexity_median", "ngram_accuracy"] as const) {
      expect(find(rows, metric, { form: "ACR" })).toMatchObject([{ value: null, ciLow: null, ciHigh: null, n: 0 }]);
    }
    expect(find(rows, "ln_perplexity_minus_acr", { task: "CTR" })).toMatchObject([{ value: null, n: 0 }]);
  });

  it("are absent, and not 0, where no greedy token was told", () => {
    const rows = summariseContamination([set("mine", [ACR], example("a", "go", [ACR, score(5, 2, null)]))], OPTIONS);
    expect(find(rows, "ngram_accuracy", { form: "ACR" })).toMatchObject([{ value: null, n: 0 }]);
  });

  it("leave out differences where ACR was not asked for", () => {
    const rows = summariseContamination([set("mine", [CTR], example("a", "go", [CTR, score(5, 2)]))], OPTIONS);
    expect(find(rows, "ln_perplexity_minus_acr", {})).toEqual([]);
  });
});

describe("a benchmark that the dataset is held against", () => {
  const benchmark = (name: string, perplexities: readonly number[]) =>
    set(
      name,
      [ACR, RENAMED],
      ...perplexities.map((perplexity, i) =>
        example(`${name}-${i}`, "go", [ACR, score(10, 2)], [RENAMED, score(10, perplexity, 0, 10)]),
      ),
    );

  it("shows how much more renaming cost the dataset", () => {
    // 10 tokens from 1 bit to 4 cost 30 bits over 10 characters in the dataset; from 1 to 2 they cost 10 in the other.
    const rows = summariseContamination([benchmark("mine", [16, 16, 16]), benchmark("new", [4, 4, 4])], OPTIONS);
    const found = rows.filter(({ metric }) => metric === "renaming_cost_difference");
    expect(found).toMatchObject([{ benchmark: "new", form: "ACR_RENAMED", n: 3 }]);
    expect(found[0]?.value).toBeCloseTo(2, 10);
    // Each cost is like the next: nothing is known of their spread.
    expect(found[0]?.ciLow).toBeNull();
  });

  it("has an interval by Welch's t where there are few examples", () => {
    // The dataset's costs are 1 and 3 bits a character (4 and 16 against 2, over as many characters as tokens), the
    // other's 2 and 2: difference 0, SE = √(2/2) = 1, one degree of freedom.
    const rows = summariseContamination([benchmark("mine", [4, 16]), benchmark("new", [8, 8])], OPTIONS);
    const [found] = rows.filter(({ metric }) => metric === "renaming_cost_difference");
    expect(found?.value).toBeCloseTo(0, 10);
    expect(found?.ciLow).toBeCloseTo(-T1, 8);
    expect(found?.ciHigh).toBeCloseTo(T1, 8);
  });
});
