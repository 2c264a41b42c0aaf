import { sentAt } from "../../../model/http/request-error.js";
import type { Limit } from "../host-requests.js";
import type { GitHubSource } from "../import-source.js";
import {
  DROP,
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
import { ReplyError } from "./forge-error.js";
import {
  commentShape,
  commitShape,
  contentShape,
  type InlineComment,
  pullShape,
  repositoryShape,
  type ThreadsPage,
  threadsShape,
} from "./github-replies.js";
import { type Region, regionAround } from "./region.js";

export const GITHUB: ForgeWords = {
  name: "GitHub",
  repository: "repository",
  requests: "pull requests",
  mark: "#",
  apiVariables: ["GITHUB_API_URL"],
  publicUrl: "https://api.github.com",
  exampleUrl: "https://github.example.com/api/v3",
  tokenVariables: ["GITHUB_TOKEN", "GH_TOKEN"],
  mayRead: "its contents and pull requests (and is authorised for its organisation's single sign-on)",
};

const DIALECT: ForgeDialect = {
  words: GITHUB,
  accept: "application/vnd.github.v3+json",
  authorisation: (secret) => ({ authorization: `token ${secret}` }),
  tokenAdvice: " With a token in GITHUB_TOKEN GitHub allows 5,000 requests an hour, not 60.",
  limitOf,
};

/** Seconds to wait for a secondary limit that tells none. */
const SECONDARY_SECONDS = 60;

/** Limits are told with 403 or 429; that of GraphQL in the body of a 200. */
async function limitOf(reply: Response): Promise<Limit | null> {
  const { status, headers } = reply;
  const isUsedUp = headers.get("x-ratelimit-remaining") === "0";
  if (status !== 403 && status !== 429 && !(status === 200 && isUsedUp)) return null;
  const text = await reply.text();
  if (status === 200 && !/"type":\s*"RATE_LIMITED"/.test(text)) return null;
  if (/\bsecondary rate\b/i.test(text)) return { seconds: SECONDARY_SECONDS, reason: "it asks for fewer requests" };
  if (isUsedUp)
    return { seconds: secondsUntil(headers.get("x-ratelimit-reset"), headers), reason: "the hourly limit is used up" };
  return headers.has("retry-after") ? { seconds: 1, reason: "it asks to wait" } : null;
}

/** One more than until this time of the server's, in seconds since 1970. */
function secondsUntil(time: string | null, headers: Headers): number {
  return Math.max(0, Math.ceil(Number(time ?? 0) - sentAt(headers, Date.now()) / 1000) + 1);
}

/** A repository on GitHub: REST (version 2022-11-28), and GraphQL for resolved threads. */
export class GitHub implements Forge {
  readonly words = GITHUB;
  readonly #client: ForgeClient;
  readonly #access: ForgeAccess;
  /** `owner/repo`, as it is called now. */
  #name: string;

  constructor({ owner, name }: GitHubSource, access: ForgeAccess) {
    this.#client = new ForgeClient(access, DIALECT);
    this.#access = access;
    this.#name = `${owner}/${name}`;
  }

  /** A renamed repository answers under its old name. */
  async describe(): Promise<RepositoryFacts> {
    const facts = await this.#client.get(`repos/${this.#name}`, repositoryShape, "a repository");
    this.#name = facts.fullName;
    return facts;
  }

  async *requests(): AsyncGenerator<MergeRequest> {
    const query = { state: "closed", sort: "created", direction: "asc" };
    const list = { path: `repos/${this.#name}/pulls`, query, shape: pullShape, what: "a list of pull requests" };
    for await (const page of this.#client.pages(list)) yield* page;
  }

  async comments({ number }: MergeRequest): Promise<ReviewComment[]> {
    const path = `repos/${this.#name}/pulls/${number}/comments`;
    const comments = await this.#client.all({ path, shape: commentShape, what: "a list of review comments" });
    let threads: Promise<ReadonlySet<number> | null> | null = null;
    const isResolved = async (id: number) => {
      threads ??= this.#resolvedThreads(number);
      return (await threads)?.has(id) === true;
    };
    return comments
      .toSorted((a, b) => a.id - b.id)
      .map((comment): ReviewComment => {
        const { id, user } = comment;
        return {
          id,
          path: comment.path,
          text: comment.body ?? "",
          url: comment.html_url,
          writtenAt: Date.parse(comment.created_at),
          isByBot: user?.type === "Bot" || user?.login.endsWith("[bot]") === true,
          isReply: comment.in_reply_to_id != null,
          on: sideOf(comment),
          locate: (readFile) => locate(comment, readFile),
          isResolved: () => isResolved(id),
        };
      });
  }

  /** GitHub lists the first 250 commits. */
  async revisions({ number }: MergeRequest): Promise<Revision[]> {
    const path = `repos/${this.#name}/pulls/${number}/commits`;
    return this.#client.all({ path, shape: commitShape, what: "a list of commits" });
  }

  async isMerge({ isMerge }: Revision): Promise<boolean> {
    return isMerge === true;
  }

  file: ReadFile = (path, commit) =>
    this.#client.file(`repos/${this.#name}/contents/${encodeURIComponent(path)}`, commit, contentShape, [404, 422]);

  /**
   * Ids of the comments that begin a thread somebody marked as resolved. By GraphQL, which wants a token; `null` when it
   * cannot be told: the token may not, or the server does not have it.
   */
  async #resolvedThreads(pull: number): Promise<ReadonlySet<number> | null> {
    if (this.#access.token === null) return null;
    const resolved = new Set<number>();
    for (let after: string | null = null; ; ) {
      const { data } = threadsShape.safeParse(await this.#threadsPage(pull, after));
      if (data === undefined) return null;
      const { nodes, pageInfo }: ThreadsPage = data.data.repository.pullRequest.reviewThreads;
      for (const { isResolved, comments } of nodes) {
        const id = comments.nodes[0]?.databaseId;
        if (isResolved && typeof id === "number") resolved.add(id);
      }
      if (!pageInfo.hasNextPage || pageInfo.endCursor === null) return resolved;
      after = pageInfo.endCursor;
    }
  }

  async #threadsPage(pull: number, after: string | null): Promise<unknown> {
    // A server of one's own has it beside `/api/v3`.
    const url = `${this.#access.apiUrl.replace(/\/v3$/, "")}/graphql`;
    const [owner, repo] = this.#name.split("/");
    try {
      return await this.#client.post(url, { query: THREADS, variables: { owner, repo, pull, after } });
    } catch (error) {
      if (error instanceof ReplyError && error.status < 500) return null;
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

/** Tells whether the comment stands on lines that the pull request deletes. */
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
