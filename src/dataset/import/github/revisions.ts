import { type Revision, withHead } from "../forge/revision.js";
import type { PullCommit } from "./shapes.js";

/** The revisions of a pull request, oldest first, the last of which was merged: GitHub lists the first 250 commits. */
export function revisionsOf(commits: readonly PullCommit[], headSha: string | null): Revision[] {
  const revisions = commits.map(({ sha, commit, parents }): Revision => {
    const date = commit.committer?.date;
    return { sha, committedAt: date == null ? null : Date.parse(date), isMerge: (parents?.length ?? 1) > 1 };
  });
  return withHead(revisions, headSha);
}
