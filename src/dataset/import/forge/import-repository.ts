import { sha256OfFile } from "../../../base/sha256.js";
import { writeAtomically } from "../../../store/atomic-write.js";
import { type Funnel, FunnelCounter } from "../../funnel.js";
import { describeRepository, type RepositorySource, writeSourceFile } from "../import-source.js";
import type { Forge, ForgeAccess, MergeRequest, RepositoryFacts } from "./forge.js";
import { explainForgeError } from "./forge-error.js";
import { GitHub } from "./github.js";
import { GitLab } from "./gitlab.js";
import { type ImportParameters, ProgressFile } from "./import-progress.js";
import { importRequest } from "./import-request.js";

/** Parameters of an import from a forge. */
export interface RepositoryImport {
  readonly source: RepositorySource;
  readonly out: string;
  /** Merged at this time or later. */
  readonly since: Date | null;
  /** Merged before this time. */
  readonly until: Date | null;
  /** At most so many merged requests, the oldest first. */
  readonly maxPulls: number | null;
  readonly access: ForgeAccess;
  readonly now: () => Date;
  /** After each request: how many were read, in all sessions. */
  readonly onPull?: (pulls: number) => void;
}

export type RepositoryImportOutcome =
  | {
      readonly status: "complete";
      readonly pulls: number;
      readonly funnel: Funnel;
      readonly sha256: string;
      readonly license: string | null;
    }
  | { readonly status: "interrupted"; readonly pulls: number; readonly progressPath: string };

/** Requests read at the same time: forges ask clients not to hurry. */
const CONCURRENCY = 4;

/**
 * Reads the review comments of a repository's merged requests and the changes that followed, into a file of raw triples.
 * Requests that were read are kept beside it, so that the same import is resumed after any stop.
 * @throws ProbeError `bad_input`, `model_unavailable`
 */
export async function importRepository(asked: RepositoryImport): Promise<RepositoryImportOutcome> {
  const progress = await ProgressFile.open(asked.out, parametersOf(asked), asked.now());
  try {
    return await importInto(progress, asked);
  } finally {
    await progress.close();
  }
}

async function importInto(progress: ProgressFile, asked: RepositoryImport): Promise<RepositoryImportOutcome> {
  const { source, access } = asked;
  const stop = new AbortController();
  const signal = AbortSignal.any([access.signal, stop.signal]);
  const name = `${source.owner}/${source.name}`;
  const own = { ...access, signal };
  const forge = source.kind === "github" ? new GitHub(source, own) : new GitLab(source, own);
  if (progress.count > 0) {
    access.onMessage(
      `Going on with the import of ${name}: ${progress.count} ${forge.words.requests} were read before.`,
    );
  }
  try {
    const repository = await forge.describe();
    await readRequests(asked, forge, repository, progress, stop);
    return await finish(asked, repository, progress);
  } catch (error) {
    if (progress.count === 0) progress.end();
    if (access.signal.aborted) return { status: "interrupted", pulls: progress.count, progressPath: progress.path };
    throw explainForgeError(error, { ...access, words: forge.words, repository: name });
  }
}

function parametersOf({ source, access, since, until, maxPulls }: RepositoryImport): ImportParameters {
  return {
    source: describeRepository(source),
    api: access.apiUrl,
    since: since?.toISOString() ?? null,
    until: until?.toISOString() ?? null,
    max_pulls: maxPulls,
  };
}

async function readRequests(
  asked: RepositoryImport,
  forge: Forge,
  repository: RepositoryFacts,
  progress: ProgressFile,
  stop: AbortController,
): Promise<void> {
  const requests = wantedRequests(asked, forge, progress);
  let writing = Promise.resolve();
  const work = async () => {
    for (let next = await requests.next(); next.done !== true; next = await requests.next()) {
      const request = next.value;
      const outcomes = await importRequest(forge, repository, request);
      writing = writing.then(() => progress.add(request.number, outcomes));
      await writing;
      asked.onPull?.(progress.count);
    }
  };
  const errors: unknown[] = [];
  const workers = Array.from({ length: CONCURRENCY }, () =>
    work().catch((error: unknown) => {
      // The others stop, too; the first error is the one that is told.
      errors.push(error);
      stop.abort();
    }),
  );
  await Promise.all(workers);
  if (errors.length > 0) throw errors[0];
}

/** The merged requests of the import's time that were not read yet, in the order in which they were opened. */
async function* wantedRequests(
  { since, until, maxPulls }: RepositoryImport,
  forge: Forge,
  progress: ProgressFile,
): AsyncGenerator<MergeRequest> {
  // Requests that are merged while the import runs, or between its sessions, are not part of it.
  const end = Math.min(until?.getTime() ?? Number.POSITIVE_INFINITY, progress.startedAt.getTime());
  const seen = new Set<number>();
  for await (const request of forge.requests()) {
    const { number, createdAt, mergedAt } = request;
    if (seen.size === maxPulls || createdAt >= end) return;
    const isWanted = mergedAt !== null && mergedAt < end && mergedAt >= (since?.getTime() ?? 0);
    // A list that grows while it is read shows some twice.
    if (!isWanted || seen.has(number)) continue;
    seen.add(number);
    if (!progress.has(number)) yield request;
  }
}

async function finish(
  asked: RepositoryImport,
  { license }: RepositoryFacts,
  progress: ProgressFile,
): Promise<RepositoryImportOutcome> {
  const counter = new FunnelCounter();
  await writeAtomically(asked.out, async (append) => {
    for await (const { triples, drops } of progress.records()) {
      for (const { language, reason } of drops) counter.drop(language ?? "other", reason);
      for (const triple of triples) {
        counter.keep(triple.language);
        await append(`${JSON.stringify(triple)}\n`);
      }
    }
  });
  const sha256 = await sha256OfFile(asked.out);
  const funnel = counter.funnel();
  const { count: pulls } = progress;
  await writeSourceFile(asked.out, {
    ...parametersOf(asked),
    pulls,
    sha256,
    started_at: progress.startedAt.toISOString(),
    retrieved_at: asked.now().toISOString(),
    ...(license !== null && { license }),
    funnel,
  });
  progress.end();
  return { status: "complete", pulls, funnel, sha256, license };
}
