import { z } from "zod";
import { LANGUAGES } from "../../../base/language.js";

/** A code review as it is written to the output: a raw triple (spec §2.2) and where it came from. */
export const reviewTripleSchema = z.object({
  /** `owner/repo#pull/comment`; of GitLab `group/project!request/comment`. */
  id: z.string(),
  language: z.enum(LANGUAGES),
  pre_review_code: z.string(),
  code_review: z.string(),
  post_review_code: z.string(),
  repo: z.string(),
  /** Address of the comment. */
  source: z.string(),
  /** SPDX; of GitLab in small letters. */
  license: z.string().exactOptional(),
  path: z.string(),
  /** The commits that the two codes are of. */
  pre_review_commit: z.string(),
  post_review_commit: z.string(),
});

export type ReviewTriple = z.infer<typeof reviewTripleSchema>;
