import { join } from "node:path";
import { badInput } from "../base/errors.js";
import { programIdentity } from "../base/program-identity.js";
import type { Model } from "../model/model.js";
import { openModel } from "../model/open-model.js";
import type { Price } from "../model/prices.js";
import { recordedConnection, recordedSettings } from "../model/resolved-model.js";
import { lockFolder, RESULTS_FOLDER, tryFolder } from "../store/folder/work-folder.js";
import type { FolderCodec } from "../store/journal/codec.js";
import { JournalIndex } from "../store/journal/journal-index.js";
import { JournalWriter } from "../store/journal/journal-writer.js";
import { type Gate, requireForms } from "../verdict/gate.js";
import { FailureGuard, type GaveUp } from "./asking.js";
import { countsText, type JournalCount, JournalCounts, total } from "./folder/journal-counts.js";
import { chooseRunFolder, runFileOf, runFingerprint, runId } from "./folder/run-folder.js";
import { type RunRecord, SCHEMA_VERSION } from "./run-record.js";
import { type ScoredRun, scoreFolder } from "./score-folder.js";
import type { AnySuite, Left, Opened, OpenJournal, PlannedJournal, SuitePlan, SuiteRequest } from "./suite.js";

/** Listener to the events of a run. */
export interface RunObserver {
  /** A sentence for the user. */
  readonly onMessage: (message: string) => void;
  /** Share of a model's file that is downloaded, 0–1. */
  readonly onDownload?: (fraction: number) => void;
  /** Before the first record: how many there will be, how many are there already, and what they are called. */
  readonly onStart: (total: number, done: number, unit: string) => void;
  /** A record is in its journal. */
  readonly onRecord: (record: { readonly isFailed: boolean }) => void;
  /** Nothing more will be asked. */
  readonly onEnd: () => void;
}

/** Inputs of one session of a run. */
export interface SuiteSession {
  readonly request: SuiteRequest<unknown>;
  /** `--out` or `--resume`; `null`: chosen under `results/`. */
  readonly folder: string | null;
  /** Aborting it stops the run in order: what is under way is finished and recorded, or asked again when it goes on. */
  readonly signal: AbortSignal;
  /** The time of day. */
  readonly now: () => Date;
  readonly observer: RunObserver;
  /** Limits that the run will be held against; absent: none. */
  readonly gate?: Gate;
}

/** End of a session. */
export type RunOutcome =
  | { readonly status: "complete"; readonly scored: ScoredRun }
  | { readonly status: "interrupted"; readonly folder: string; readonly counts: readonly JournalCount[] }
  /** The model failed the same way too often; what was recorded is scored. */
  | { readonly status: "gave_up"; readonly scored: ScoredRun; readonly gaveUp: GaveUp }
  /** The money is spent, or batches are under way; what was recorded is scored. */
  | {
      readonly status: Left["reason"];
      readonly scored: ScoredRun;
      readonly counts: readonly JournalCount[];
      readonly left: Left;
    };

/**
 * Runs a suite: everything is planned and counted, the model opened, every record journaled before it counts, the run
 * scored. The same session again, after any kill, goes on where the journals end.
 * @throws ProbeError `bad_input`, `model_unavailable`
 */
export async function runSuite(suite: AnySuite, session: SuiteSession): Promise<RunOutcome> {
  const { request, observer } = session;
  const plan = await suite.plan(request);
  if (plan.forms !== undefined && session.gate !== undefined) requireForms(plan.forms, session.gate);
  requireSplit(suite, request, plan);
  await tryFolder(session.folder ?? RESULTS_FOLDER);
  const model = await openSubject(plan, session);
  let opened: Opened | null = null;
  try {
    opened = (await plan.open?.({ ...observer, signal: session.signal })) ?? null;
    if (model.check !== undefined) {
      const { checkNotes } = await import("../model/check/check-report.js");
      for (const note of checkNotes(model, { writes: plan.needs.includes("completions") })) observer.onMessage(note);
    }
    const own = { ...plan.own, ...opened?.own };
    const asked = newRecord(suite, request, { ...plan, own }, model, session.now());
    const { path, recorded } = await chooseRunFolder(suite, asked, session.folder);
    const unlock = await lockFolder(path);
    try {
      return await runLocked({ ...session, suite, plan, model, folder: path }, asked, recorded !== null);
    } finally {
      await unlock();
    }
  } finally {
    try {
      await opened?.close();
    } finally {
      await model.close();
    }
  }
}

