import { structuredPatch } from "diff";
import type { z } from "zod";
import { sentAt } from "../../../model/http/request-error.js";
import type { Limit } from "../host-requests.js";
import type { GitLabSource } from "../import-source.js";
import {
  DROP,
  type DropReason,
  type FileAtCommit,
  type Forge,
  type ForgeAccess,
  type ForgeWords,
  type Located,
  type MergeRequest,
  type ReadFile,
  type RepositoryFacts,
  type ReviewComment,
  type Revision,
} from "./forge.js";
import { ForgeClient, type ForgeDialect } from "./forge-client.js";
import {
  commitShape,
  type Discussion,
  discussionShape,
  fileShape,
  mergeRequestShape,
  type Note,
  type Position,
  type Project,
  projectShape,
  type Version,
  versionShape,
} from "./gitlab-replies.js";
import { placeOfLine, type Region, regionAround } from "./region.js";

export const GITLAB: ForgeWords = {
  name: "GitLab",
  repository: "project",
  requests: "merge requests",
  mark: "!",
  // The second is set in jobs of GitLab's CI.
  apiVariables: ["GITLAB_API_URL", "CI_API_V4_URL"],
  publicUrl: "https://gitlab.com/api/v4",
  exampleUrl: "https://gitlab.example.com/api/v4",
  tokenVariables: ["GITLAB_TOKEN"],
  mayRead: "the API (scope read_api) of this project",
};

export const GITLAB_DIALECT: ForgeDialect = {
  words: GITLAB,
  accept: "application/json",
  authorisation: (secret) => ({ "private-token": secret }),
  tokenAdvice: " With a token in GITLAB_TOKEN GitLab may allow more requests.",
  limitOf,
};

/** A limit lifts at the end of a minute, as GitLab tells it in `RateLimit-Reset` (seconds since 1970) or not at all. */
async function limitOf({ status, headers }: Response): Promise<Limit | null> {
  if (status !== 429) return null;
  const reset = Number(headers.get("ratelimit-reset") ?? Number.NaN);
  return { seconds: Number.isFinite(reset) ? Math.max(1, Math.ceil(reset - sentAt(headers, Date.now()) / 1000)) : 60 };
}

/** A project on GitLab (REST, version 4). */
export class GitLab implements Forge {
  readonly words = GITLAB;
  readonly #path: string;
  readonly #client: ForgeClient;
  #project: Project | null = null;

  constructor({ owner, name }: GitLabSource, access: ForgeAccess) {
    this.#path = `projects/${encodeURIComponent(`${owner}/${name}`)}`;
    this.#client = new ForgeClient(access, GITLAB_DIALECT);
  }

  async describe(): Promise<RepositoryFacts> {
    const project = await this.#client.get(this.#path, projectShape, "a project", { license: "true" });
    this.#project = project;
    const key = project.license?.key ?? "other";
    return { fullName: project.path_with_namespace, license: key === "other" ? null : key };
  }

