import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/base/folders.js";

const MOST_FILES = 15;
const MOST_LINES = 300;

const SOURCES = readdirSync(join(packageRoot, "src"), { recursive: true, withFileTypes: true }).filter(
  (entry) => entry.isFile() && entry.name.endsWith(".ts"),
);

describe("the rooms of the sources", () => {
  it("hold at most fifteen files each", () => {
    const counts = new Map<string, number>();
    for (const { parentPath } of SOURCES) counts.set(parentPath, (counts.get(parentPath) ?? 0) + 1);
    expect(counts.size).toBeGreaterThan(50);
    expect([...counts].filter(([, count]) => count > MOST_FILES)).toEqual([]);
  });

  it("hold files of at most three hundred lines", () => {
    const long = SOURCES.filter(
      ({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8").trimEnd().split("\n").length > MOST_LINES,
    );
    expect(long.map(({ name }) => name)).toEqual([]);
  });
});
