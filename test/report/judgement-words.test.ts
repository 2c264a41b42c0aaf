import { describe, expect, it } from "vitest";
import {
  CHOICE_SENTENCES,
  judgementParts,
  NOTHING_MEASURED,
  SIGNS_TEXT,
  STATE_WORDS,
  TRIAL_SENTENCES,
  WRITTEN_SENTENCES,
} from "../../src/report/judgement-words.js";
import { JUDGEMENT_STATES, type JudgementSentence, judgementText } from "../../src/verdict/judgement.js";

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
  const [score, longest] = [0.625, { rule: "longest", share: 0.375 }];
  const gated = { agreement: 2 / 6, guessing: 2358 / 729 / 6 };
  const written = { score: 0.5, floor: 0.25, rule: "repeating the code unchanged" };
  const trials = { headline: "resolved", score: 0.5, noop: 0, gold: 1 };
  const alone = { headline: "resolved", score: 0.5, noop: null, gold: null };
  const sure = { pValue: 0.00001, against: { rule: "medoid", share: 0.2 } };
  const ends = "resolved 50.0 %; floor 0.0 % (noop), ceiling 100.0 % (gold)";
  const guessing = "agreement 33.3 %, guessing 53.9 %";
  const said: readonly (readonly [JudgementSentence, string, string])[] = [
    [
      CHOICE_SENTENCES.unreadable(gated, { symbol: "A", share: 1 }),
      "unreadable",
      `: the model does not bind letters to options (${guessing}; A is 100.0 % of its answers)`,
    ],
    [
      CHOICE_SENTENCES.unreadable(gated, null),
      "unreadable",
      `: the model does not bind letters to options (${guessing})`,
    ],
    [CHOICE_SENTENCES.barely(gated), "barely readable", `: the model hardly binds letters to options (${guessing})`],
    [
      CHOICE_SENTENCES.notAbove(0.3, longest),
      "at its floor",
      ": 30.0 % is not above what needs no comprehension: the rule longest gets 37.5 %",
    ],
    [
      CHOICE_SENTENCES.notClearlyAbove(score, longest, { pValue: 14893 / 65536, against: null }),
      "at its floor",
      ": 62.5 % is not clearly above what needs no comprehension: the rule longest gets 37.5 % (p = 0.2272)",
    ],
    [
      CHOICE_SENTENCES.above(score, longest, sure),
      "above its floor",
      ": 62.5 %, where the rule longest gets 37.5 % (p < 0.0001; against medoid, 20.0 %)",
    ],
    [CHOICE_SENTENCES.noAgreement, "unknown", ": agreement over all orders was not measured"],
    [CHOICE_SENTENCES.noFloor, "unknown", ": what is reached without reading was not measured"],
    [
      CHOICE_SENTENCES.tooFew(1, longest),
      "unknown",
      ": on 1 question, of which the rule longest gets 37.5 %, no score could be told from chance",
    ],
    [
      CHOICE_SENTENCES.tooFew(100, longest),
      "unknown",
      ": on 100 questions, of which the rule longest gets 37.5 %, no score could be told from chance",
    ],
    [WRITTEN_SENTENCES.noFloor, "unknown", ": no floor was measured"],
    [
      WRITTEN_SENTENCES.tooFew(written),
      "unknown",
      ": too few generations to tell (exact match 50.0 %, repeating the code unchanged 25.0 %)",
    ],
    [WRITTEN_SENTENCES.notAbove(written), "at its floor", ": exact match 50.0 %, repeating the code unchanged 25.0 %"],
    [WRITTEN_SENTENCES.above(written), "above its floor", ": exact match 50.0 %, repeating the code unchanged 25.0 %"],
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
  expect(SIGNS_TEXT).toBe("✓ above floor · = at floor · ~ barely · ✗ unreadable · ? unknown");
  expect(JUDGEMENT_STATES.map((state) => STATE_WORDS[state].together("CTR, CL hard"))).toEqual([
    "Above the floor on CTR, CL hard.",
    "At the floor on CTR, CL hard: a rule that understands nothing gets as much.",
    "Barely readable on CTR, CL hard.",
    "Unreadable on CTR, CL hard: there the model does not bind letters to options.",
    "Unknown on CTR, CL hard.",
  ]);
});