/** @throws ProbeError `bad_input` where a suite's runs cannot be split */
function requireSplit({ name }: AnySuite, { shard }: SuiteRequest<unknown>, plan: SuitePlan): void {
  if (shard == null || plan.shard !== undefined) return;
  throw badInput(`Expected ${name} without --shard: its runs cannot be split. Leave it out.`);
}

/** The model, or what a run is about in its place: nothing can be asked of that. */
async function openSubject(plan: SuitePlan, { request, observer, signal }: SuiteSession): Promise<Model> {
  const { needs } = plan;
  const opening = openingOf(plan, request);
  const { model, subject, promptMode, connection, queue } = request;
  if (queue != null) {
    const { openQueued } = await import("./open-queued.js");
    return openQueued(queue, { ...plan, opening }, request, { signal, onMessage: observer.onMessage });
  }
  if (subject != null)
    return {
      identity: { ...subject.identity, ...plan.facts },
      maxOpenGroups: 1,
      close: () => Promise.resolve(),
    };
  const { onDownload, onMessage } = observer;
  return openModel(model, {
    promptMode,
    ...opening,
    connection,
    needs: [...needs],
    ...(opening.batch && request.resumed !== null && { passed: request.resumed.model.check }),
    ...(onDownload && { onDownload }),
    onMessage,
    signal,
  });
}

/** Opening of the model. Thoughts are off by default in a new run, and in one that was begun so. */
function openingOf(
  { opening: { offByDefault, ...opening } }: SuitePlan,
  { resumed }: SuiteRequest<unknown>,
): SuitePlan["opening"] {
  const isOff = resumed === null || resumed.model.identity["thoughts"] === "off";
  return { ...opening, ...(offByDefault && isOff && { offByDefault }) };
}

/** The record of a run that is about to begin. */
export function newRecord(
  suite: AnySuite,
  request: SuiteRequest<unknown>,
  plan: SuitePlan,
  model: Pick<Model, "identity" | "check" | "threads" | "device">,
  now: Date,
): RunRecord {
  const { connection } = request;
  const price = plan.price === undefined ? request.price : plan.price;
  const record: RunRecord = {
    schema_version: SCHEMA_VERSION,
    program: programIdentity(),
    run_id: "",
    suite: suite.name,
    status: "running",
    model: {
      label: request.model.label,
      identity: { ...model.identity },
      threads: model.threads ?? null,
      device: model.device ?? null,
      connection: {
        ...recordedConnection(connection, request.model.settings),
        allow_generated: connection.allowGenerated,
        force: connection.force,
      },
      check: model.check === undefined ? null : { ...model.check },
    },
    parameters: { ...plan.parameters, model_args: recordedSettings(request.model.settings), ...plan.limits },
    prompts: [...plan.prompts],
    ...plan.own,
    ...(plan.shard && { shard: plan.shard }),
    tokens: { prompt: null, cached: null, completion: null, evaluated: null },
    price: price && recordedPrice(price),
    cost: null,
    times: { created_at: now.toISOString(), updated_at: now.toISOString(), asking_ms: 0, sessions: 0 },
  };
  return { ...record, run_id: runId(suite, record, now) };
}

/** A price, as `run.json` keeps it. */
export function recordedPrice({
  currency,
  inputPerMillion,
  outputPerMillion,
  asOf,
}: Price): NonNullable<RunRecord["price"]> {
  return { currency, input: inputPerMillion, output: outputPerMillion, as_of: asOf };
}

