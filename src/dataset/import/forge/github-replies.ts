import { z } from "zod";
import type { MergeRequest, RepositoryFacts, Revision } from "./forge.js";

// GitHub's replies (REST, version 2022-11-28), as far as they are read: other fields are passed over.

const time = z.iso.datetime({ offset: true });

export const repositoryShape = z
  .object({
    full_name: z.string().regex(/^[^/]+\/[^/]+$/),
    license: z.object({ spdx_id: z.string().nullish() }).nullish(),
  })
  .transform(({ full_name: fullName, license }): RepositoryFacts => {
    const spdx = license?.spdx_id ?? "NOASSERTION";
    return { fullName, license: spdx === "NOASSERTION" ? null : spdx };
  });

export const pullShape = z
  .object({
    number: z.int().positive(),
    created_at: time,
    merged_at: time.nullish(),
    /** The last commit that was pushed before the merge. */
    head: z.object({ sha: z.string().min(1) }),
  })
  .transform(({ number, created_at: createdAt, merged_at: mergedAt, head }): MergeRequest => {
    const merged = mergedAt == null ? null : Date.parse(mergedAt);
    return { number, createdAt: Date.parse(createdAt), mergedAt: merged, headSha: head.sha };
  });

export const commentShape = z.object({
  id: z.int().positive(),
  /** `null`: the account is gone. */
  user: z.object({ login: z.string(), type: z.string().nullish() }).nullish(),
  body: z.string().nullish(),
  created_at: time,
  html_url: z.string(),
  in_reply_to_id: z.int().nullish(),
  path: z.string().min(1),
  /** From the header of the hunk to the line that the comment stands on. */
  diff_hunk: z.string(),
  /** The commit that the comment was written on. */
  original_commit_id: z.string().min(1),
  /** Line of the file at that commit; `null` for a comment on a whole file. */
  original_line: z.int().nullish(),
  original_start_line: z.int().nullish(),
  side: z.enum(["LEFT", "RIGHT"]).nullish(),
  start_side: z.enum(["LEFT", "RIGHT"]).nullish(),
  subject_type: z.string().nullish(),
});

/** A commit of a pull request as a revision of it. */
export const commitShape = z
  .object({
    sha: z.string().min(1),
    commit: z.object({ committer: z.object({ date: time.nullish() }).nullish() }),
    parents: z.array(z.unknown()).nullish(),
  })
  .transform(({ sha, commit, parents }): Revision => {
    const date = commit.committer?.date;
    return { sha, committedAt: date == null ? null : Date.parse(date), isMerge: (parents?.length ?? 1) > 1 };
  });

export const contentShape = z.union([
  // A folder is a list.
  z.array(z.unknown()).transform(() => null),
  z
    .object({ type: z.string(), encoding: z.string().nullish(), content: z.string().nullish() })
    .transform((file) => (file.type === "file" ? file : null)),
]);

const threadsPage = z.object({
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
  nodes: z.array(
    z.object({
      isResolved: z.boolean(),
      comments: z.object({ nodes: z.array(z.object({ databaseId: z.int().nullable() })) }),
    }),
  ),
});
export const threadsShape = z.object({
  data: z.object({ repository: z.object({ pullRequest: z.object({ reviewThreads: threadsPage }) }) }),
});

export type ThreadsPage = z.infer<typeof threadsPage>;

export type InlineComment = z.infer<typeof commentShape>;
