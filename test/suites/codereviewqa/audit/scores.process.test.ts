import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededIntegers } from "../../../../src/base/random.js";
import type { Model } from "../../../../src/model/model.js";
import { loadProbes } from "../../../../src/question/probes.js";
import type { AuditRecord } from "../../../../src/suites/codereviewqa/audit/audit-record.js";
import { openBenchmark, readReviews } from "../../../../src/suites/codereviewqa/audit/benchmark.js";
import { perplexity } from "../../../../src/suites/codereviewqa/audit/sequence-score.js";
import {
  type AuditSequence,
  planForms,
  scoreSequences,
  sequencesOf,
} from "../../../../src/suites/codereviewqa/audit/sequences.js";
import { collect } from "../../../fixtures/collect.js";
import { openSlowPath, type SlowPath } from "../../../fixtures/slow-path.js";
import { openTiny } from "../../../model/llama/open-tiny.js";

const SELECTION = { languages: [], sample: null, seed: 0, limit: null };
const EXAMPLES = 8;

let model: Model;
let slow: SlowPath;
let sequences: AuditSequence[];
let records: AuditRecord[];

/** The shortest texts of the starter set, ACR and CTR in turn. */
async function shortTexts(): Promise<AuditSequence[]> {
  const probes = [...(await loadProbes()).values()].filter(({ task }) => task === "ACR" || task === "CTR");
  const forms = await planForms(probes, [], false);
  const starter = await openBenchmark("starter", { selection: SELECTION, skipInvalid: false, warn: () => {} });
  const all: AuditSequence[] = [];
  for await (const review of readReviews(starter)) {
    const [acr, ctr] = await sequencesOf(review, forms, 0);
    all.push(all.length % 2 === 0 ? acr! : ctr!);
  }
  return all.sort((a, b) => a.text!.length - b.text!.length).slice(0, EXAMPLES);
}

beforeAll(async () => {
  model = await openTiny({ needs: ["token_scores"] });
  slow = await openSlowPath();
  sequences = await shortTexts();
  const placed = async function* () {
    for (const sequence of sequences) yield { benchmark: 0, sequence };
  };
  const { signal } = new AbortController();
  const scoreTokens = model.scoreTokens!.bind(model);
  records = await collect(scoreSequences(placed(), { scoreTokens, concurrency: 1, starts: "even", seed: 0, signal }));
});

afterAll(async () => {
  await model.close();
  await slow.close();
});

describe("an audit beside a model that is fed one token at a time", () => {
  it("has the same perplexities to 1e-3, the same token counts and the same 5-gram hits", async () => {
    let hits = 0;
    for (const [i, { exampleId, text }] of sequences.entries()) {
      const record = records[i]!.outcome;
      if (record.status !== "scored") throw new Error(`${exampleId} was not scored.`);
      const { logprobs, tokens } = await slow.score(text!);
      const nll = logprobs.reduce((sum, logprob) => sum - logprob, 0);
      expect(record.tokens).toBe(tokens.length);
      expect(perplexity(record) / Math.exp(nll / tokens.length)).toBeCloseTo(1, 3);
      // ⌊2 + j (L − 5 − 2) / 4⌋, and five tokens that the model writes after the true ones.
      const starts = [0, 1, 2, 3, 4].map((j) => Math.floor(2 + (j * (tokens.length - 7)) / 4));
      const generated: number[] = [];
      for (const start of starts) {
        const written = await slow.generate(tokens.slice(0, start), 5);
        if (written.every((token, k) => token === tokens[start + k])) generated.push(start);
      }
      expect(record.hits.map(({ start }) => start)).toEqual(generated);
      expect(record.ngramHits).toBe(generated.length);
      hits += generated.length;
    }
    expect(records).toHaveLength(EXAMPLES);
    // Neither none nor all: the comparison compares something.
    expect(hits).toBeGreaterThan(3);
    expect(hits).toBeLessThan(5 * EXAMPLES - 3);
  });

  it("finds code far easier than its own tokens in another order", async () => {
    const { signal } = new AbortController();
    for (const { text } of sequences.slice(0, 5)) {
      const [plain, mixed] = [text!, await shuffled(text!)];
      const [easy, hard] = await Promise.all(
        [plain, mixed].map(async (each) => {
          const reply = await model.scoreTokens!(each, signal);
          if (reply.status === "failed") throw new Error(reply.detail);
          return reply.logprobs.reduce((sum, logprob) => sum - logprob!, 0) / reply.logprobs.length;
        }),
      );
      expect(Math.exp(hard!) / Math.exp(easy!)).toBeGreaterThan(5);
    }
  });
});

/** The pieces of text that its tokens are, in another order. */
async function shuffled(text: string): Promise<string> {
  const reply = await model.scoreTokens!(text, new AbortController().signal);
  if (reply.status === "failed") throw new Error(reply.detail);
  const pieces = reply.ends.map((end, i) => text.slice(reply.ends[i - 1] ?? 0, end));
  const draw = seededIntegers(1);
  for (let i = pieces.length - 1; i > 0; i--) {
    const j = draw(0, i);
    [pieces[i], pieces[j]] = [pieces[j]!, pieces[i]!];
  }
  return pieces.join("");
}
