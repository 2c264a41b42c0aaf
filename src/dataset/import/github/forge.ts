import { DROP } from "../forge/drop-reason.js";
import { explainForgeError } from "../forge/errors.js";
import type { Forge, ForgeAccess, Located, MergeRequest, ReadFile, ReviewComment } from "../forge/forge.js";
import type { GitHubSource } from "../source.js";
import { GITHUB } from "./client.js";
import { commentedRegion, isOnOldSide } from "./hunk-region.js";
import { GitHubReader } from "./reader.js";
import { revisionsOf } from "./revisions.js";
import type { InlineComment, PullRequest } from "./shapes.js";

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
