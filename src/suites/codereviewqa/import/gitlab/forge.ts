import type { z } from "zod";
import { RefusedBody } from "../../../../model/http/whole-reply.js";
import { allPages } from "../forge/all-pages.js";
import { type Revision, withHead } from "../forge/change/revision.js";
import { explainForgeError, replyOf } from "../forge/errors.js";
import { fileOfBase64 } from "../forge/file-text.js";
import type { FileAtCommit, Forge, ForgeAccess, MergeRequest, ReviewComment } from "../forge/forge.js";
import { parseReply } from "../forge/parse-reply.js";
import type { GitLabSource } from "../source.js";
import { GITLAB, GitLabClient } from "./client.js";
import { locateNote } from "./place.js";
import {
  commitShape,
  type Discussion,
  discussionShape,
  fileShape,
  mergeRequestShape,
  type Note,
  type Project,
  projectShape,
  type Version,
  versionShape,
} from "./shapes.js";

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