/** One session of a run in its folder, under its lock. */
interface LockedSession extends SuiteSession {
  readonly suite: AnySuite;
  readonly plan: SuitePlan;
  readonly model: Model;
  readonly folder: string;
}

async function runLocked(session: LockedSession, asked: RunRecord, isResumed: boolean): Promise<RunOutcome> {
  const { suite, folder, observer, signal } = session;
  const file = runFileOf(suite);
  // Read again under the lock: another process may have finished the run in between.
  const run = (await file.find(folder)) ?? asked;
  const journals = suite.journals(run);
  const fingerprint = runFingerprint(suite, run);
  const journalCounts = new JournalCounts(folder, journals, fingerprint);
  const counts = await journalCounts.read();
  if (isResumed) observer.onMessage(resumeMessage(folder, counts));
  await file.write(folder, { ...run, status: "running" });
  const started = performance.now();
  observer.onStart(total(counts, "planned"), total(counts, "done"), counts[0]?.name ?? "records");
  const guard = new FailureGuard();
  const write = (status: RunRecord["status"]) =>
    file.write(folder, ended(run, status, session, Math.round(performance.now() - started)));
  const left: Left[] = [];
  try {
    await session.plan.perform({
      folder,
      fingerprint,
      model: session.model,
      guard,
      signal,
      onRecord: observer.onRecord,
      onMessage: observer.onMessage,
      leave: (reason) => void left.push(reason),
      withJournal: (codec, work) => withJournal(session, journals, { fingerprint }, codec, work),
    });
  } catch (error) {
    await write("interrupted");
    throw error;
  } finally {
    observer.onEnd();
  }
  const counted = await journalCounts.read();
  // A stop behind the last record has interrupted nothing.
  const isStopped = signal.aborted && total(counted, "done") < total(counted, "planned");
  await write(isStopped || guard.gaveUp !== null || left.length > 0 ? "interrupted" : "complete");
  if (isStopped) return { status: "interrupted", folder, counts: counted };
  const scored = await scoreFolder(suite, folder);
  const [rest] = left;
  if (rest !== undefined) return { status: rest.reason, scored, counts: counted, left: rest };
  return guard.gaveUp === null ? { status: "complete", scored } : { status: "gave_up", scored, gaveUp: guard.gaveUp };
}

/** The record of a run at the end of a session. */
function ended(run: RunRecord, status: RunRecord["status"], session: LockedSession, spentMs: number): RunRecord {
  return {
    ...run,
    status,
    tokens: { ...run.tokens, evaluated: session.model.evaluatedTokens?.() ?? null },
    times: {
      ...run.times,
      updated_at: session.now().toISOString(),
      asking_ms: run.times.asking_ms + spentMs,
      sessions: run.times.sessions + 1,
    },
  };
}

async function withJournal<T>(
  { folder, observer }: LockedSession,
  journals: readonly PlannedJournal[],
  identity: { readonly fingerprint: string },
  codec: FolderCodec<T>,
  work: (journal: OpenJournal<T>) => Promise<void>,
): Promise<void> {
  const planned = journals.find((journal) => journal.codec.file === codec.file);
  if (planned === undefined) throw new Error(`Expected a planned journal, found ${codec.file}.`);
  const path = join(folder, codec.file);
  const index = await JournalIndex.build(path, codec, { plan: planned.plan, identity });
  const writer = await JournalWriter.open(path, codec, identity);
  if (writer.torn !== null) {
    observer.onMessage(
      `Dropped a torn last line of ${codec.file} (${writer.torn.length} bytes); what it held is asked again.`,
    );
  }
  try {
    await work({
      isDone: (item, place) => index.isAnswered(item, place),
      recordsOf: (item) => index.recordsOf(item),
      append: (record) => writer.append(record),
    });
  } finally {
    await writer.close();
  }
}

function resumeMessage(path: string, counts: readonly JournalCount[]): string {
  const rest = total(counts, "done") >= total(counts, "planned") ? "nothing is left to ask" : "asking the rest";
  return `Resuming ${path}: ${countsText(counts)} are there; ${rest}.`;
}
