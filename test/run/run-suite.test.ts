import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { NO_CONNECTION } from "../../src/model/model.js";
import { resolveModel } from "../../src/model/resolved-model.js";
import { ANY_RUN } from "../../src/run/folder/run-folder.js";
import { runRecordSchema } from "../../src/run/run-record.js";
import { type RunOutcome, runSuite } from "../../src/run/run-suite.js";
import type { AnySuite, OpenJournal, Performance, Suite } from "../../src/run/suite.js";
import type { FolderCodec } from "../../src/store/journal/codec.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";
import { makeRunVerdicts } from "../fixtures/verdicts.js";

const folder = useFreshFolder();
const PLACES = 4;
const NOW = new Date("2026-11-22T12:00:00.000Z");

const stepSchema = z.object({ step: z.int(), failure: z.string().nullable() });
type Step = z.infer<typeof stepSchema>;

const STEPS: FolderCodec<Step> = {
  kind: "steps",
  file: "steps.jsonl",
  journal: "the steps of a run",
  record: "a step",
  onDamage: "Remove that line.",
  version1: "record",
  encode: (record) => JSON.stringify(record),
  decode: (line) => stepSchema.parse(JSON.parse(line)),
  placeOf: ({ step }) => ({ item: step, place: 0 }),
  isFailed: ({ failure }) => failure !== null,
};

const runSchema = runRecordSchema.extend({ steps: z.int() });
/** What becomes of a step: why it failed, or `null`. */
type Take = (step: number) => string | null;
type Run = z.infer<typeof runSchema>;

async function takeSteps(session: Performance, journal: OpenJournal<Step>, steps: number, take: Take): Promise<void> {
  for (let step = 0; step < steps; step++) {
    if (journal.isDone(step, 0)) continue;
    if (session.signal.aborted) return;
    const detail = take(step);
    await journal.append({ step, failure: detail });
    session.onRecord({ isFailed: detail !== null });
    if (session.guard.isHopeless({ outcome: outcomeOf(detail) })) return;
  }
}

function outcomeOf(detail: string | null) {
  return detail === null
    ? { status: "completed" as const }
    : { status: "failed" as const, failure: "unavailable", detail };
}

/** A suite of `steps` records, of which `take` says what becomes. */
function steps(steps: number, take: Take): Suite<unknown, Run> {
  return {
    name: "steps",
    title: "steps",
    options: {},
    schema: runSchema,
    items: ["steps"],
    measures: [],
    manner: [],
    data: (run) => ({ steps: run.steps }),
    journals: (run) => [{ codec: STEPS, plan: { items: run.steps, places: 1 }, records: run.steps, name: "steps" }],
    dataDifferences: () => [],
    plan: () =>
      Promise.resolve({
        needs: [],
        parameters: {},
        prompts: [],
        own: { steps },
        limits: {},
        opening: { mode: "exact", seed: 0 },
        perform: (session) => session.withJournal(STEPS, (journal) => takeSteps(session, journal, steps, take)),
      }),
    async score({ run, records }) {
      const read: Step[] = [];
      for await (const [record] of records(STEPS)) if (record !== undefined) read.push(record);
      const failed = read.filter(({ failure }) => failure !== null).length;
      const verdicts = makeRunVerdicts({ runId: run.run_id });
      return {
        run,
        verdicts,
        tables: [],
        blocks: [],
        facts: [`${read.length} steps`],
        failed,
        unfinished: null,
        document: {},
      };
    },
  };
}

interface Told {
  readonly messages: string[];
  readonly started: (readonly [total: number, done: number, unit: string])[];
  records: number;
  ended: number;
}

