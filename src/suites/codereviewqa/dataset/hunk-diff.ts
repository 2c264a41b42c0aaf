import type { ChangeType, Location } from "../example/example.js";
import { diffLines } from "./line-diff.js";

/** What changed between two versions of a hunk, in the forms an official record needs (spec §2.1, §3). */
export interface HunkDiff {
  readonly changeType: ChangeType;
  /** Deleted or replaced lines; for `add`, the lines after which code is added (0 = before the first). Ascending. */
  readonly location: Location;
  /** The hunk before, every line with its marker column. */
  readonly old: string;
  /** The hunk after, likewise. */
  readonly new: string;
  /** Changed lines only, `N - …` and `N + …`, N in the respective version; a replaced block pair by pair. */
  readonly solution: string;
}

interface Block {
  readonly deleted: string[];
  readonly added: string[];
}

/**
 * The line diff of two versions (see `diffLines`: minimal for any hunk of usual length; a moved line is a deletion and an
 * addition).
 * @returns `null` when nothing changed
 */
export function diffHunk(before: readonly string[], after: readonly string[]): HunkDiff | null {
  const old: string[] = [];
  const fresh: string[] = [];
  const deletedAt: number[] = [];
  const addedAfter = new Set<number>();
  const blocks: string[][] = [];
  let block: Block = { deleted: [], added: [] };
  for (const { kind, lines } of diffLines(before, after)) {
    for (const line of lines) {
      if (kind === "deleted") {
        old.push(`-${line}`);
        deletedAt.push(old.length);
        block.deleted.push(`${old.length} - ${line}`);
      } else if (kind === "added") {
        addedAfter.add(old.length);
        fresh.push(`+${line}`);
        block.added.push(`${fresh.length} + ${line}`);
      } else {
        blocks.push(inPairs(block));
        block = { deleted: [], added: [] };
        old.push(` ${line}`);
        fresh.push(` ${line}`);
      }
    }
  }
  blocks.push(inPairs(block));
  const solution = blocks.flat();
  if (solution.length === 0) return null;
  const changeType = deletedAt.length === 0 ? "add" : addedAfter.size === 0 ? "delete" : "modify";
  return {
    changeType,
    location: changeType === "add" ? [...addedAfter] : deletedAt,
    old: old.join("\n"),
    new: fresh.join("\n"),
    solution: solution.join("\n"),
  };
}

/** 5 -, 5 +, 6 -, 6 + … as in the paper's Figure 3; what is left over follows. */
function inPairs({ deleted, added }: Block): string[] {
  const length = Math.max(deleted.length, added.length);
  return Array.from({ length }, (_, i) => [deleted[i], added[i]]).flatMap((pair) =>
    pair.filter((line) => line !== undefined),
  );
}
