/** Lines of a file, 1-based, both ends included. */
export interface Region {
  readonly first: number;
  readonly last: number;
}

/** How many lines of the hunk are kept on either side of the commented ones. */
const WINDOW_LINES = 10;

/** The part of a hunk's new side that a comment's pre-review code is: at most `WINDOW_LINES` around its lines. */
export function regionAround(commented: Region, hunk: Region, fileLines: number): Region {
  return {
    first: Math.max(Math.min(hunk.first, commented.first), commented.first - WINDOW_LINES),
    last: Math.min(Math.max(hunk.last, commented.last), commented.last + WINDOW_LINES, fileLines),
  };
}
