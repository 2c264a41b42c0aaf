import { expect, it } from "vitest";
import { judgementParts, STATE_WORDS } from "../../src/report/state-words.js";
import { JUDGEMENT_STATES } from "../../src/verdict/verdict.js";

it("has its own words for every state, and none of them is yes", () => {
  const words = JUDGEMENT_STATES.map((state) => STATE_WORDS[state].text);
  expect(new Set(words).size).toBe(JUDGEMENT_STATES.length);
  for (const word of words) expect(word).not.toMatch(/\byes\b/i);
});

it("sorts by what is known of a score, what is not known at the end", () => {
  const sorted = [...JUDGEMENT_STATES].sort(
    (a, b) => (STATE_WORDS[a].order ?? Number.POSITIVE_INFINITY) - (STATE_WORDS[b].order ?? Number.POSITIVE_INFINITY),
  );
  expect(sorted).toEqual(["unreadable", "barely", "at_floor", "above_floor", "unknown"]);
});

it("calls only a score above its floor good", () => {
  expect(JUDGEMENT_STATES.filter((state) => STATE_WORDS[state].tone === "good")).toEqual(["above_floor"]);
});

it("says a verdict in its own words, the first of which are coloured", () => {
  expect(judgementParts({ state: "at_floor", text: "at its floor: 0.2, where the rule medoid gets 0.3" })).toEqual([
    { kind: "toned", text: "at its floor", tone: "warning" },
    ": 0.2, where the rule medoid gets 0.3",
  ]);
  expect(judgementParts({ state: "unknown", text: "not judged" })).toEqual([
    { kind: "toned", text: "not judged", tone: "plain" },
    "",
  ]);
});
