import { describe, expect, it } from "vitest";
import { judgeBlocks, justificationBlocks } from "../../src/judge/rating-blocks.js";
import type { RatingRecord } from "../../src/judge/rating-records.js";
import type { Block } from "../../src/report/block.js";
import { makeRating, UNREADABLE } from "../fixtures/rating-record.js";

const run = (votes = 1) => ({
  agents: [{ name: "patches", is_control: false, identity: {} }],
  judge: { label: "m", identity: {}, price: null, votes },
});
const shown = (records: readonly RatingRecord[], votes = 1) => textsOf(judgeBlocks(run(votes), records, null));

/** All that is said outside of tables. */
function textsOf(blocks: readonly Block[]): string {
  return JSON.stringify(blocks.filter(({ kind }) => kind !== "table"));
}

describe("what is shown of a judge", () => {
  it("says once how many of its verdicts could not be read, controls among them", () => {
    const text = shown([
      makeRating(),
      makeRating({ criterion_id: "r2", ...UNREADABLE }),
      makeRating({ agent: "scripted:noop", ...UNREADABLE }),
      // Nobody said anything of these.
      makeRating({ criterion_id: "r3", ...UNREADABLE, status: "not_asked" }),
      makeRating({ criterion_id: "r4", ...UNREADABLE, status: "lost" }),
    ]);
    expect(text.split("2 of 3 verdicts could not be read: they have no score.")).toHaveLength(2);
    expect(text).toContain("Judge: 3 calls; 30 tokens of prompts, 6 written.");
    expect(text).not.toContain("not readable");
  });

  it("says nothing of that where all can be read, and calls marks marks", () => {
    expect(shown([makeRating()])).not.toContain("could not be read");
    // One reply with two marks, of which one is out of range.
    const mark = { scale: "points", verdict: "7", score: 0.7 } as const;
    const marks = [makeRating(mark), makeRating({ ...mark, criterion_id: "r2", ...UNREADABLE, shares_reply: true })];
    const text = shown(marks);
    expect(text).toContain("1 of 2 marks could not be read: they have no score.");
    expect(text).toContain("Judge: 1 call;");
  });

  it("explains the sign for what is not known: of several votes also as many for as against", () => {
    expect(shown([makeRating()])).toContain("? cannot be read, · not asked");
    expect(shown([makeRating(), makeRating({ vote: 1, score: 0 })], 2)).toContain(
      "? cannot be read, or as many votes say the contrary, · not asked",
    );
  });

  it("says of each trial what could not be read beside what passed", () => {
    const blocks = justificationBlocks(run(), [makeRating(), makeRating({ criterion_id: "r2", ...UNREADABLE })]);
    expect(blocks.map((block) => block.kind === "details" && block.summary)).toEqual([
      "task-1 · qa · trial 0: 1 of 2 passed, 1 could not be read",
    ]);
  });
});
