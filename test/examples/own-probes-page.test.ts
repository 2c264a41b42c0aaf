import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

describe("docs/own-probes.md", () => {
  it.each(["examples/probes/language.ts", "examples/probes/language.txt"])("shows %s as it is", (path) => {
    expect(read("docs/own-probes.md")).toContain(`\n${read(path)}\`\`\`\n`);
  });
});
