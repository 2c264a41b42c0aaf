import type { PlacedLine } from "../score/precision.js";

/** Changed lines that a rule wanted. */
export interface WantedLines {
  readonly added: readonly PlacedLine[];
  readonly removed: readonly PlacedLine[];
}

/** Characters of a patch that a page shows. */
const MOST_CHARACTERS = 200_000;

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** A patch as git writes it, with a column before it: `*` before lines that a rule wanted. */
export function markedPatch(patch: string, wanted: WantedLines): string {
  const marks = { added: keysOf(wanted.added), removed: keysOf(wanted.removed) };
  const place = { old: "", new: "", oldLine: 0, newLine: 0, oldLeft: 0, newLeft: 0 };
  const lines = patch.slice(0, MOST_CHARACTERS).replace(/\n$/, "").split("\n");
  const shown = lines.map((line) => (isWanted(line, place, marks) ? `* ${line}` : `  ${line}`));
  const cut = patch.length > MOST_CHARACTERS ? `\n  … cut: ${patch.length} characters in all` : "";
  return `${shown.join("\n")}${cut}`;
}

type Place = Record<"old" | "new", string> & Record<"oldLine" | "newLine" | "oldLeft" | "newLeft", number>;
type Marks = Readonly<Record<"added" | "removed", ReadonlySet<string>>>;

/** Goes on by a line. */
function isWanted(line: string, place: Place, { added, removed }: Marks): boolean {
  if (place.oldLeft === 0 && place.newLeft === 0) {
    readHead(line, place);
    return false;
  }
  const kind = line[0];
  if (kind === "\\") return false;
  const [old, fresh] = [`${place.old}\n${place.oldLine}`, `${place.new}\n${place.newLine}`];
  if (kind !== "+") {
    place.oldLine++;
    place.oldLeft--;
  }
  if (kind !== "-") {
    place.newLine++;
    place.newLeft--;
  }
  return kind === "+" ? added.has(fresh) : kind === "-" && removed.has(old);
}

function readHead(line: string, place: Place): void {
  if (line.startsWith("--- ")) place.old = pathOf(line);
  if (line.startsWith("+++ ")) place.new = pathOf(line);
  const hunk = HUNK.exec(line);
  if (hunk === null) return;
  const [, oldLine, oldLeft = "1", newLine, newLeft = "1"] = hunk;
  Object.assign(place, {
    ...{ oldLine: Number(oldLine), oldLeft: Number(oldLeft) },
    ...{ newLine: Number(newLine), newLeft: Number(newLeft) },
  });
}

function pathOf(line: string): string {
  return line
    .slice(4)
    .replace(/\t.*$/, "")
    .replace(/^"?[ab]\//, "")
    .replace(/"$/, "");
}

function keysOf(lines: readonly PlacedLine[]): Set<string> {
  return new Set(lines.map(({ path, line }) => `${path}\n${line}`));
}