async function session(
  suite: AnySuite,
  signal = new AbortController().signal,
): Promise<{ readonly outcome: RunOutcome; readonly told: Told }> {
  const told: Told = { messages: [], started: [], records: 0, ended: 0 };
  const outcome = await runSuite(suite, {
    request: {
      model: resolveModel("scripted:oracle", new Map()),
      connection: NO_CONNECTION,
      promptMode: "completion",
      price: null,
      values: {},
      resumed: null,
      named: new Set(),
      workingDirectory: folder.path(),
      warn: (message) => told.messages.push(message),
    },
    folder: folder.path("run"),
    signal,
    now: () => NOW,
    observer: {
      onMessage: (message) => told.messages.push(message),
      onStart: (total, done, unit) => told.started.push([total, done, unit]),
      onRecord: () => {
        told.records++;
      },
      onEnd: () => {
        told.ended++;
      },
    },
  });
  return { outcome, told };
}

const recorded = () => ANY_RUN.read(folder.path("run"));

describe("runSuite", () => {
  it("journals every record, scores the run, and leaves no lock behind", async () => {
    const { outcome, told } = await session(steps(PLACES, () => null));
    expect(outcome).toMatchObject({ status: "complete", scored: { score: { facts: ["4 steps"] } } });
    expect(told).toMatchObject({ started: [[4, 0, "steps"]], records: 4, ended: 1 });
    expect(await recorded()).toMatchObject({ suite: "steps", status: "complete", times: { sessions: 1 } });
    expect((await readdir(folder.path("run"))).sort()).toEqual(["datapackage.json", "run.json", "steps.jsonl"]);
  });

  it("ends in order when it is stopped, and goes on where the journal ends", async () => {
    const stop = new AbortController();
    const first = await session(
      steps(PLACES, (step) => {
        if (step === 1) stop.abort();
        return null;
      }),
      stop.signal,
    );
    // Steps 0 and 1 are recorded: what was under way is finished.
    expect(first.outcome).toMatchObject({
      status: "interrupted",
      counts: [{ name: "steps", planned: 4, done: 2 }],
    });
    expect(await recorded()).toMatchObject({ status: "interrupted" });

    const asked: number[] = [];
    const second = await session(
      steps(PLACES, (step) => {
        asked.push(step);
        return null;
      }),
    );
    expect(asked).toEqual([2, 3]);
    expect(second.told.messages[0]).toContain("2 of 4 steps are there; asking the rest.");
    expect(second.outcome).toMatchObject({ status: "complete", scored: { score: { facts: ["4 steps"] } } });
    expect(await recorded()).toMatchObject({ status: "complete", times: { sessions: 2 } });
  });

  it("is complete when it is stopped behind its last record", async () => {
    const stop = new AbortController();
    const last = (step: number) => {
      if (step === PLACES - 1) stop.abort();
      return null;
    };
    expect((await session(steps(PLACES, last), stop.signal)).outcome.status).toBe("complete");
  });

  it("gives a model up that fails the same way twenty times in a row, and asks the failed ones again", async () => {
    const { outcome } = await session(steps(30, () => "refused"));
    expect(outcome).toMatchObject({ status: "gave_up", gaveUp: { detail: "refused", failures: 20 } });
    expect(await recorded()).toMatchObject({ status: "interrupted" });
    const again = await session(steps(30, () => null));
    expect(again.told.started).toEqual([[30, 0, "steps"]]);
    expect(again.outcome.status).toBe("complete");
  });

  it("records that it was interrupted, and gives the folder free, when something breaks", async () => {
    const broken = steps(PLACES, (step) => {
      if (step === 2) throw new Error("broke");
      return null;
    });
    await expect(session(broken)).rejects.toThrow("broke");
    expect(await recorded()).toMatchObject({ status: "interrupted" });
    expect((await session(steps(PLACES, () => null))).told.started).toEqual([[4, 2, "steps"]]);
  });

  it("refuses the folder of a run of other data, and leaves it as it is", async () => {
    await session(steps(PLACES, () => null));
    await expect(session(steps(PLACES + 1, () => null))).rejects.toThrow(
      "dataset steps: the run has 4, this command 5",
    );
    expect(await recorded()).toMatchObject({ status: "complete", times: { sessions: 1 } });
    expect(existsSync(folder.path("run/steps.jsonl"))).toBe(true);
  });
});
