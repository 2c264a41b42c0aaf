import { z } from "zod";
import { optional, schemaType } from "../../../store/field-type.js";
import { type Field, structured } from "../../../store/record-fields.js";

const EDIT = structured(
  optional(
    schemaType(
      "an edit of lines",
      z.object({ from: z.int().nonnegative(), to: z.int().nonnegative(), lines: z.array(z.string()) }),
    ),
  ),
);

/**
 * Field of the pre-review code. The line has its difference from the reference alone: hunks differ in a few lines, so that
 * is about a third of the code. Runs recorded before there was a copy floor have no such field.
 */
export const PRE_REVIEW: Field<string | null> = {
  read: (line, name, { reference }: { readonly reference: string }) => {
    const edit = EDIT.read(line, name, line);
    return edit === undefined ? null : applyLineEdit(reference, edit);
  },
  write: (line, name, code, { reference }: { readonly reference: string }) => {
    if (code !== null) line[name] = lineEdit(reference, code);
  },
  columns: () => [],
};

/** Difference of two texts by lines: one run of lines stands for another. */
interface LineEdit {
  /** Lines of the first text that are replaced: from this one (counted from 0) … */
  readonly from: number;
  /** … up to, but without, this one. */
  readonly to: number;
  /** Lines of the second text in their place. */
  readonly lines: readonly string[];
}

/** The shortest edit of one run of lines that makes `before` into `after`: what both begin and end with is left out. */
export function lineEdit(before: string, after: string): { from: number; to: number; lines: string[] } {
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  const shorter = Math.min(old.length, fresh.length);
  let from = 0;
  while (from < shorter && old[from] === fresh[from]) from++;
  let same = 0;
  while (same < shorter - from && old[old.length - 1 - same] === fresh[fresh.length - 1 - same]) same++;
  return { from, to: old.length - same, lines: fresh.slice(from, fresh.length - same) };
}

/**
 * The text that an edit makes of another: the inverse of `lineEdit`.
 * @throws Error where the text does not have the lines
 */
export function applyLineEdit(before: string, { from, to, lines }: LineEdit): string {
  const old = before.split("\n");
  if (from > to || to > old.length) {
    throw new Error(`expected an edit within ${old.length} lines, found one from ${from} to ${to}`);
  }
  return [...old.slice(0, from), ...lines, ...old.slice(to)].join("\n");
}
