import { parsePatch, type StructuredPatch } from "diff";

/** A line of a tree. */
export interface PlacedLine {
  readonly path: string;
  /** From 1. */
  readonly line: number;
}

/** Lines that a patch changes, by where they stand. */
export interface ChangedLines {
  /** Lines of the changed tree. */
  readonly added: readonly PlacedLine[];
  /** Lines of the base. */
  readonly removed: readonly PlacedLine[];
}

/** A file with such a part in its path is made by a machine, and does not count (released code). */
const IGNORED = new Set([
  ".venv",
  "venv",
  "__pycache__",
  ".pytest_cache",
  ".mypy_cache",
  ".tox",
  ".ruff_cache",
  "node_modules",
  "dist",
  "build",
  ".next",
  ".nuxt",
  "target",
  ".gradle",
  "out",
  "bin",
  "obj",
  "vendor",
  ".cache",
  "coverage",
  ".cargo-home",
  "package-lock.json",
]);

/** Tests if a path has a part that keeps it from counting. */
export function isIgnored(path: string): boolean {
  return path.split("/").some((part) => IGNORED.has(part));
}

/**
 * The lines of a patch as git writes it.
 * @returns `null` for what is no patch
 */
export function changedLines(patch: string): ChangedLines | null {
  const files = filesOfPatch(patch);
  if (files === null) return null;
  const counted = files.filter(({ oldFileName, newFileName }) => {
    return !isIgnored(withoutSide(oldFileName)) && !isIgnored(withoutSide(newFileName));
  });
  return {
    added: counted.flatMap((file) => linesOf(file, "+")),
    removed: counted.flatMap((file) => linesOf(file, "-")),
  };
}

/** The files of a patch; `null` for what is none. */
export function filesOfPatch(patch: string): StructuredPatch[] | null {
  try {
    return parsePatch(patch);
  } catch {
    return null;
  }
}

/** A path without the side that git writes before it. */
export function withoutSide(name: string | undefined): string {
  return (name ?? "").replace(/^[ab]\//, "");
}

/** Lines that a file of a patch adds, or removes. */
function linesOf({ oldFileName, newFileName, hunks }: StructuredPatch, sign: "+" | "-"): PlacedLine[] {
  const path = withoutSide(sign === "+" ? newFileName : oldFileName);
  return hunks.flatMap(({ lines, oldStart, newStart }) => {
    const found: PlacedLine[] = [];
    let line = sign === "+" ? newStart : oldStart;
    for (const text of lines) {
      const kind = text[0];
      if (kind === sign) found.push({ path, line });
      if (kind === sign || kind === " " || kind === undefined) line++;
    }
    return found;
  });
}
