import type { z } from "zod";
import type { GitHubSource } from "../import-source.js";
import {
  DROP,
  type FileAtCommit,
  type Forge,
  type ForgeAccess,
  type Located,
  type MergeRequest,
  type ReadFile,
  type RepositoryFacts,
  type ReviewComment,
  type Revision,
  withHead,
} from "./forge.js";
import { explainForgeError, replyOf } from "./forge-error.js";
import { allPages, fileOfBase64, parseReply } from "./forge-reply.js";
import { GITHUB, type GitHubClient, githubClient } from "./github-client.js";
import {
  commentShape,
  commitShape,
  contentShape,
  type InlineComment,
  type PullCommit,
  type PullRequest,
  pullShape,
  repositoryShape,
  threadsShape,
} from "./github-shapes.js";
import { type Region, regionAround } from "./region.js";

/** A repository on GitHub. */
export function connectGitHub({ owner, name }: GitHubSource, access: ForgeAccess): Forge {
  const reader = new GitHubReader(owner, name, access);
  const { apiUrl, token } = access;
  return {
    words: GITHUB,
    describe: () => reader.describe(),
    async *requests() {
      for await (const pull of reader.closedPulls()) yield requestOf(pull);
    },
    comments: ({ number }) => commentsOf(reader, number),
    revisions: async ({ number, headSha }) => revisionsOf(await reader.commits(number), headSha),
    isMerge: async ({ isMerge }) => isMerge === true,
    file: (path, commit) => reader.file(path, commit),
    explain: (error) => explainForgeError(error, { words: GITHUB, repository: `${owner}/${name}`, apiUrl, token }),
  };
}

function requestOf({ number, created_at: createdAt, merged_at: mergedAt, head }: PullRequest): MergeRequest {
  return {
    number,
    createdAt: Date.parse(createdAt),
    mergedAt: mergedAt == null ? null : Date.parse(mergedAt),
    headSha: head.sha,
  };
}

async function commentsOf(reader: GitHubReader, pull: number): Promise<ReviewComment[]> {
  let threads: ReturnType<GitHubReader["resolvedThreads"]> | null = null;
  const isResolved = async (id: number) => {
    threads ??= reader.resolvedThreads(pull);
    return (await threads)?.has(id) === true;
  };
  return (await reader.comments(pull)).map((comment): ReviewComment => {
    const { id, path, body, user, html_url: url } = comment;
    return {
      ...{ id, path, url },
      text: body ?? "",
      writtenAt: Date.parse(comment.created_at),
      isByBot: user?.type === "Bot" || user?.login.endsWith("[bot]") === true,
      isReply: comment.in_reply_to_id != null,
      on: sideOf(comment),
      locate: (readFile) => locate(comment, readFile),
      isResolved: () => isResolved(id),
    };
  });
}

function sideOf(comment: InlineComment): ReviewComment["on"] {
  const hasLine = comment.original_line != null || comment.diff_hunk.trim() !== "";
  if (comment.subject_type === "file" || !hasLine) return "file";
  return isOnOldSide(comment) ? "old side" : "new side";
}

async function locate(comment: InlineComment, readFile: ReadFile): Promise<Located> {
  const { path, original_commit_id: commit } = comment;
  const file = await readFile(path, commit);
  if (file.status !== "text")
    return { status: "none", reason: file.status === "missing" ? DROP.gone : DROP.unreadable };
  const region = commentedRegion(comment, file.lines);
  if (region === null) return { status: "none", reason: DROP.lost };
  return { status: "found", commit, lines: file.lines, region };
}

const HEADER = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/;

/** Whether the comment stands on lines that the pull request deletes. */
export function isOnOldSide({ side, diff_hunk: hunk }: InlineComment): boolean {
  return side === "LEFT" || linesOf(hunk).at(-1)?.startsWith("-") === true;
}

/**
 * The pre-review code of a comment, as lines of the file at the commented commit: the new side of its diff hunk, near
 * the commented lines.
 * @returns `null` when the hunk is not one of this file
 */
export function commentedRegion(comment: InlineComment, file: readonly string[]): Region | null {
  const [header = "", ...body] = linesOf(comment.diff_hunk);
  const [, start, length = "1"] = HEADER.exec(header) ?? [];
  if (start === undefined) return null;
  const hunkFirst = Math.max(1, Number(start));
  const shown = body.filter((line) => !/^[-\\]/.test(line));
  const line = comment.original_line ?? hunkFirst + shown.length - 1;
  if (!isSameLine(shown.at(-1), file[line - 1])) return null;
  const from = comment.start_side === "LEFT" ? line : Math.min(line, comment.original_start_line ?? line);
  const hunk = { first: hunkFirst, last: hunkFirst + Number(length) - 1 };
  return regionAround({ first: from, last: line }, hunk, file.length);
}

/** A line of a hunk (with its marker) and of the file; white space at its end aside. */
function isSameLine(hunkLine: string | undefined, fileLine: string | undefined): boolean {
  return hunkLine !== undefined && fileLine !== undefined && hunkLine.slice(1).trimEnd() === fileLine.trimEnd();
}

function linesOf(hunk: string): string[] {
  // GitHub ends a hunk at the commented line; a file without a line end may have its note after it.
  return hunk
    .replace(/\n$/, "")
    .split(/\r?\n/)
    .filter((line) => !line.startsWith("\\"));
}

/** Reads one repository by GitHub's API; replies that are not of the documented shape are refused. */
class GitHubReader {
  readonly #client: GitHubClient;
  readonly #hasToken: boolean;
  #repository: { readonly owner: string; readonly repo: string };

