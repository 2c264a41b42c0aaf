import { z } from "zod";
import type { MergeRequest, Revision } from "./forge.js";

// GitLab's replies (REST, version 4), as far as they are read: other fields are passed over.

const time = z.iso.datetime({ offset: true });

export const projectShape = z.object({
  id: z.int().positive(),
  path_with_namespace: z.string().regex(/^[^/]+(\/[^/]+)+$/),
  web_url: z.string(),
  license: z.object({ key: z.string() }).nullish(),
});

export const mergeRequestShape = z
  .object({
    /** Number in its project. */
    iid: z.int().positive(),
    created_at: time,
    merged_at: time.nullish(),
    /** The last commit of the source branch. */
    sha: z.string().min(1).nullish(),
  })
  .transform(({ iid, created_at: createdAt, merged_at: mergedAt, sha }): MergeRequest => {
    const merged = mergedAt == null ? null : Date.parse(mergedAt);
    return { number: iid, createdAt: Date.parse(createdAt), mergedAt: merged, headSha: sha ?? null };
  });

const lineShape = z.object({
  /** `HASH_OLD_NEW`. */
  line_code: z.string().nullish(),
  type: z.string().nullish(),
  new_line: z.int().nullish(),
});

const positionShape = z.object({
  base_sha: z.string().nullish(),
  /** The last version in which the commented line stood as it was: GitLab moves a position along until then. */
  head_sha: z.string().nullish(),
  old_path: z.string().nullish(),
  new_path: z.string().nullish(),
  /** `text`, `file` or `image`. */
  position_type: z.string().nullish(),
  old_line: z.int().nullish(),
  new_line: z.int().nullish(),
  /** Lines of the version that was commented: they are not moved along. */
  line_range: z.object({ start: lineShape.nullish(), end: lineShape.nullish() }).nullish(),
});

export const discussionShape = z.object({
  notes: z.array(
    z.object({
      id: z.int().positive(),
      type: z.string().nullish(),
      body: z.string().nullish(),
      author: z.object({ username: z.string() }).nullish(),
      created_at: time,
      /** Written by GitLab itself. */
      system: z.boolean().nullish(),
      resolved: z.boolean().nullish(),
      position: positionShape.nullish(),
    }),
  ),
});

/** A push to a merge request. */
export const versionShape = z.object({
  head_commit_sha: z.string().min(1),
  base_commit_sha: z.string().nullish(),
  created_at: time,
});

export const commitShape = z
  .object({
    id: z.string().min(1),
    committed_date: time.nullish(),
    /** Empty in the list of a merge request's commits. */
    parent_ids: z.array(z.string()).nullish(),
  })
  .transform(({ id, committed_date: date, parent_ids: parents }): Revision & { readonly isMerge: boolean } => {
    return { sha: id, committedAt: date == null ? null : Date.parse(date), isMerge: (parents?.length ?? 1) > 1 };
  });

export const fileShape = z.object({ encoding: z.string(), content: z.string() });

export type Project = z.infer<typeof projectShape>;
export type Discussion = z.infer<typeof discussionShape>;
export type Note = Discussion["notes"][number];
export type Position = z.infer<typeof positionShape>;
export type Version = z.infer<typeof versionShape>;
