import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RatingRecord } from "../../../src/judge/rating-records.js";
import { type Opinion, opinionsOf } from "../../../src/judge/rating-records.js";
import { MANIFEST, rubricScore } from "../../../src/suites/swe-atlas/atlas-scores.js";
import { atlasJudging, readManifestAnswer } from "../../../src/suites/swe-atlas/atlas-suite.js";
import type { Workflow } from "../../../src/suites/swe-atlas/atlas-task.js";
import { atlasTask } from "../../fixtures/suites/swe-atlas/atlas-task.js";

interface Case {
  readonly case: string;
  readonly rubrics: string;
  readonly replies: Readonly<Record<string, string>>;
  readonly expected: Readonly<Record<string, number | boolean>>;
}

/** What the released evaluators give for made-up verdicts. */
const PUBLISHED = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../fixtures/suites/swe-atlas/published.json"), "utf8"),
);

function opinions(workflow: Workflow, { rubrics, replies }: Pick<Case, "rubrics" | "replies">) {
  const listed: { id: string; title: string; annotations: { type: string; importance: string } }[] =
    PUBLISHED.rubric_sets[rubrics];
  const task = atlasTask(
    workflow,
    listed.map(({ annotations, ...rest }) => ({ ...rest, ...annotations })),
  );
  const criteria = atlasJudging.criteria(task).filter(({ id }) => id !== MANIFEST);
  const found = criteria.flatMap((criterion): Opinion[] => {
    const passing = criterion.polarity === "positive" ? ["YES", "1"] : ["NO", "0"];
    const [status, score] = passing;
    const reply = replies[criterion.id] ?? replies["*"] ?? JSON.stringify({ ratings: [{ status, score }] });
    const { scorePublished, ...read } = atlasJudging.read(task, criterion, reply);
    const record = { ...read, ...criterion, criterion_id: criterion.id, score_published: scorePublished, vote: 0 };
    return opinionsOf([record as unknown as RatingRecord]);
  });
  return { found, score: rubricScore(workflow, found, listed.length) };
}

const cases = (workflow: Workflow): Case[] => PUBLISHED[workflow].cases;

describe("verdicts by the released rules", () => {
  it.each(cases("qa").map((each) => [`${each.rubrics}: ${each.case}`, each] as const))("qa: %s", (_, each) => {
    const { found, score } = opinions("qa", each);
    expect(score.passPublished).toBe(each.expected["pass"]);
    const read = found.filter(({ scorePublished }) => scorePublished !== null);
    expect(read).toHaveLength(Number(each.expected["num_scored"]));
    expect(read.filter(({ scorePublished }) => scorePublished === 1)).toHaveLength(Number(each.expected["num_passed"]));
  });

  it.each(cases("tw").map((each) => [`${each.rubrics}: ${each.case}`, each] as const))("tw: %s", (_, each) => {
    const { found, score } = opinions("tw", each);
    expect(score.passPublished).toBe(each.expected["rubrics_pass"]);
    expect(found).toHaveLength(Number(each.expected["judge_calls"]));
    expect(found.filter(({ scorePublished }) => scorePublished !== null)).toHaveLength(
      Number(each.expected["evaluable_count"]),
    );
  });

  it.each(cases("rf").map((each) => [`${each.rubrics}: ${each.case}`, each] as const))("rf: %s", (_, each) => {
    const { found, score } = opinions("rf", each);
    expect(score.passPublished).toBe(each.expected["must_have_pass"]);
    expect(found).toHaveLength(Number(each.expected["judge_calls"]));
    expect(found.filter(({ scorePublished }) => scorePublished !== null)).toHaveLength(
      Number(each.expected["evaluable_count"]),
    );
  });

  it("passes an empty list of rubrics in rf alone", () => {
    expect(rubricScore("rf", [], 0).passPublished).toBe(PUBLISHED.rf.empty_rubrics.must_have_pass);
    expect(rubricScore("tw", [], 0).passPublished).toBe(PUBLISHED.tw.empty_rubrics.rubrics_pass);
    expect(rubricScore("qa", [], 0).passPublished).toBe(false);
  });

  it.each(PUBLISHED.tw.manifest as { reply: string; pass: boolean }[])(
    "takes $reply of a manifest",
    ({ reply, pass }) => {
      expect(readManifestAnswer(reply).scorePublished).toBe(Number(pass));
    },
  );
});

describe("verdicts by our rules", () => {
  const NO = '{"ratings": [{"status": "NO", "score": "0"}]}';
  const YES = '{"ratings": [{"status": "YES", "score": "1"}]}';
  // Of the four rubrics r1 and r3 are must-haves, r3 and r4 faults: passed where the judge says NO.
  it.each([
    ["all pass", {}, true, 1],
    ["a must-have fails", { r1: NO }, false, 0.75],
    ["a nice-to-have fails", { r2: NO }, true, 0.75],
    ["a fault that must not be is there", { r3: YES }, false, 0.75],
    ["a must-have cannot be read", { r1: "no JSON" }, true, 1],
    ["no must-have can be read", { r1: "no JSON", r3: "no JSON" }, null, 1],
    ["nothing can be read", { "*": "no JSON" }, null, null],
  ] as const)("are the same in every workflow: %s", (_, replies, pass, agg) => {
    for (const workflow of ["qa", "tw", "rf"] as const)
      expect(opinions(workflow, { rubrics: "mixed", replies }).score).toMatchObject({ pass, agg });
  });

  it("take the first JSON object that begins with ratings, also before more words, where the released code does not", () => {
    const { found } = opinions("rf", { rubrics: "one_must", replies: { "*": `${YES} Done.` } });
    expect(found[0]).toMatchObject({ score: 1, scorePublished: null });
  });

  it("take a manifest's answer that is neither YES nor NO for none", () => {
    expect(readManifestAnswer('{"answer": true}')).toMatchObject({ score: null, scorePublished: 0 });
    expect(readManifestAnswer('{"answer": "NO", "justification": "one is missing"}')).toMatchObject({
      score: 0,
      justification: "one is missing",
    });
  });
});
