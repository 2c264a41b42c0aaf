import { z } from "zod";
import { LANGUAGES, type Language } from "../../../base/language.js";
import { languageOfFile } from "../../../base/source-path.js";
import { normaliseText } from "../../../base/text.js";
import type { FileAtCommit, Forge, Located, MergeRequest, RepositoryFacts, ReviewComment } from "./forge.js";
import { DROP, type DropReason, type Revision } from "./forge.js";
import type { Region } from "./region.js";
import { type Followed, followRegion } from "./region.js";

/** A code review as it is written to the output: a raw triple (spec §2.2) and where it came from. */
export const reviewTripleSchema = z.object({
  /** `owner/repo#pull/comment`; of GitLab `group/project!request/comment`. */
  id: z.string(),
  language: z.enum(LANGUAGES),
  pre_review_code: z.string(),
  code_review: z.string(),
  post_review_code: z.string(),
  repo: z.string(),
  /** Address of the comment. */
  source: z.string(),
  /** SPDX; of GitLab in small letters. */
  license: z.string().exactOptional(),
  path: z.string(),
  /** The commits that the two codes are of. */
  pre_review_commit: z.string(),
  post_review_commit: z.string(),
});

type ReviewTriple = z.infer<typeof reviewTripleSchema>;

/** Result of a comment. `language` is `null` where the file is in another language. */
export type CommentOutcome =
  | { readonly status: "kept"; readonly triple: ReviewTriple }
  | { readonly status: "dropped"; readonly language: Language | null; readonly reason: DropReason };

/** Reads the comments in the diff of a request, and the change that followed each; in the order of the comments. */
export async function importRequest(
  forge: Forge,
  repository: RepositoryFacts,
  request: MergeRequest,
): Promise<CommentOutcome[]> {
  const reader = new RequestReader(forge, request);
  const outcomes: CommentOutcome[] = [];
  for (const comment of await forge.comments(request)) {
    const language = languageOfFile(comment.path);
    const result = await followComment(comment, language, reader);
    if (result.status === "none" || language === null) {
      outcomes.push({ status: "dropped", language, reason: result.status === "none" ? result.reason : DROP.language });
      continue;
    }
    const { before, after, revision, commit } = result;
    const triple: ReviewTriple = {
      id: `${repository.fullName}${forge.words.mark}${request.number}/${comment.id}`,
      language,
      pre_review_code: codeOf(before),
      code_review: normaliseText(comment.text).trim(),
      post_review_code: codeOf(after),
      repo: repository.fullName,
      source: comment.url,
      ...(repository.license !== null && { license: repository.license }),
      path: comment.path,
      pre_review_commit: commit,
      post_review_commit: revision.sha,
    };
    outcomes.push({ status: "kept", triple });
  }
  return outcomes;
}

/** Text of a raw triple; a blank last line needs its line end to count. */
function codeOf(lines: readonly string[]): string {
  return lines.at(-1) === "" ? `${lines.join("\n")}\n` : lines.join("\n");
}

type Found = Extract<Awaited<ReturnType<typeof findChange>>, { status: "found" }>;
type CommentResult = (Found & { readonly commit: string }) | Extract<Located, { status: "none" }>;

async function followComment(
  comment: ReviewComment,
  language: Language | null,
  reader: RequestReader,
): Promise<CommentResult> {
  const reason = plainReason(comment, language);
  if (reason !== null) return { status: "none", reason };
  const located = await comment.locate((path, commit) => reader.file(path, commit));
  if (located.status === "none") return located;
  const { commit, lines, region } = located;
  const timeline = timelineOf(await reader.revisions(), commit, comment.writtenAt);
  const found = await findChange(lines, region, timeline, {
    fileAt: (sha) => reader.file(comment.path, sha),
    isMerge: (revision) => reader.isMerge(revision),
  });
  if (found.status === "found") return { ...found, commit };
  const isResolved = found.reason === DROP.unchanged && (await comment.isResolved());
  return isResolved ? { status: "none", reason: DROP.resolved } : found;
}

/** Reason for leaving out a comment on the face of it; `null`: there is none. */
function plainReason(comment: ReviewComment, language: Language | null): DropReason | null {
  if (comment.isByBot) return DROP.bot;
  if (comment.isReply) return DROP.reply;
  if (comment.text.trim() === "") return DROP.empty;
  if (comment.on === "file") return DROP.wholeFile;
  if (language === null) return DROP.language;
  return comment.on === "old side" ? DROP.oldSide : null;
}

/** Versions of files kept at hand while a request is read. */
const MOST_FILES = 24;

/** Data that several comments of one request need, asked for once. */
class RequestReader {
  readonly #forge: Forge;
  readonly #request: MergeRequest;
  readonly #files = new Map<string, FileAtCommit>();
  #revisions: Revision[] | null = null;