  constructor(owner: string, repo: string, access: ForgeAccess) {
    this.#client = githubClient(access);
    this.#hasToken = access.token !== null;
    this.#repository = { owner, repo };
  }

  /** The repository's name as it is now (a renamed one answers under its old name), and its licence (SPDX). */
  async describe(): Promise<RepositoryFacts> {
    const { data } = await this.#client.request("GET /repos/{owner}/{repo}", this.#repository);
    const { full_name: fullName, license } = parse(repositoryShape, data, "a repository");
    const [owner = "", repo = ""] = fullName.split("/");
    this.#repository = { owner, repo };
    const spdx = license?.spdx_id ?? "NOASSERTION";
    return { fullName, license: spdx === "NOASSERTION" ? null : spdx };
  }

  /** Closed pull requests, merged or not, in the order in which they were opened. */
  async *closedPulls(): AsyncGenerator<PullRequest> {
    const pages = this.#client.paginate.iterator("GET /repos/{owner}/{repo}/pulls", {
      ...this.#repository,
      state: "closed",
      sort: "created",
      direction: "asc",
      per_page: 100,
    });
    for await (const { data } of pages) yield* parse(pullShape.array(), data, "a list of pull requests");
  }

  /** The inline comments of a pull request, in the order in which they were written. */
  async comments(pull: number): Promise<InlineComment[]> {
    const comments = await this.#all("comments", pull, commentShape, "a list of review comments");
    return comments.toSorted((a, b) => a.id - b.id);
  }

  /** The commits of a pull request, oldest first; GitHub tells the first 250. */
  async commits(pull: number): Promise<PullCommit[]> {
    return this.#all("commits", pull, commitShape, "a list of commits");
  }

  /** Every page of a list of a pull request's. */
  async #all<T>(list: "comments" | "commits", pull: number, shape: z.ZodType<T>, what: string): Promise<T[]> {
    const pages = this.#client.paginate.iterator(`GET /repos/{owner}/{repo}/pulls/{pull_number}/${list}`, {
      ...this.#repository,
      pull_number: pull,
      per_page: 100,
    });
    return allPages(pages, ({ data }) => parse(shape.array(), data, what));
  }

  /** `missing`: no such file, or no such commit any more. */
  async file(path: string, commit: string): Promise<FileAtCommit> {
    let data: unknown;
    try {
      const route = "GET /repos/{owner}/{repo}/contents/{path}";
      ({ data } = await this.#client.request(route, { ...this.#repository, path, ref: commit }));
    } catch (error) {
      const status = replyOf(error)?.status;
      if (status === 404 || status === 422) return { status: "missing" };
      // GitHub's answer for a file that is too large to be shown this way.
      if (status === 403 && error instanceof Error && /too.large/i.test(error.message)) return { status: "unreadable" };
      throw error;
    }
    return textOf(parse(contentShape, data, "a file"));
  }

  /**
   * Ids of the comments that begin a thread somebody marked as resolved. By GraphQL, which wants a token; `null` when it
   * cannot be told.
   */
  async resolvedThreads(pull: number): Promise<ReadonlySet<number> | null> {
    if (!this.#hasToken) return null;
    const resolved = new Set<number>();
    let after: string | null = null;
    do {
      const data: unknown = await this.#threadsPage(pull, after);
      const parsed = threadsShape.safeParse(data);
      if (!parsed.success) return null;
      const { nodes, pageInfo }: z.infer<typeof threadsShape>["repository"]["pullRequest"]["reviewThreads"] =
        parsed.data.repository.pullRequest.reviewThreads;
      for (const { isResolved, comments } of nodes) {
        const id = comments.nodes[0]?.databaseId;
        if (isResolved && typeof id === "number") resolved.add(id);
      }
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    } while (after !== null);
    return resolved;
  }

  async #threadsPage(pull: number, after: string | null): Promise<unknown> {
    try {
      return await this.#client.graphql(THREADS, { ...this.#repository, pull, after });
    } catch (error) {
      // The token may not, or the server does not have it: the REST API alone must do.
      const status = replyOf(error)?.status;
      const isRefused = status !== undefined && status >= 400 && status < 500;
      if (isRefused || (error instanceof Error && error.name === "GraphqlResponseError")) return null;
      throw error;
    }
  }
}

const THREADS = `query ($owner: String!, $repo: String!, $pull: Int!, $after: String) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $pull) {
      reviewThreads(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { isResolved comments(first: 1) { nodes { databaseId } } }
      }
    }
  }
}`;

function textOf(content: z.infer<typeof contentShape>): FileAtCommit {
  if (Array.isArray(content) || content.type !== "file" || content.encoding !== "base64") {
    return { status: "unreadable" };
  }
  return fileOfBase64(content.content ?? "");
}

function parse<T>(shape: z.ZodType<T>, data: unknown, what: string): T {
  return parseReply(shape, data, what, GITHUB.name);
}

/** The revisions of a pull request, oldest first, the last of which was merged: GitHub lists the first 250 commits. */
export function revisionsOf(commits: readonly PullCommit[], headSha: string | null): Revision[] {
  const revisions = commits.map(({ sha, commit, parents }): Revision => {
    const date = commit.committer?.date;
    return { sha, committedAt: date == null ? null : Date.parse(date), isMerge: (parents?.length ?? 1) > 1 };
  });
  return withHead(revisions, headSha);
}
