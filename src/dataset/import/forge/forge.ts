import type { Token } from "../host-requests.js";
import type { Region } from "./region.js";

/** How a forge is reached. */
export interface ForgeAccess {
  /** Base of the REST API, without a slash at the end. */
  readonly apiUrl: string;
  readonly token: Token | null;
  readonly signal: AbortSignal;
  /** Told when a request has to wait. */
  readonly onMessage: (message: string) => void;
}

/** What messages call a forge and its things. */
export interface ForgeWords {
  /** Such as `GitHub`. */
  readonly name: string;
  /** Such as `repository`. */
  readonly repository: string;
  /** Such as `pull requests`. */
  readonly requests: string;
  /** Stands before a request's number, such as `#`. */
  readonly mark: string;
  /** The variable that names another server. */
  readonly apiVariable: string;
  readonly tokenVariable: string;
  /** What a token must be allowed to do. */
  readonly mayRead: string;
}

export interface RepositoryFacts {
  /** As it is called now, such as `owner/repo`. */
  readonly fullName: string;
  /** SPDX; `null` when it is not told. */
  readonly license: string | null;
}

/** A pull request, or what GitLab calls a merge request. */
export interface MergeRequest {
  /** In its repository. */
  readonly number: number;
  /** ms since 1970. */
  readonly createdAt: number;
  /** Likewise; `null`: not merged. */
  readonly mergedAt: number | null;
  /** The last commit that was pushed before the merge; `null` when it is not told. */
  readonly headSha: string | null;
}

/** A file at a commit. `unreadable`: not a file, not UTF-8 text, or over 1 MiB. */
export type FileAtCommit =
  | { readonly status: "text"; readonly lines: readonly string[] }
  | { readonly status: "missing" }
  | { readonly status: "unreadable" };

export type ReadFile = (path: string, commit: string) => Promise<FileAtCommit>;

/** The pre-review code of a comment: a region of a file at the commit that the comment was written on. */
export type Located =
  | {
      readonly status: "found";
      readonly commit: string;
      /** Of the whole file. */
      readonly lines: readonly string[];
      readonly region: Region;
    }
  | { readonly status: "none"; readonly reason: DropReason };

/** A comment in the diff of a request. */
export interface ReviewComment {
  readonly id: number;
  readonly path: string;
  readonly text: string;
  /** Address of the comment. */
  readonly url: string;
  /** ms since 1970. */
  readonly writtenAt: number;
  readonly isByBot: boolean;
  readonly isReply: boolean;
  /** `new side`: lines that are there after the change. */
  readonly on: "file" | "old side" | "new side";
  readonly locate: (readFile: ReadFile) => Promise<Located>;
  /** Whether somebody marked its thread as resolved, as far as that can be told. */
  readonly isResolved: () => Promise<boolean>;
}

/** A repository on a host of repositories, read by the host's API. */
export interface Forge {
  readonly words: ForgeWords;
  /** Comes first: everything else is asked of the repository that it finds. */
  describe(): Promise<RepositoryFacts>;
  /** At least all that are merged, in the order in which they were opened. */
  requests(): AsyncIterable<MergeRequest>;
  /** In the order in which they were written. */
  comments(request: MergeRequest): Promise<ReviewComment[]>;
  /** Oldest first; the last of them was merged. */
  revisions(request: MergeRequest): Promise<Revision[]>;
  isMerge(revision: Revision): Promise<boolean>;
  /** `missing`: no such file, or no such commit any more. */
  file: ReadFile;
  /** An error of any of these in words of ours. */
  explain(error: unknown): unknown;
}

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
