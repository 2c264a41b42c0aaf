import type { FileAtCommit } from "../forge.js";
import { DROP, type DropReason } from "./drop-reason.js";
import { type Followed, followRegion } from "./follow.js";
import type { Region } from "./region.js";
import type { CommentTimeline, Revision } from "./revision.js";

/** The change that followed a comment, or why there is none. */
type FoundChange =
  | {
      readonly status: "found";
      readonly before: readonly string[];
      readonly after: readonly string[];
      readonly revision: Revision;
    }
  | { readonly status: "none"; readonly reason: DropReason };

/** What is asked of the revisions of a file. */
interface FileHistory {
  readonly fileAt: (sha: string) => Promise<FileAtCommit>;
  readonly isMerge: (revision: Revision) => Promise<boolean>;
}

/**
 * The first revision after the comment that changed the commented region, found by bisection: the region stands
 * unchanged in the revision before it.
 */
export async function findChange(
  original: readonly string[],
  region: Region,
  { missed, followed }: CommentTimeline,
  { fileAt, isMerge }: FileHistory,
): Promise<FoundChange> {
  const stateAt = async ({ sha }: Revision) => stateOf(original, region, await fileAt(sha));
  if (missed !== null && (await stateAt(missed)).status !== "unchanged") return none(DROP.outdated);
  let high = followed.length - 1;
  const merged = followed[high];
  if (merged === undefined) return none(DROP.unchanged);
  let state = await stateAt(merged);
  if (state.status === "unchanged") return none(DROP.unchanged);
  for (let low = -1; high - low > 1; ) {
    const middle = (low + high) >> 1;
    const revision = followed[middle];
    if (revision === undefined) break;
    const found = await stateAt(revision);
    if (found.status === "unchanged") low = middle;
    else [high, state] = [middle, found];
  }
  const revision = followed[high] ?? merged;
  if (state.status !== "changed") return none(DROP[state.status]);
  if (await isMerge(revision)) return none(DROP.merge);
  return { status: "found", before: state.before, after: state.after, revision };
}

type State = Followed | { readonly status: "deleted" | "unreadable" };

function stateOf(original: readonly string[], region: Region, file: FileAtCommit): State {
  if (file.status === "missing") return { status: "deleted" };
  if (file.status === "unreadable") return { status: "unreadable" };
  return followRegion(original, file.lines, region);
}

function none(reason: DropReason): FoundChange {
  return { status: "none", reason };
}
