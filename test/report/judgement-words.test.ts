import { describe, expect, it } from "vitest";
import {
  CHOICE_SENTENCES,
  judgementParts,
  NOTHING_MEASURED,
  plainWords,
  SIGNS_TEXT,
  STATE_WORDS,
  TRIAL_SENTENCES,
} from "../../src/report/judgement-words.js";
import { WRITTEN_SENTENCES } from "../../src/suites/codereviewqa/metric/written/written-judgement.js";
import {
  JUDGEMENT_STATES,
  type Judgement,
  type JudgementSentence,
  judgementText,
} from "../../src/verdict/judgement.js";
import type { Rung } from "../../src/verdict/rung.js";
import type { FormKind } from "../../src/verdict/verdict.js";
import { makeJudgement } from "../fixtures/verdicts.js";

it("has its own words for every state, and none of them is yes", () => {
  const words = JUDGEMENT_STATES.map((state) => STATE_WORDS[state].text);
  expect(new Set(words).size).toBe(JUDGEMENT_STATES.length);
  for (const word of words) expect(word).not.toMatch(/\byes\b/i);
});

it("calls only a score above its floor good", () => {
  expect(JUDGEMENT_STATES.filter((state) => STATE_WORDS[state].tone === "good")).toEqual(["above_floor"]);
});

it("says a verdict in its own words, the first of which are coloured", () => {
  const sentence = { opening: "hardly", rest: " worth: anything" };
  expect(judgementParts({ state: "at_floor", sentence })).toEqual([
    { kind: "toned", text: "hardly", tone: "warning" },
    " worth: anything",
  ]);
});

describe("the sentences", () => {
  const ALL_ORDERS = { isOneOrder: false };
  /** 62.5 % against the longest, 37.5 %, and the medoid, 35.0 %, which is the hardest to beat. */
  const rung = ({ rule = "medoid", share = 0.35, pValue = 14893 / 65536 }): Rung => ({
    score: 0.625,
    best: { rule: "longest", share: 0.375 },
    hardest: { rule, share, pValue },
    isReached: pValue < 0.01,
    hopeless: null,
    clusters: 16,
  });
  const gated = { agreement: 2 / 6, guessing: 2358 / 729 / 6 };
  const written = { score: 0.5, floor: 0.25, rule: "repeating the code unchanged", pValue: 0.5 };
  const trials = { headline: "resolved", score: 0.5, noop: 0, gold: 1 };
  const alone = { headline: "resolved", score: 0.5, noop: null, gold: null };
  const ends = "resolved 50.0 %; floor 0.0 % (noop), ceiling 100.0 % (gold)";
  const guessing = "agreement 33.3 %, guessing 53.9 %";
  const said: readonly (readonly [JudgementSentence, string, string])[] = [
    [
      CHOICE_SENTENCES.unreadable(gated, { symbol: "A", share: 1 }, null),
      "unreadable",
      `: the model does not bind letters to options (${guessing}; A is 100.0 % of its answers)`,
    ],
    [
      CHOICE_SENTENCES.unreadable(gated, null, rung({})),
      "unreadable",
      `: the model does not bind letters to options (${guessing}), and mean accuracy 62.5 % is not shown to be above every rule that does not read the review: medoid gets 35.0 % (p = 0.2272)`,
    ],
    [
      CHOICE_SENTENCES.atFloor(rung({}), { ...ALL_ORDERS, isBindingKnown: true }),
      "at its floor",
      ": mean accuracy 62.5 % is not shown to be above every rule that does not read the review: medoid gets 35.0 % (p = 0.2272)",
    ],
    [
      CHOICE_SENTENCES.atFloor(rung({}), { isOneOrder: true, isBindingKnown: false }),
      "at its floor",
      ": mean accuracy (one order a question, drawn at random) 62.5 % is not shown to be above every rule that does not read the review: medoid gets 35.0 % (p = 0.2272); whether the model binds letters to options is not known (no agreement measured)",
    ],
    [
      CHOICE_SENTENCES.matchesWords(rung({ pValue: 0.001 }), rung({ rule: "keywords", pValue: 0.3 }), ALL_ORDERS),
      "matches words",
      ": mean accuracy 62.5 % is above every rule that does not read the review (longest 37.5 %; p = 0.0010 against medoid, 35.0 %), and not shown to be above every rule that matches its words: keywords gets 35.0 % (p = 0.3000)",
    ],
    [
      CHOICE_SENTENCES.unneeded(
        rung({ pValue: 0.001 }),
        { without: rung({ pValue: 0.002 }), with: 0.6, pValue: 0.7 },
        ALL_ORDERS,
      ),
      "the review was not needed",
      ": mean accuracy 62.5 % is above every rule that does not read the review (longest 37.5 %; p = 0.0010 against medoid, 35.0 %), and so is that without the review, 62.5 % (p = 0.0020); with it 60.0 % on the same questions, not shown to be higher (p = 0.7000)",
    ],
    [
      CHOICE_SENTENCES.unsteady(rung({ rule: "longest", share: 0.375, pValue: 0.001 }), rung({}), ALL_ORDERS),
      "unsteady",
      ": mean accuracy 62.5 % is above every rule (longest 37.5 %; p = 0.0010), but 62.5 % are right under every order, not shown to be above every rule: medoid gets 35.0 % (p = 0.2272)",
    ],
    [
      CHOICE_SENTENCES.above(rung({ pValue: 0.00001 })),
      "above its floor",
      ": 62.5 % are right under every order, above every rule (longest 37.5 %; p < 0.0001 against medoid, 35.0 %)",
    ],
    [CHOICE_SENTENCES.noAnswer, "unknown", ": nothing was answered"],
    [
      CHOICE_SENTENCES.noMean,
      "unknown",
      ": mean accuracy was not measured: the first order of each question was not drawn at random",
    ],
    [CHOICE_SENTENCES.noFloor, "unknown", ": what is reached without reading was not measured"],
    [CHOICE_SENTENCES.tooFew(1, null), "too few", ": on 1 question no score could be told from chance"],
    [
      CHOICE_SENTENCES.tooFew(100, "longest"),
      "too few",
      ": on 100 questions no score could be told from the rule longest",
    ],
    [WRITTEN_SENTENCES.noFloor, "unknown", ": no floor was measured"],
    [
      WRITTEN_SENTENCES.tooFew(written),
      "too few",
      ": no score could be told from chance (exact match 50.0 %, repeating the code unchanged 25.0 %)",
    ],
    [
      WRITTEN_SENTENCES.notAbove(written),
      "at its floor",
      ": not shown to be above every rule: exact match 50.0 %, repeating the code unchanged 25.0 % (p = 0.5000)",
    ],
    [
      WRITTEN_SENTENCES.above(written),
      "above its floor",
      ": exact match 50.0 %, repeating the code unchanged 25.0 % (p = 0.5000)",
    ],
    [TRIAL_SENTENCES.noScore(trials), ends, ": no trial has this score"],
    [
      TRIAL_SENTENCES.noFloor(alone),
      "resolved 50.0 %; floor – (noop), ceiling – (gold)",
      ": the floor was not measured: add --controls",
    ],
    [TRIAL_SENTENCES.isFloor(trials), ends, ": this is the floor"],
    [TRIAL_SENTENCES.tooFew(trials, 1), ends, ": too few to tell: 1 task"],
    [TRIAL_SENTENCES.tested(trials, 0.0078125), `${ends}; one-sided p 0.0078`, ""],
    [NOTHING_MEASURED, "unknown", ": nothing was measured"],
  ];

  it.each(said)("%j opens with %s", (sentence, opening, rest) => {
    expect(sentence).toEqual({ opening, rest });
  });

  it("never say yes", () => {
    for (const [sentence] of said) expect(judgementText({ sentence })).not.toMatch(/\byes\b/i);
  });
});

