import { join } from "node:path";
import { badInput, modelUnavailable } from "../../../base/errors.js";
import { shorten } from "../../../base/text.js";
import { checkNotes } from "../../../model/check/check-report.js";
import type { Model } from "../../../model/model.js";
import { openModel } from "../../../model/open-model.js";
import { modelName } from "../../../model/vendor/model-name.js";
import { writeDataPackage, writeTable } from "../../../store/csv.js";
import {
  chooseFolder,
  type FolderWork,
  findRecorded,
  lockFolder,
  RESULTS_FOLDER,
  tryFolder,
} from "../../../store/folder/work-folder.js";
import { JournalWriter } from "../../../store/journal/journal-writer.js";
import type { TableDescription } from "../../../store/table.js";
import { type RowOwner, type RunRow, runRows } from "../record/result-tables.js";
import { AUDIT_FILE, type AuditFile, type AuditRequest, writeAuditFile } from "./audit-file.js";
import {
  type AuditPlan,
  auditFacts,
  auditFingerprint,
  newAuditFile,
  planAudit,
  plannedSequences,
} from "./audit-plan.js";
import {
  AUDIT_JOURNAL,
  type AuditRecord,
  CONTAMINATION,
  CONTAMINATION_SUMMARY,
  type ContaminationRow,
  readRecords,
} from "./audit-record.js";
import { collectAudit, memorisedTexts } from "./collect-audit.js";
import { summariseContamination } from "./contamination-summary.js";
import { type PlacedSequence, type ScoringOptions, scoreSequences } from "./sequences.js";

/** Resamples of each bootstrap interval. */
const RESAMPLES = 2000;

/** Listener to the events of an audit. */
export interface AuditObserver {
  /** A sentence for the user. */
  readonly onMessage: (message: string) => void;
  /** Share of a model's file that is downloaded, 0–1. */
  readonly onDownload: (fraction: number) => void;
  /** Before the first text: how many there will be, and how many are scored already. */
  readonly onStart: (total: number, done: number) => void;
  /** Once a text is scored and recorded. */
  readonly onSequence: () => void;
}

/** One session of an audit, new or resumed. */
export interface AuditSession {
  readonly request: AuditRequest;
  /** `--out` or `--resume`; `null`: chosen under `results/`. */
  readonly folder: string | null;
  /** Aborting it stops the audit; what is scored is kept. */
  readonly signal: AbortSignal;
  /** The clock. */
  readonly now: () => Date;
  readonly observer: AuditObserver;
}

/** A finished audit. */
export interface AuditResult {
  readonly folder: string;
  readonly audit: AuditFile & { readonly results: NonNullable<AuditFile["results"]> };
  readonly summary: readonly ContaminationRow[];
}

/** End of an audit. */
export type AuditOutcome =
  | { readonly status: "complete"; readonly result: AuditResult }
  | { readonly status: "interrupted"; readonly folder: string; readonly done: number; readonly total: number };

/**
 * Scores every text of the datasets under a model (paper §8), and writes what can be said of contamination. The same
 * session again, after any kill, goes on where the journal ends.
 * @throws ProbeError `bad_input`, `model_unavailable`
 */
export async function runAudit(session: AuditSession): Promise<AuditOutcome> {
  const { request, observer } = session;
  const plan = await planAudit(request, observer.onMessage);
  await tryFolder(session.folder ?? RESULTS_FOLDER);
  const model = await openModel(request.model, {
    promptMode: "completion",
    mode: "fast",
    seed: request.selection.seed,
    connection: request.connection,
    needs: ["token_scores"],
    onDownload: observer.onDownload,
    onMessage: observer.onMessage,
    signal: session.signal,
  });
  try {
    for (const note of checkNotes(model, { writes: false })) observer.onMessage(note);
    const asked = newAuditFile(plan, model, session.now());
    const wanted = { record: asked, id: asked.audit_id, fingerprint: auditFingerprint(asked) };
    const { path: folder } = await chooseFolder(AUDIT_WORK, wanted, session.folder);
    const unlock = await lockFolder(folder);
    try {
      return await auditLocked(session, plan, model, folder, asked);
    } finally {
      await unlock();
    }
  } finally {
    await model.close();
  }
}

async function auditLocked(
  session: AuditSession,
  plan: AuditPlan,
  model: Model,
  folder: string,
  asked: AuditFile,
): Promise<AuditOutcome> {
  const recorded = await findRecorded(AUDIT_WORK, asked, folder);
  if (recorded === null) await writeAuditFile(folder, asked);
  const audit = { ...asked, ...(recorded && { audit_id: recorded.audit_id, times: recorded.times }) };
  const journal = await JournalWriter.open(join(folder, AUDIT_JOURNAL.file), AUDIT_JOURNAL, auditFacts(asked));
  try {
    requirePlanned(journal, plan.sequences);
    return await auditInFolder({ ...session, plan, model, folder, journal, audit });
  } finally {
    await journal.close();
  }
}

/** @throws ProbeError `bad_input` when a journal holds more texts than there are */
function requirePlanned({ path, records }: Journal, sequences: number): void {
  if (records <= sequences) return;
  throw badInput(`Expected at most ${sequences} texts in ${path}, found ${records}. ${AUDIT_JOURNAL.onDamage}`);
}

type Journal = JournalWriter<AuditRecord>;

interface AuditJob extends AuditSession {
  readonly plan: AuditPlan;
  readonly model: Model;
  readonly folder: string;
  readonly journal: Journal;
  readonly audit: AuditFile;
}