  async *requests(): AsyncGenerator<MergeRequest> {
    const query = { state: "merged", scope: "all", order_by: "created_at", sort: "asc" };
    const list = { path: this.#under("merge_requests"), query, shape: mergeRequestShape, what: "a list" };
    for await (const page of this.#client.pages(list)) yield* page;
  }

  async comments({ number }: MergeRequest): Promise<ReviewComment[]> {
    let versions: Promise<Version[]> | null = null;
    const readVersions = () => {
      versions ??= this.#versions(number);
      return versions;
    };
    const discussions = await this.#all(number, "discussions", discussionShape);
    return discussions
      .flatMap(diffNotes)
      .toSorted((a, b) => a.note.id - b.note.id)
      .map(({ note, isReply }): ReviewComment => {
        const { id, position, resolved } = note;
        const writtenAt = Date.parse(note.created_at);
        return {
          id,
          path: position?.new_path ?? position?.old_path ?? "",
          text: note.body ?? "",
          url: `${this.#project?.web_url ?? ""}/-/merge_requests/${number}#note_${id}`,
          writtenAt,
          isByBot: isBot(note.author?.username ?? ""),
          isReply,
          on: sideOf(note),
          locate: async (readFile) => locateNote(position ?? {}, writtenAt, await readVersions(), readFile),
          isResolved: async () => resolved === true,
        };
      });
  }

  /** Oldest first. */
  async #versions(request: number): Promise<Version[]> {
    const versions = await this.#all(request, "versions", versionShape);
    return versions.toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
  }

  /** GitLab lists the newest first, and tells no parents in lists. */
  async revisions({ number }: MergeRequest): Promise<Revision[]> {
    const commits = await this.#all(number, "commits", commitShape);
    return commits.toReversed().map((commit) => ({ ...commit, isMerge: null }));
  }

  async isMerge({ sha }: Revision): Promise<boolean> {
    const path = this.#under(`repository/commits/${encodeURIComponent(sha)}`);
    return (await this.#client.get(path, commitShape, "a commit")).isMerge;
  }

  file: ReadFile = (path, commit) =>
    this.#client.file(this.#under(`repository/files/${encodeURIComponent(path)}`), commit, fileShape, [404, 400]);

  #all<T>(request: number, list: string, shape: z.ZodType<T>): Promise<T[]> {
    return this.#client.all({ path: this.#under(`merge_requests/${request}/${list}`), shape, what: "a list" });
  }

  /** Path of a part of the project, by its number: a project keeps it when it is renamed. */
  #under(rest: string): string {
    return `${this.#project === null ? this.#path : `projects/${this.#project.id}`}/${rest}`;
  }
}

/** The comments of a thread that people wrote on a diff. */
function diffNotes({ notes }: Discussion): { note: Note; isReply: boolean }[] {
  return notes
    .map((note, i) => ({ note, isReply: i > 0 }))
    .filter(({ note }) => note.type === "DiffNote" && note.system !== true);
}

function sideOf({ position }: Note): ReviewComment["on"] {
  if (position?.position_type != null && position.position_type !== "text") return "file";
  return position?.new_line == null && position?.old_line != null ? "old side" : "new side";
}

/** Tells a bot by its name: GitLab's own (`project_1_bot_0a1b`) and those of its users. The API does not tell in notes. */
function isBot(username: string): boolean {
  return /^(project|group)_\d+_bot/.test(username) || /(^|[-_.[])bot\]?$/i.test(username);
}

/** Lines of context around a change in a diff, and around a comment that stands on no change. */
const CONTEXT_LINES = 3;
/** Limit as in `region.ts`: files that differ in more lines are not compared further. */
const MOST_EDITS = 2000;

/**
 * Finds the pre-review code of a comment: the new side of the diff hunk it stands in, near its lines, in the version that
 * was there when it was written. GitLab tells the position in the last version that left the commented line alone, which
 * may have answered beside it; the line is followed back from there.
 * @param versions oldest first
 */
export async function locateNote(
  position: Position,
  writtenAt: number,
  versions: readonly Version[],
  readFile: ReadFile,
): Promise<Located> {
  const { head_sha: head, base_sha: base, new_path: path, new_line: line } = position;
  if (!head || !path || line == null) return none(DROP.lost);
  const told = await readFile(path, head);
  if (told.status !== "text") return none(reasonOf(told, DROP.gone));
  const version = writtenOn(head, writtenAt, versions);
  const commit = version?.head_commit_sha ?? head;
  const file = commit === head ? told : await readFile(path, commit);
  if (file.status !== "text") return none(reasonOf(file, DROP.deleted));
  const place = commit === head ? line : placeOfLine(line, told.lines, file.lines);
  if (place === null || place < 1 || place > file.lines.length) return none(DROP.lost);
  const baseSha = version?.base_commit_sha ?? base;
  const before = baseSha ? await readFile(position.old_path ?? path, baseSha) : null;
  const hunk = hunkAt(before?.status === "text" ? before.lines : [], file.lines, place);
  const commented = { first: Math.max(1, place - linesBefore(position)), last: place };
  return { status: "found", commit, lines: file.lines, region: regionAround(commented, hunk, file.lines.length) };
}

/** The version that was commented, if the position was moved on from it; `null`: it is the position's own. */
function writtenOn(head: string, writtenAt: number, versions: readonly Version[]): Version | null {
  const at = versions.findLastIndex(({ created_at: createdAt }) => Date.parse(createdAt) <= writtenAt);
  const told = versions.findLastIndex(({ head_commit_sha: sha }) => sha === head);
  return told > at ? (versions[at] ?? null) : null;
}

/** Number of lines of a comment on several that come before its last. */
function linesBefore({ line_range: range }: Position): number {
  const [first, last] = [newLineOf(range?.start), newLineOf(range?.end)];
  return first === null || last === null ? 0 : Math.max(0, last - first);
}

/** `null` for a line of the old side. */
function newLineOf(end: NonNullable<Position["line_range"]>["start"]): number | null {
  if (end == null || end.type === "old") return null;
  const coded = /_\d+_(\d+)$/.exec(end.line_code ?? "")?.[1];
  return end.new_line ?? (coded === undefined ? null : Number(coded));
}

/** The new side of the hunk that shows the line; the lines around it where it stands in none. */
function hunkAt(before: readonly string[], after: readonly string[], line: number): Region {
  const text = (lines: readonly string[]) => lines.map((each) => `${each}\n`).join("");
  const options = { context: CONTEXT_LINES, maxEditLength: MOST_EDITS };
  const patch = structuredPatch("", "", text(before), text(after), undefined, undefined, options);
  const hunks = patch?.hunks.map(
    ({ newStart, newLines }): Region => ({ first: newStart, last: newStart + newLines - 1 }),
  );
  const own = hunks?.find(({ first, last }) => first <= line && line <= last);
  return own ?? { first: Math.max(1, line - CONTEXT_LINES), last: line + CONTEXT_LINES };
}

function reasonOf({ status }: FileAtCommit, missing: DropReason): DropReason {
  return status === "missing" ? missing : DROP.unreadable;
}

function none(reason: DropReason): Located {
  return { status: "none", reason };
}
