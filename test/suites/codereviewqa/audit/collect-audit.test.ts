import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AuditPlan } from "../../../../src/suites/codereviewqa/audit/audit-plan.js";
import { AUDIT_JOURNAL, type AuditRecord } from "../../../../src/suites/codereviewqa/audit/audit-record.js";
import {
  collectAudit,
  lowPerplexityBound,
  memorisedTexts,
} from "../../../../src/suites/codereviewqa/audit/collect-audit.js";
import { temporaryFolder } from "../../../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const path = join(folder, "contamination.jsonl");

const ACR = { form: "ACR", task: "ACR", difficulty: null } as const;
const RENAMED = { ...ACR, form: "ACR_RENAMED" } as const;
const PLAN = { benchmarks: [{ name: "mine", forms: [ACR, RENAMED] }] } as unknown as AuditPlan;

type Changes = { readonly form?: AuditRecord["form"]; readonly ngramStarts?: number };

/** A text of 10 tokens with this perplexity and this many hits. */
function scored(id: string, perplexity: number, hits: number | null, changes: Changes = {}): AuditRecord {
  const { form = "ACR", ngramStarts = 5 } = changes;
  return {
    ...place,
    exampleId: id,
    form,
    outcome: {
      status: "scored",
      tokens: 10,
      nll: 10 * Math.log(perplexity),
      characters: 30,
      ngramStarts,
      ngramHits: hits,
      renamedCharacters: null,
      hits: Array.from({ length: hits ?? 0 }, (_, i) => ({ start: i + 2, text: `text ${i}` })),
    },
  };
}

function journal(...records: readonly AuditRecord[]): void {
  writeFileSync(path, `${['{"kind":"audit"}', ...records.map(AUDIT_JOURNAL.encode)].join("\n")}\n`);
}

const place = { benchmark: 0, language: "go", ...ACR } as const;

describe("the journal of an audit", () => {
  it("is counted by form, with the ids of what is missing", async () => {
    journal(
      scored("a", 4, 0),
      { ...place, ...RENAMED, exampleId: "a", outcome: { status: "not_renamed" } },
      { ...place, exampleId: "b", outcome: { status: "failed", failure: "context_overflow", detail: "too long" } },
      scored("c", 4, null, { ngramStarts: 0 }),
    );
    const { counts, sets } = await collectAudit(path, PLAN);
    expect(counts).toEqual([
      {
        benchmark: "mine",
        forms: [
          { ...ACR, scored: 2, failed: { context_overflow: ["b"] }, too_short: ["c"], not_renamed: [] },
          { ...RENAMED, scored: 0, failed: {}, too_short: [], not_renamed: ["a"] },
        ],
      },
    ]);
    expect(sets[0]?.examples.map(({ id }) => id)).toEqual(["a", "c"]);
  });

  it("passes over a torn last line", async () => {
    journal(scored("a", 4, 0));
    appendFileSync(path, '{"benchmark":0,"exam');
    expect((await collectAudit(path, PLAN)).sets[0]?.examples).toHaveLength(1);
  });

  it("is refused with the line that is damaged", async () => {
    journal(scored("a", 4, 0));
    appendFileSync(path, '{"benchmark":0}\n');
    const error: unknown = await collectAudit(path, PLAN).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: expect.stringMatching(/contamination\.jsonl:3: expected a scored text/) });
    // What is wrong with it is told in lines, not with their ends written out.
    expect(error).toMatchObject({ message: expect.not.stringContaining("\\u000a") });
  });
});

describe("texts that look memorised", () => {
  const find = async () => memorisedTexts(path, (await collectAudit(path, PLAN)).sets);

  it("have all their n-grams hit", async () => {
    journal(scored("a", 4, 4), scored("b", 9, 5), scored("c", 5, null));
    expect(await find()).toEqual([
      {
        benchmark: "mine",
        example_id: "b",
        language: "go",
        ...ACR,
        reasons: ["all_ngrams"],
        // Of 4, 5 and 9.
        perplexity: expect.closeTo(9, 10),
        median_perplexity: expect.closeTo(5, 10),
        ngram_hits: 5,
        ngram_starts: 5,
        hits: [2, 3, 4, 5, 6].map((start) => ({ start, text: `text ${start - 2}` })),
      },
    ]);
  });

  it("or a perplexity far below the others", async () => {
    const usual = Array.from({ length: 10 }, (_, i) => scored(`usual-${i}`, Math.exp(1 + i / 100), 0));
    // ln perplexities 1.00 … 1.09 and another below: median 1.04, MAD 0.03, bound 1.04 − 3 × 1.4826 × 0.03 = 0.9066.
    journal(...usual, scored("near", Math.exp(0.91), 0));
    expect(await find()).toEqual([]);
    journal(...usual, scored("far", Math.exp(0.9), 0));
    expect(await find()).toMatchObject([{ example_id: "far", reasons: ["low_perplexity"] }]);
  });

  it("are not looked for in renamed code", async () => {
    journal(scored("a", 4, 5, RENAMED));
    expect(await find()).toEqual([]);
  });

  it("are not texts too short for n-grams", async () => {
    journal(scored("a", 4, null, { ngramStarts: 0 }));
    expect(await find()).toEqual([]);
  });
});

describe("the bound of low perplexities", () => {
  it("lies three robust standard deviations below the median", () => {
    // 1 … 11: median 6; deviations 5,4,3,2,1,0,1,2,3,4,5: their median is 3. 6 − 3 × 1.4826 × 3 = −7.3434.
    expect(lowPerplexityBound([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])).toBeCloseTo(-7.3434, 10);
  });

  it("does not follow an outlier", () => {
    // 1 … 10 and −1000: median 5, absolute deviations 0,1,1,2,2,3,3,4,4,5,1005: median 3, as without the outlier.
    expect(lowPerplexityBound([-1000, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])).toBeCloseTo(5 - 3 * 1.4826 * 3, 10);
  });

  it("is absent for fewer than ten values, or without spread", () => {
    expect(lowPerplexityBound([1, 2, 3, 4, 5, 6, 7, 8, 9])).toBeNull();
    expect(lowPerplexityBound([...Array.from({ length: 9 }, () => 2), 1])).toBeNull();
    expect(lowPerplexityBound([])).toBeNull();
  });
});
