/** Why a review comment gives no example, as the funnel tells it. */
export const DROP = {
  bot: "written by a bot",
  reply: "a reply in a thread",
  empty: "without text",
  wholeFile: "on a whole file, not on lines",
  language: "in a file of another language",
  oldSide: "on deleted lines",
  /** The lines had changed already, or their commit was replaced, when the comment was written. */
  outdated: "outdated when written",
  /** Its commit was force-pushed away and cannot be read any more. */
  gone: "outdated: its commit is gone",
  /** Somebody marked its thread as resolved, but the lines stayed as they were. */
  resolved: "resolved without change",
  unchanged: "no change followed",
  /** The lines around it changed too much to tell which lines it became. */
  lost: "hunk could not be followed",
  deleted: "file deleted or renamed",
  /** The commit that changed the lines brought in another branch. */
  merge: "changed by a merge commit",
  unreadable: "file not readable as text",
} as const;

export type DropReason = (typeof DROP)[keyof typeof DROP];
