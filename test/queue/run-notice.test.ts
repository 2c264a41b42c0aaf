import { describe, expect, it } from "vitest";
import { type RunNotice, refusals, type WorkerNotice } from "../../src/queue/run-notice.js";

const WORKER: WorkerNotice = {
  program: { name: "probe", version: "1.0.0", commit: "abc" },
  label: "mine",
  settings: ["contextSize=4096"],
  identity: { provider: "llama", sha256: "aa" },
  name: "w",
};
const RUN: RunNotice = {
  program: WORKER.program,
  label: "mine",
  settings: ["contextSize=4096"],
  identity: WORKER.identity,
  opening: { promptMode: "completion", mode: "fast", seed: 0, optionCount: 4, needs: ["symbols"] },
};

describe("refusals", () => {
  it("has none for the same model, settings and program, or while a run does not know its model yet", () => {
    expect(refusals(RUN, WORKER)).toEqual([]);
    expect(refusals({ ...RUN, identity: null }, { ...WORKER, identity: { provider: "llama", sha256: "bb" } })).toEqual(
      [],
    );
  });

  it("names what differs: file, settings, version, commit", () => {
    const of = (other: Partial<WorkerNotice>) => refusals(RUN, { ...WORKER, ...other });
    expect(of({ identity: { provider: "llama", sha256: "bb" } })).toEqual([
      'model sha256: the run has "aa", this worker "bb"',
    ]);
    expect(of({ settings: [] })).toEqual(['model settings: the run has ["contextSize=4096"], this worker []']);
    expect(of({ program: { ...WORKER.program, version: "1.0.1" } })).toEqual([
      'program: the run has "probe 1.0.0", this worker "probe 1.0.1"',
    ]);
    expect(of({ program: { ...WORKER.program, commit: "def" } })).toEqual([
      'program commit: the run has "abc", this worker "def"',
    ]);
  });
});
