import wrapAnsi from "wrap-ansi";

/**
 * Lines that break between words alone, so that a path or an address stays whole to be copied; blanks at the beginning stay.
 * @param width characters a line; `null`: as long as it is
 * @param indent before each line but the first
 */
export function wrappedLine(line: string, width: number | null, indent = ""): string[] {
  if (width === null) return [line];
  const before = /^ */.exec(line)?.[0] ?? "";
  // All lines are as narrow as those with the longer blank have to be.
  const room = Math.max(1, width - Math.max(before.length, indent.length));
  const [first = "", ...rest] = wrapAnsi(line.slice(before.length), room).split("\n");
  return [`${before}${first}`, ...rest.map((each) => `${indent}${each}`)];
}
