import { describe, expect, it } from "vitest";
import { TASK_RULES } from "../../../src/question/floors/rules.js";

const scoresOf = (review: string) =>
  Object.fromEntries(
    TASK_RULES.CTR.map(({ name, score }) => [name, score({ changeTypes: ["add", "delete", "modify"], review })]),
  );

describe("keywords", () => {
  it.each([
    ["Please remove this.", [0, 1, 0]],
    ["This import is UNUSED", [0, 1, 0]],
    ["We don't need this any more", [0, 1, 0]],
    ["Missing a null check.", [1, 0, 0]],
    ["You should have a test here", [1, 0, 0]],
    ["Why not a map?", [0, 0, 1]],
    // Less before more.
    ["Drop this and add a test", [0, 1, 0]],
    // Parts of words are no words: "address", "raindrops".
    ["The address of raindrops", [0, 0, 1]],
  ])("of '%s' picks by the words of the review", (review, scores) => {
    expect(scoresOf(review)["keywords"]).toEqual(scores);
  });
});