  constructor(forge: Forge, request: MergeRequest) {
    this.#forge = forge;
    this.#request = request;
  }

  async revisions(): Promise<Revision[]> {
    this.#revisions ??= withHead(await this.#forge.revisions(this.#request), this.#request.headSha);
    return this.#revisions;
  }

  async isMerge(revision: Revision): Promise<boolean> {
    return revision.isMerge ?? this.#forge.isMerge(revision);
  }

  async file(path: string, sha: string): Promise<FileAtCommit> {
    const key = `${sha}:${path}`;
    const file = this.#files.get(key) ?? (await this.#forge.file(path, sha));
    this.#files.delete(key);
    this.#files.set(key, file);
    for (const oldest of this.#files.keys()) {
      if (this.#files.size <= MOST_FILES) break;
      this.#files.delete(oldest);
    }
    return file;
  }
}

/** The change that followed a comment, or why there is none. */
type FoundChange =
  | {
      readonly status: "found";
      readonly before: readonly string[];
      readonly after: readonly string[];
      readonly revision: Revision;
    }
  | { readonly status: "none"; readonly reason: DropReason };

/** Questions about the revisions of a file. */
interface FileHistory {
  readonly fileAt: (sha: string) => Promise<FileAtCommit>;
  readonly isMerge: (revision: Revision) => Promise<boolean>;
}

/**
 * The first revision after the comment that changed the commented region, found by bisection: the region stands
 * unchanged in the revision before it.
 */
export async function findChange(
  original: readonly string[],
  region: Region,
  { missed, followed }: CommentTimeline,
  { fileAt, isMerge }: FileHistory,
): Promise<FoundChange> {
  const stateAt = async ({ sha }: Revision) => stateOf(original, region, await fileAt(sha));
  if (missed !== null && (await stateAt(missed)).status !== "unchanged") return none(DROP.outdated);
  let high = followed.length - 1;
  const merged = followed[high];
  if (merged === undefined) return none(DROP.unchanged);
  let state = await stateAt(merged);
  if (state.status === "unchanged") return none(DROP.unchanged);
  for (let low = -1; high - low > 1; ) {
    const middle = (low + high) >> 1;
    const revision = followed[middle];
    if (revision === undefined) break;
    const found = await stateAt(revision);
    if (found.status === "unchanged") low = middle;
    else [high, state] = [middle, found];
  }
  const revision = followed[high] ?? merged;
  if (state.status !== "changed") return none(DROP[state.status]);
  if (await isMerge(revision)) return none(DROP.merge);
  return { status: "found", before: state.before, after: state.after, revision };
}

type State = Followed | { readonly status: "deleted" | "unreadable" };

function stateOf(original: readonly string[], region: Region, file: FileAtCommit): State {
  if (file.status === "missing") return { status: "deleted" };
  if (file.status === "unreadable") return { status: "unreadable" };
  return followRegion(original, file.lines, region);
}

function none(reason: DropReason): FoundChange {
  return { status: "none", reason };
}

/** Revisions with the one that was merged at their end: the forge's list may stop before it. */
export function withHead(revisions: readonly Revision[], headSha: string | null): Revision[] {
  const isListed = headSha === null || revisions.at(-1)?.sha === headSha;
  return isListed ? [...revisions] : [...revisions, { sha: headSha, committedAt: null, isMerge: false }];
}

/** The revisions of a comment: the one it was written on, those it did not see, and those that followed. */
interface CommentTimeline {
  /** The last revision that was there when the comment was written, if that is not the one it was written on. */
  readonly missed: Revision | null;
  /** Revisions made after the comment, oldest first. */
  readonly followed: readonly Revision[];
}

/**
 * Places a comment among the revisions by the time it was written. A revision committed before that cannot answer it.
 * A commit that was replaced by a force push tells only that the merged state came after.
 */
export function timelineOf(revisions: readonly Revision[], commentedSha: string, writtenAt: number): CommentTimeline {
  const commented = revisions.findIndex(({ sha }) => sha === commentedSha);
  if (commented === -1) {
    const head = revisions.slice(-1);
    const isAfter = head.every(({ committedAt }) => committedAt === null || committedAt > writtenAt);
    return isAfter ? { missed: null, followed: head } : { missed: head[0] ?? null, followed: [] };
  }
  const isBefore = ({ committedAt }: Revision) => committedAt !== null && committedAt <= writtenAt;
  const present = Math.max(commented, revisions.findLastIndex(isBefore));
  return {
    missed: present > commented ? (revisions[present] ?? null) : null,
    followed: revisions.slice(present + 1),
  };
}
