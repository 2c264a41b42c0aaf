import { z } from "zod";

/** What is read of GitHub's replies (REST, version 2022-11-28); other fields are passed over. */

export const repositoryShape = z.object({
  full_name: z.string().regex(/^[^/]+\/[^/]+$/),
  license: z.object({ spdx_id: z.string().nullish() }).nullish(),
});

export const pullShape = z.object({
  number: z.int().positive(),
  created_at: z.iso.datetime({ offset: true }),
  merged_at: z.iso.datetime({ offset: true }).nullish(),
  /** The last commit that was pushed before the merge. */
  head: z.object({ sha: z.string().min(1) }),
});

export const commentShape = z.object({
  id: z.int().positive(),
  /** `null`: the account is gone. */
  user: z.object({ login: z.string(), type: z.string().nullish() }).nullish(),
  body: z.string().nullish(),
  created_at: z.iso.datetime({ offset: true }),
  html_url: z.string(),
  in_reply_to_id: z.int().nullish(),
  path: z.string().min(1),
  /** From the header of the hunk to the line that the comment stands on. */
  diff_hunk: z.string(),
  /** The commit that the comment was written on. */
  original_commit_id: z.string().min(1),
  /** In the file at that commit; `null` for a comment on a whole file. */
  original_line: z.int().nullish(),
  original_start_line: z.int().nullish(),
  side: z.enum(["LEFT", "RIGHT"]).nullish(),
  start_side: z.enum(["LEFT", "RIGHT"]).nullish(),
  subject_type: z.string().nullish(),
});

export const commitShape = z.object({
  sha: z.string().min(1),
  commit: z.object({ committer: z.object({ date: z.iso.datetime({ offset: true }).nullish() }).nullish() }),
  parents: z.array(z.unknown()).nullish(),
});

export const contentShape = z.union([
  // A folder is a list.
  z.array(z.unknown()),
  z.object({ type: z.string(), encoding: z.string().nullish(), content: z.string().nullish() }),
]);

export const threadsShape = z.object({
  repository: z.object({
    pullRequest: z.object({
      reviewThreads: z.object({
        pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
        nodes: z.array(
          z.object({
            isResolved: z.boolean(),
            comments: z.object({ nodes: z.array(z.object({ databaseId: z.int().nullable() })) }),
          }),
        ),
      }),
    }),
  }),
});

export type PullRequest = z.infer<typeof pullShape>;
export type InlineComment = z.infer<typeof commentShape>;
export type PullCommit = z.infer<typeof commitShape>;
