/** A commit of a request, as far as comments need it. */
export interface Revision {
  readonly sha: string;
  /** When it was committed, ms since 1970; `null` when that is not known. */
  readonly committedAt: number | null;
  /** `null`: the list of commits does not tell; the commit itself does. */
  readonly isMerge: boolean | null;
}

/** Revisions with the one that was merged at their end: the forge's list may stop before it. */
export function withHead(revisions: readonly Revision[], headSha: string | null): Revision[] {
  const isListed = headSha === null || revisions.at(-1)?.sha === headSha;
  return isListed ? [...revisions] : [...revisions, { sha: headSha, committedAt: null, isMerge: false }];
}

/** The revisions of a comment: the one it was written on, those it did not see, and those that followed. */
export interface CommentTimeline {
  /** The last revision that was there when the comment was written, if that is not the one it was written on. */
  readonly missed: Revision | null;
  /** Revisions made after the comment, oldest first. */
  readonly followed: readonly Revision[];
}

/**
 * Places a comment among the revisions by the time it was written. A revision committed before that cannot answer it.
 * Of a commit that was replaced by a force push, only the merged state is known to have come after.
 */
export function timelineOf(revisions: readonly Revision[], commentedSha: string, writtenAt: number): CommentTimeline {
  const commented = revisions.findIndex(({ sha }) => sha === commentedSha);
  if (commented === -1) {
    const head = revisions.slice(-1);
    const isAfter = head.every(({ committedAt }) => committedAt === null || committedAt > writtenAt);
    return isAfter ? { missed: null, followed: head } : { missed: head[0] ?? null, followed: [] };
  }
  const isBefore = ({ committedAt }: Revision) => committedAt !== null && committedAt <= writtenAt;
  const present = Math.max(commented, revisions.findLastIndex(isBefore));
  return {
    missed: present > commented ? (revisions[present] ?? null) : null,
    followed: revisions.slice(present + 1),
  };
}
