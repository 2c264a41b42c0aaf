import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Agent, NO_METER } from "../../../src/agent/agent.js";
import { openReplyBook, type ReplyBook } from "../../../src/agent/replies.js";
import { OWN_CASES, readCases } from "../../../src/suites/smellbench/read-cases.js";
import { smellbenchAdapter } from "../../../src/suites/smellbench/smell-adapter.js";
import type { SmellTask } from "../../../src/suites/smellbench/smell-case.js";
import type { BenchAdapter } from "../../../src/trial/adapter.js";
import { type BenchRoom, openRoom } from "../../../src/trial/bench-room.js";
import { GoldBook } from "../../../src/trial/make/gold-book.js";
import { runTrial } from "../../../src/trial/make/run-trial.js";
import { openCage } from "../../../src/workspace/cage.js";
import { temporaryFolder } from "../../fixtures/temporary-folder.js";

const folder = temporaryFolder();
let room: BenchRoom;
let replies: ReplyBook;
let task: SmellTask;
beforeAll(async () => {
  room = await openRoom("ungradable trials");
  replies = await openReplyBook(folder, { fingerprint: "x" });
  const tasks = await readCases(OWN_CASES, null);
  task = tasks.find(({ id }) => id === "ledger-feature-envy-easy")!;
});
afterAll(async () => {
  await replies.close();
  await room.close();
});

let made = 0;

/** A trial of an agent that leaves what it likes. */
async function trialOf(leave: (tree: string) => void, own: Partial<BenchAdapter<SmellTask>> = {}) {
  const adapter = { ...smellbenchAdapter, ...own };
  const bench = room.open(await openCage({ sandbox: "auto", hidden: [] }), new AbortController().signal);
  const agent: Agent = {
    name: "hostile",
    identity: {},
    runsCode: false,
    async run({ workspace }) {
      leave(workspace.tree);
      return { status: "done", end: "finished", reportedSuccess: true, detail: null, ...NO_METER };
    },
  };
  const artifacts = join(folder, "artifacts", String(made++));
  const limits = { maxCalls: 1, timeLimitMs: null, budgetUsd: null };
  const gold = new GoldBook(adapter, [task]);
  const setting = { adapter, bench, attempts: 1, limits, seed: 0, replies, gold, adviser: null, artifacts };
  const job = { item: 0, agent, condition: "guided", task, trial: 0 };
  const record = await runTrial(job, setting, true).finally(() => bench.close());
  return { record, artifacts };
}

const NOTHING = () => undefined;
const systemError = (code: string) => Object.assign(new Error(`${code}: x`), { code });

describe("a trial whose tree ends the grading", () => {
  it("is a failed one that says why, with its patch kept", async () => {
    // The set-up of pytest is taken away before the tests: the link then leads to nothing, which no tree may have.
    const { record, artifacts } = await trialOf((tree) => {
      writeFileSync(join(tree, "conftest.py"), "x = 1\n");
      symlinkSync("../conftest.py", join(tree, "src/link.py"));
    });
    expect(record).toMatchObject({ status: "graded", patch_applies: false, scores: { tpr: false, la: false } });
    expect(record.detail).toMatch(/^what cannot be graded: .*src\/link\.py/);
    expect(record.patch_sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(readFileSync(join(artifacts, "patch.diff"), "utf8")).toContain("conftest.py");
  });

  it("is one too where no patch can be taken of it, or its scores or its report are words without end", async () => {
    const settle = () => Promise.reject(new Error("scratch/ cannot be removed"));
    const untaken = await trialOf(NOTHING, { settle });
    expect(untaken.record).toMatchObject({ status: "graded", patch_applies: false, scores: { tpr: false } });
    expect(untaken.record.detail).toBe("a tree that no patch can be taken of: scratch/ cannot be removed");
    const withWords = (own: object) =>
      trialOf((tree) => mkdirSync(join(tree, "src/empty")), {
        async grade(judged, submission, bench) {
          const graded = await smellbenchAdapter.grade(judged, submission, bench);
          // The right solution has a patch, and the refused one does not apply.
          const isLong = submission.applies && submission.patch.length === 0 && graded.status === "graded";
          return isLong ? { ...graded, ...own } : graded;
        },
      });
    for (const [own, told] of [
      [{ scores: { smell: "x".repeat(1_000_001) } }, "scores of at most 1000000 characters"],
      // 32 MB are read again.
      [{ report: { names: "x".repeat(32 * 1024 * 1024) } }, "a report of at most 33554432 bytes"],
    ] as const) {
      const { record } = await withWords(own);
      expect(record).toMatchObject({ status: "graded", patch_applies: false, scores: { tpr: false } });
      expect(record.detail).toContain(`what cannot be graded: Expected ${told}`);
    }
  });
});

describe("a grading that ends by something else", () => {
  it("is none where the right solution cannot be graded either, or the machine says what it lacks", async () => {
    const broken = () => Promise.reject(new Error("no runner"));
    await expect(trialOf(NOTHING, { grade: broken })).rejects.toThrow("no runner");
    let calls = 0;
    const full = () => {
      calls++;
      return Promise.reject(new Error("git", { cause: systemError("ENOSPC") }));
    };
    await expect(trialOf(NOTHING, { grade: full })).rejects.toThrow("git");
    expect(calls).toBe(1);
    await expect(trialOf(NOTHING, { settle: () => Promise.reject(systemError("EMFILE")) })).rejects.toThrow("EMFILE");
  });

  it("is made once more where it ended by chance", async () => {
    let calls = 0;
    const { record } = await trialOf(NOTHING, {
      grade: (...given) => (calls++ === 0 ? Promise.reject(new Error("chance")) : smellbenchAdapter.grade(...given)),
    });
    expect(record).toMatchObject({ status: "graded", patch_applies: true, detail: null, scores: { tpr: true } });
    // The one that ended, the right solution, the one that counts.
    expect(calls).toBe(3);
  });
});
