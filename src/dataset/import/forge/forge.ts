import type { Token } from "../host-requests.js";
import type { Region } from "./region.js";

/** Access to a forge. */
export interface ForgeAccess {
  /** Base of the REST API, without a slash at the end. */
  readonly apiUrl: string;
  readonly token: Token | null;
  readonly signal: AbortSignal;
  /** Told when a request has to wait. */
  readonly onMessage: (message: string) => void;
}

/** Names of a forge and its things, for messages. */
export interface ForgeWords {
  /** Such as `GitHub`. */
  readonly name: string;
  /** Such as `repository`. */
  readonly repository: string;
  /** Such as `pull requests`. */
  readonly requests: string;
  /** Stands before a request's number, such as `#`. */
  readonly mark: string;
  /** Variables that name another server; the first that is set does. */
  readonly apiVariables: readonly [string, ...string[]];
  /** Base of the public REST API. */
  readonly publicUrl: string;
  /** Example of such an address. */
  readonly exampleUrl: string;
  /** Variables that hold a token; the first that is set does. */
  readonly tokenVariables: readonly [string, ...string[]];
  /** Permissions that a token needs. */
  readonly mayRead: string;
}

export interface RepositoryFacts {
  /** Name as it is now, such as `owner/repo`. */
  readonly fullName: string;
  /** SPDX; `null` when it is not told. */
  readonly license: string | null;
}

/** A pull request, or what GitLab calls a merge request. */
export interface MergeRequest {
  /** Number in its repository. */
  readonly number: number;
  /** ms since 1970. */
  readonly createdAt: number;
  /** Time of the merge, ms since 1970; `null`: not merged. */
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
      /** All lines of the file. */
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
  /** Tells whether somebody marked its thread as resolved, as far as that can be told. */
  readonly isResolved: () => Promise<boolean>;
}

/** A repository on a host of repositories, read by the host's API. */
export interface Forge {
  readonly words: ForgeWords;
  /** Comes first: everything else is asked of the repository that it finds. */
  describe(): Promise<RepositoryFacts>;
  /** At least all that are merged, in the order in which they were opened. */
  requests(): AsyncIterable<MergeRequest>;
  /** Comments in the order in which they were written. */
  comments(request: MergeRequest): Promise<ReviewComment[]>;
  /** Oldest first, as far as the forge lists them. */
  revisions(request: MergeRequest): Promise<Revision[]>;
  isMerge(revision: Revision): Promise<boolean>;
  /** `missing`: no such file, or no such commit any more. */
  file: ReadFile;
}

/** Reasons why a review comment gives no example, as the funnel tells them. */
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
