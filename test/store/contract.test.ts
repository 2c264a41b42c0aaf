import { IMPORT_JOURNAL, type ProgressRecord } from "../../src/dataset/import/forge/import-progress.js";
import { BUILD_JOURNAL, type BuildStep } from "../../src/distractors/build-files.js";
import type { ReviewRecord } from "../../src/review/decision.js";
import { REVIEW_JOURNAL } from "../../src/review/decisions-file.js";
import { ANSWER_JOURNAL } from "../../src/suites/codereviewqa/answer/answer.js";
import { GENERATION_JOURNAL } from "../../src/suites/codereviewqa/answer/generation.js";
import { AUDIT_JOURNAL, type AuditRecord } from "../../src/suites/codereviewqa/audit/audit-record.js";
import { makeAnswer, TIE, UNAVAILABLE } from "../fixtures/answer.js";
import { FAILED, makeGeneration } from "../fixtures/generation.js";
import { describeJournal } from "./contract.js";

const FINGERPRINT = { fingerprint: "0a".repeat(32) };
const HASH = "b".repeat(64);

describeJournal("a run's answers", {
  codec: ANSWER_JOURNAL,
  identity: FINGERPRINT,
  records: [
    makeAnswer({ exampleId: "é日本🦊" }),
    makeAnswer({ permutationIndex: 1, outcome: TIE }),
    makeAnswer({ permutationIndex: 2, outcome: UNAVAILABLE }),
    makeAnswer({ questionIndex: 1 }),
  ],
});

describeJournal("a run's generations", {
  codec: GENERATION_JOURNAL,
  identity: FINGERPRINT,
  records: [
    makeGeneration(),
    makeGeneration({ generationIndex: 1, outcome: FAILED }),
    makeGeneration({ generationIndex: 2, reference: "\u2028 { \r }" }),
    makeGeneration({ generationIndex: 3 }),
  ],
});

const text = { benchmark: 0, language: "go", form: "ACR", task: "ACR", difficulty: null } as const;
const scored = {
  status: "scored",
  tokens: 10,
  nll: 12.5,
  characters: 30,
  ngramStarts: 5,
  ngramHits: 1,
  renamedCharacters: null,
} as const;

describeJournal<AuditRecord>("an audit", {
  codec: AUDIT_JOURNAL,
  identity: { model: "tiny", "model quantisation": null, dataset: "starter", seed: 0, renamed: true },
  records: [
    { ...text, exampleId: "a", outcome: { ...scored, hits: [{ start: 2, text: "é" }] } },
    { ...text, exampleId: "b", outcome: { status: "failed", failure: "context_overflow", detail: "too long" } },
    { ...text, exampleId: "c", outcome: { status: "not_renamed" } },
    { ...text, exampleId: "d", outcome: { ...scored, hits: [] } },
  ],
});

describeJournal<BuildStep>("a build", {
  codec: BUILD_JOURNAL,
  identity: { input: "reviews.jsonl", input_sha256: HASH, seed: 0, limit: null, skip_invalid: false },
  records: [1, 2, 3, 4].map((line) => ({
    line,
    language: "go" as const,
    dropped: "the same as an example before",
    record: null,
    misses: null,
    explanation: null,
  })),
});

describeJournal<ProgressRecord>("an import", {
  codec: IMPORT_JOURNAL,
  identity: { source: "github:octo-org/hello", api: "https://api.github.com", since: null, until: null, max_pulls: 5 },
  records: [
    { started_at: "2025-03-03T10:00:00.000Z" },
    { pull: 3, triples: [], drops: [{ language: null, reason: "language not supported" }] },
    { pull: 12, triples: [], drops: [] },
    { pull: 7, triples: [], drops: [{ language: "go", reason: "resolved without change" }] },
  ],
});

const decision = { kind: "decision", annotator: "ada", note: "é", decided_at: "2026-11-22T10:00:01.000Z" } as const;

describeJournal<ReviewRecord>("a review by hand", {
  codec: REVIEW_JOURNAL,
  identity: { "dataset sha256": HASH, annotator: "ada" },
  records: [
    {
      kind: "review",
      schema_version: 1,
      annotator: "ada",
      started_at: "2026-11-22T10:00:00.000Z",
      dataset: { path: "data.jsonl", sha256: HASH, examples: 3 },
    },
    { ...decision, example_id: "x", decision: "keep", reason: null },
    { kind: "note", example_id: "y", note: "hm", annotator: "ada", noted_at: "2026-11-22T10:00:02.000Z" },
    { ...decision, example_id: "y", decision: "drop", reason: "wrong_linking" },
  ],
});
