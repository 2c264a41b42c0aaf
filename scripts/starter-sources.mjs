// Reads the hand-written sources of the starter set: `@@@ example NAME`, then sections of literal text.
import { readFileSync } from "node:fs";

/** @returns {{name: string, sections: Map<string, string[]>}[]} */
export function readSources(path) {
  const examples = [];
  let section = [];
  for (const line of readFileSync(path, "utf8").split("\n")) {
    const marker = /^@@@ (\w+)(?: (.+))?$/.exec(line);
    if (marker === null) section.push(line);
    else if (marker[1] === "example") examples.push({ name: marker[2], sections: new Map() });
    else {
      section = [];
      examples.at(-1).sections.set(line.slice("@@@ ".length), section);
    }
  }
  for (const { sections } of examples) for (const lines of sections.values()) dropBlankEnd(lines);
  return examples;
}

function dropBlankEnd(lines) {
  while (lines.length > 0 && lines.at(-1).trim() === "") lines.pop();
}