async function auditInFolder(job: AuditJob): Promise<AuditOutcome> {
  const { plan, folder, journal, audit, signal, observer } = job;
  const total = plan.sequences;
  if (journal.torn !== null) {
    observer.onMessage(
      `Dropped a torn last line of ${AUDIT_JOURNAL.file} (${journal.torn.length} bytes); its text is scored again.`,
    );
  }
  if (journal.records > 0) {
    const rest = journal.records < total ? "scoring the rest" : "nothing is left to score";
    observer.onMessage(`Going on in ${folder}: ${journal.records} of ${total} texts are scored; ${rest}.`);
  }
  await writeAuditFile(folder, { ...audit, status: "running" });
  const started = performance.now();
  const ended = (): AuditFile => withSession(audit, job.now(), performance.now() - started);
  try {
    await scoreRest(job);
  } catch (error) {
    // The first error is told, not a second one in writing this, as on a disk that is full.
    await writeAuditFile(folder, { ...ended(), status: "interrupted" }).catch(() => undefined);
    throw error;
  }
  if (signal.aborted && journal.records < total) {
    await writeAuditFile(folder, { ...ended(), status: "interrupted" });
    return { status: "interrupted", folder, done: journal.records, total };
  }
  return { status: "complete", result: await conclude(job, ended()) };
}

/** The audit with one more session. */
function withSession(audit: AuditFile, now: Date, sessionMs: number): AuditFile {
  const { times } = audit;
  const scoring_ms = times.scoring_ms + Math.round(sessionMs);
  return { ...audit, times: { ...times, updated_at: now.toISOString(), scoring_ms, sessions: times.sessions + 1 } };
}

/** Computes everything from the journal, and writes it. */
async function conclude({ plan, folder, journal }: AuditJob, audit: AuditFile): Promise<AuditResult> {
  const { sets, counts } = await collectAudit(journal.path, plan, auditFacts(audit));
  const summary = summariseContamination(sets, { seed: plan.request.selection.seed, resamples: RESAMPLES });
  const memorised = await memorisedTexts(journal.path, sets);
  const results = { counts: [...counts], memorised, resamples: RESAMPLES };
  const finished = { ...audit, status: "complete" as const, results };
  await writeAuditTables(folder, journal.path, finished, summary);
  await writeAuditFile(folder, finished);
  return { folder, audit: finished, summary };
}

/** Scores what the journal does not hold yet, in the order of the files. */
async function scoreRest({ plan, model, journal, signal, observer }: AuditJob): Promise<void> {
  const { starts, selection } = plan.request;
  const found = journal.records;
  observer.onStart(plan.sequences, found);
  const scoreTokens = scorerOf(model, plan);
  const options = { scoreTokens, starts, signal, concurrency: model.maxOpenGroups, seed: selection.seed };
  for await (const record of scoreSequences(sequencesFrom(plan, found), options)) {
    await journal.append(record);
    observer.onSequence();
  }
}

async function* sequencesFrom({ benchmarks, request }: AuditPlan, first: number): AsyncGenerator<PlacedSequence> {
  let position = 0;
  for (const [i, benchmark] of benchmarks.entries()) {
    for await (const sequence of plannedSequences(benchmark, request.selection.seed)) {
      if (position++ >= first) yield { benchmark: i, sequence };
    }
  }
}

/** @throws ProbeError `model_unavailable` naming the ways on */
function scorerOf(model: Model, { request }: AuditPlan): ScoringOptions["scoreTokens"] {
  const { scoreTokens } = model;
  if (scoreTokens !== undefined) return scoreTokens.bind(model);
  throw modelUnavailable(
    `Expected a model that gives the log probability of every token of a text, found ${shorten(request.model.label, 120)}, which does ` +
      "not. Ways on: a GGUF file in this process (--model tiny, or a path), vLLM (--base-url), or a completions server that " +
      "honours echo with logprobs.",
  );
}

/** Audits, as folders hold them. */
const AUDIT_WORK: FolderWork<AuditFile> = {
  name: "audit",
  one: "an audit",
  file: AUDIT_FILE,
  identityOf: auditFacts,
  isComplete: ({ status }) => status === "complete",
};

/** Writes the tables of a finished audit from its journal, and describes them. */
async function writeAuditTables(
  folder: string,
  journal: string,
  audit: Pick<AuditFile, "audit_id" | "model" | "benchmarks">,
  summary: readonly ContaminationRow[],
): Promise<void> {
  const owner = { runId: audit.audit_id, model: modelName(audit.model) };
  const tables: TableDescription[] = [];
  for (const [benchmark, { name, tables: files }] of audit.benchmarks.entries()) {
    for (const [i, file] of files.entries()) {
      const isRenamed = i === 1;
      const title = `One row a text of ${name}${isRenamed ? ", with its identifiers renamed" : ""}.`;
      const table = { ...CONTAMINATION, file, title };
      await writeTable(join(folder, file), table, textRows(journal, owner, { benchmark, isRenamed }));
      tables.push(table);
    }
  }
  await writeTable(join(folder, CONTAMINATION_SUMMARY.file), CONTAMINATION_SUMMARY, runRows(owner, summary));
  await writeDataPackage(folder, audit.audit_id, [...tables, CONTAMINATION_SUMMARY]);
}

async function* textRows(
  journal: string,
  owner: RowOwner,
  { benchmark, isRenamed }: { readonly benchmark: number; readonly isRenamed: boolean },
): AsyncGenerator<readonly RunRow<AuditRecord>[]> {
  for await (const record of readRecords(journal)) {
    const isHere = record.benchmark === benchmark && (record.form === "ACR_RENAMED") === isRenamed;
    if (isHere && record.outcome.status !== "not_renamed") yield runRows(owner, [record]);
  }
}
