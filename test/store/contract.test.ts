import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { IMPORT_JOURNAL, type ProgressRecord } from "../../src/dataset/import/forge/progress-file.js";
import { BUILD_JOURNAL, type BuildStep } from "../../src/distractors/build-result.js";
import type { ReviewRecord } from "../../src/review/decision.js";
import { REVIEW_JOURNAL } from "../../src/review/decisions-file.js";
import { ANSWER_JOURNAL } from "../../src/suites/codereviewqa/answer/answer-record.js";
import { GENERATION_JOURNAL } from "../../src/suites/codereviewqa/answer/generation-record.js";
import { AUDIT_JOURNAL, type AuditRecord } from "../../src/suites/codereviewqa/audit/record.js";
import { makeAnswer, TIE, UNAVAILABLE } from "../fixtures/answer.js";
import { FAILED, makeGeneration } from "../fixtures/generation.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";
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
const scores = { tokens: 10, nll: 12.5, characters: 30, renamed_characters: null, ngram_starts: 5, ngram_hits: 1 };

describeJournal<AuditRecord>("an audit", {
  codec: AUDIT_JOURNAL,
  identity: { model: "tiny", "model quantisation": null, dataset: "starter", seed: 0, renamed: true },
  records: [
    { ...text, example_id: "a", status: "scored", ...scores, hits: [{ start: 2, text: "é" }] },
    { ...text, example_id: "b", status: "failed", failure: "context_overflow", detail: "too long" },
    { ...text, example_id: "c", status: "not_renamed" },
    { ...text, example_id: "d", status: "scored", ...scores, hits: [] },
  ],
});

describeJournal<BuildStep>("a build", {
  codec: BUILD_JOURNAL,
  identity: { input: "reviews.jsonl", input_sha256: HASH, seed: 0, limit: null, skip_invalid: false },
  records: [1, 2, 3, 4].map((line) => ({
    ...{ line, language: "go" as const, dropped: "the same as an example before", record: null, explanation: null },
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
      ...{ kind: "review", schema_version: 1, annotator: "ada", started_at: "2026-11-22T10:00:00.000Z" },
      dataset: { path: "data.jsonl", sha256: HASH, examples: 3 },
    },
    { ...decision, example_id: "x", decision: "keep", reason: null },
    { kind: "note", example_id: "y", note: "hm", annotator: "ada", noted_at: "2026-11-22T10:00:02.000Z" },
    { ...decision, example_id: "y", decision: "drop", reason: "wrong_linking" },
  ],
});

describe("work that is killed at any operation on the disk", () => {
  const folder = temporaryFolder();
  const script = join(import.meta.dirname, "../fixtures/store/work.mjs");

  /** Its exit code, or the signal that ended it. */
  const work = (kind: string, path: string, killAt: number): Promise<{ end: unknown; stderr: string }> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [script, kind, path, String(killAt)], {
        stdio: ["ignore", "ignore", "pipe"],
      });
      let stderr = "";
      child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
        stderr += chunk;
      });
      child.on("close", (code, signal) => resolve({ end: signal ?? code, stderr }));
    });

  it.each(["folder", "file", "import", "review"])(
    "is gone on with by the same command, to the same bytes: %s",
    async (kind) => {
      const fileOf = (path: string) =>
        kind === "folder" ? join(path, "test.jsonl") : existsSync(path) ? path : `${path}.partial.jsonl`;
      const pathOf = (name: string) => join(folder, kind, name, "work");
      mkdirSync(dirname(pathOf("whole")), { recursive: true });
      expect(await work(kind, pathOf("whole"), 0)).toEqual({ end: 0, stderr: "" });
      const whole = readFileSync(fileOf(pathOf("whole")), "utf8");
      expect(whole.split("\n").length).toBeGreaterThanOrEqual(5);
      // Starting processes is slow: the folder alone is killed at every operation.
      for (let killAt = 1; ; killAt += kind === "folder" ? 1 : 3) {
        const path = pathOf(String(killAt));
        mkdirSync(dirname(path), { recursive: true });
        const killed = await work(kind, path, killAt);
        if (killed.end === 0) {
          // It made fewer operations than that: every one was tried.
          expect(killAt).toBeGreaterThan(15);
          return;
        }
        expect(killed.end).toBe("SIGKILL");
        expect(await work(kind, path, 0)).toEqual({ end: 0, stderr: "" });
        expect(readFileSync(fileOf(path), "utf8")).toBe(whole);
        const rest = readdirSync(kind === "folder" ? path : dirname(path)).filter(
          // Of a lock that was about to be taken: it may be that of a process which cannot be seen from here.
          (name) => /lock|tmp/.test(name) && !/\.lock\.[0-9a-f]+\.\d+\.tmp$/.test(name),
        );
        expect(rest).toEqual([]);
      }
    },
    300_000,
  );
});