it("has a sign for each state, and names the forms of a run that are in it", () => {
  expect(SIGNS_TEXT).toBe("✓ above floor · ~ unsteady · ≈ matches words · = at floor · ✗ unreadable · ? unknown");
  expect(JUDGEMENT_STATES.map((state) => STATE_WORDS[state].together("CTR, CL hard"))).toEqual([
    "Above the floor on CTR, CL hard.",
    "Unsteady on CTR, CL hard: it understands; being right under every order is not shown.",
    "Matches words on CTR, CL hard: above every rule that does not read the review; more than matching words is not shown.",
    "At the floor on CTR, CL hard: not shown to be above every rule that does not read the review.",
    "Unreadable on CTR, CL hard: there the model does not bind letters to options.",
    "Unknown on CTR, CL hard.",
  ]);
});

describe("what a verdict means", () => {
  const plain = (changes: Partial<Judgement>, kind: FormKind = "choice") => plainWords(kind, makeJudgement(changes));

  it("does not call a rule as good where the score is only not shown to be above it", () => {
    expect(plain({ state: "at_floor" })).toMatch(
      /^it is not shown to be better than a rule that never reads the review/,
    );
    expect(plain({ state: "at_floor" }, "trial")).toBe("it is not shown to be better than an agent that does nothing.");
    expect(plain({ state: "matches_words" })).toContain("more than matching words is not shown");
  });

  it("shuffles options only where there are any", () => {
    expect(plain({})).toContain("however the options are shuffled");
    expect(plain({}, "generation")).toBe("it is right more often than any rule that understands nothing.");
    expect(plain({}, "trial")).not.toContain("options");
  });

  it("calls a reader wrong in another order only where no order was lost", () => {
    expect(plain({ state: "unsteady" })).toContain("in another order it is wrong");
    expect(plain({ state: "unsteady", hasLostOrders: true })).toContain("it is wrong, or gave no answer");
  });

  it("asks for more questions only where more would help", () => {
    expect(plain({ state: "unknown", clusters: 5 })).toContain("ask more");
    expect(plain({ state: "unknown", clusters: 60, floor: 1 })).toContain("no score could be above it");
    expect(plain({ state: "unknown", clusters: null })).toBe(
      "nothing can be told from its number; its verdict says why.",
    );
  });
});
