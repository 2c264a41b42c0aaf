import { isComment, type Leaf, type Syntax } from "../../syntax/load.js";

/** The post-review code of a hunk, and which of its lines are new. */
interface RevisedCode {
  readonly text: string;
  /** By line: whether it was added or replaced. */
  readonly isNew: readonly boolean[];
}

/** Reads the marker column of a record's `new`. */
export function revisedCode(markedLines: string): RevisedCode {
  const lines = markedLines.split("\n");
  return { text: lines.map((line) => line.slice(1)).join("\n"), isNew: lines.map((line) => line.startsWith("+")) };
}

/**
 * The code elements on the changed lines (Algorithm 1, GetLeafNodes): leaves of the syntax tree that the grammar gives
 * a name, such as identifiers and literals. Not comments, since a changed comment changes no code; not operators and
 * brackets, which nothing of the same kind could replace; not what goes over several lines.
 */
export function changedLeaves(code: RevisedCode, syntax: Syntax): Leaf[] {
  const starts = lineStarts(code.text);
  return syntax.parse(code.text).leaves.filter((leaf) => {
    const text = code.text.slice(leaf.start, leaf.end);
    if (!leaf.isNamed || isComment(leaf.kind) || text.includes("\n") || !/[\p{L}\p{N}]/u.test(text)) return false;
    // A keyword that the parser took for a name: it has lost its way in the fragment there.
    if (syntax.isFixed(text) && leaf.kind !== text) return false;
    return code.isNew[lineAt(starts, leaf.start)] === true;
  });
}

function lineStarts(text: string): number[] {
  return [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
}

/** Line of a place in the text, from 0. */
function lineAt(starts: readonly number[], place: number): number {
  const after = starts.findIndex((start) => start > place);
  return (after === -1 ? starts.length : after) - 1;
}

/** Line of a place in the text, from 1. */
export function lineNumberAt(text: string, place: number): number {
  return lineAt(lineStarts(text), place) + 1;
}
