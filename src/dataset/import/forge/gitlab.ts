import { structuredPatch } from "diff";
import type { z } from "zod";
import { RefusedBody } from "../../../model/http/reply-body.js";
import type { GitLabSource } from "../import-source.js";
import type { FileAtCommit, Forge, ForgeAccess, Located, MergeRequest, ReadFile, ReviewComment } from "./forge.js";
import { DROP, type DropReason, type Revision, withHead } from "./forge.js";
import { explainForgeError, replyOf } from "./forge-error.js";
import { allPages, fileOfBase64, parseReply } from "./forge-reply.js";
import { GITLAB, GitLabClient } from "./gitlab-client.js";
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
} from "./gitlab-shapes.js";
import { placeOfLine, type Region, regionAround } from "./region.js";

/** A project on GitLab. */
export function connectGitLab({ owner, name }: GitLabSource, access: ForgeAccess): Forge {
  return new GitLab(`${owner}/${name}`, access);
}

class GitLab implements Forge {
  readonly words = GITLAB;
  readonly #path: string;
  readonly #access: ForgeAccess;
  readonly #client: GitLabClient;
  #project: Project | null = null;

  constructor(path: string, access: ForgeAccess) {
    this.#path = path;
    this.#access = access;
    this.#client = new GitLabClient(access);
  }

  async describe() {
    const path = `projects/${encodeURIComponent(this.#path)}`;
    const data = await this.#client.get(path, { license: "true" });
    const project = parse(projectShape, data, "a project");
    this.#project = project;
    const key = project.license?.key ?? "other";
    return { fullName: project.path_with_namespace, license: key === "other" ? null : key };
  }

  async *requests(): AsyncGenerator<MergeRequest> {
    const query = { state: "merged", scope: "all", order_by: "created_at", sort: "asc" };
    for await (const page of this.#client.pages(this.#under("merge_requests"), query)) {
      for (const { iid, created_at: createdAt, merged_at: mergedAt, sha } of list(mergeRequestShape, page)) {
        const merged = mergedAt == null ? null : Date.parse(mergedAt);
        yield { number: iid, createdAt: Date.parse(createdAt), mergedAt: merged, headSha: sha ?? null };
      }
    }
  }

  async comments({ number }: MergeRequest): Promise<ReviewComment[]> {
    let versions: Promise<Version[]> | null = null;
    const readVersions = () => {
      versions ??= this.#versions(number);
      return versions;
    };
    const discussions = await this.#all(discussionShape, this.#of(number, "discussions"));
    return discussions
      .flatMap(diffNotes)
      .toSorted((a, b) => a.note.id - b.note.id)
      .map(({ note, isReply }) => this.#comment(number, note, isReply, readVersions));
  }

  #comment(
    request: number,
    note: Note,
    isReply: boolean,
    readVersions: () => Promise<readonly Version[]>,
  ): ReviewComment {
    const { id, position, resolved } = note;
    const writtenAt = Date.parse(note.created_at);
    return {
      id,
      path: position?.new_path ?? position?.old_path ?? "",
      text: note.body ?? "",
      url: `${this.#project?.web_url ?? ""}/-/merge_requests/${request}#note_${id}`,
      writtenAt,
      isByBot: isBot(note.author?.username ?? ""),
      isReply,
      on: sideOf(note),
      locate: async (readFile) => locateNote(position ?? {}, writtenAt, await readVersions(), readFile),
      isResolved: async () => resolved === true,
    };
  }

  /** Oldest first. */
  async #versions(request: number): Promise<Version[]> {
    const versions = await this.#all(versionShape, this.#of(request, "versions"));
    return versions.toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
  }

  async revisions({ number, headSha }: MergeRequest): Promise<Revision[]> {
    // GitLab lists the newest first, and tells no parents in lists.
    const commits = (await this.#all(commitShape, this.#of(number, "commits"))).toReversed();
    const revisions = commits.map(({ id: sha, committed_date: date }): Revision => {
      return { sha, committedAt: date == null ? null : Date.parse(date), isMerge: null };
    });
    return withHead(revisions, headSha);
  }

  async isMerge({ sha }: Revision): Promise<boolean> {
    const data = await this.#client.get(this.#under(`repository/commits/${encodeURIComponent(sha)}`));
    return (parse(commitShape, data, "a commit").parent_ids?.length ?? 1) > 1;
  }

  file = async (path: string, commit: string): Promise<FileAtCommit> => {
    let data: unknown;
    try {
      const at = this.#under(`repository/files/${encodeURIComponent(path)}`);
      data = await this.#client.get(at, { ref: commit });
    } catch (error) {
      const status = replyOf(error)?.status;
      if (error instanceof RefusedBody) return { status: "unreadable" };
      if (status === 404 || status === 400) return { status: "missing" };
      throw error;
    }
    const { encoding, content } = parse(fileShape, data, "a file");
    return encoding === "base64" ? fileOfBase64(content) : { status: "unreadable" };
  };

  explain(error: unknown): unknown {
    const { apiUrl, token } = this.#access;
    return explainForgeError(error, { words: GITLAB, repository: this.#path, apiUrl, token });
  }

  async #all<T>(shape: z.ZodType<T>, path: string): Promise<T[]> {
    return allPages(this.#client.pages(path), (page) => list(shape, page));
  }

  /** By its number: a project keeps it when it is renamed. */
  #under(rest: string): string {
    return `projects/${this.#project?.id ?? encodeURIComponent(this.#path)}/${rest}`;
  }

  #of(request: number, rest: string): string {
    return this.#under(`merge_requests/${request}/${rest}`);
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

/** By its name: GitLab's own (`project_1_bot_0a1b`) and what its users call theirs. The API does not tell in notes. */
function isBot(username: string): boolean {
  return /^(project|group)_\d+_bot/.test(username) || /(^|[-_.[])bot\]?$/i.test(username);
}

function list<T>(shape: z.ZodType<T>, data: unknown): T[] {
  return parse(shape.array(), data, "a list");
}

function parse<T>(shape: z.ZodType<T>, data: unknown, what: string): T {
  return parseReply(shape, data, what, GITLAB.name);
}

/** Lines of context around a change in a diff, and around a comment that stands on no change. */
const CONTEXT_LINES = 3;
/** As `follow.ts` has it: files that differ in more lines are not compared further. */
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

/** How many lines of a comment on several come before its last. */
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
