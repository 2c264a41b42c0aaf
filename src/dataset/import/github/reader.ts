import type { z } from "zod";
import { allPages } from "../forge/all-pages.js";
import { replyOf } from "../forge/errors.js";
import { fileOfBase64 } from "../forge/file-text.js";
import type { FileAtCommit, ForgeAccess, RepositoryFacts } from "../forge/forge.js";
import { parseReply } from "../forge/parse-reply.js";
import { GITHUB, type GitHubClient, githubClient } from "./client.js";
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
} from "./shapes.js";

/** Reads one repository by GitHub's API; replies that are not of the documented shape are refused. */
export class GitHubReader {
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
