import { describe, expect, it } from "vitest";
import { LineWriter } from "../../src/store/atomic-write.js";

async function written(lines: readonly string[]): Promise<string[]> {
  const blocks: string[] = [];
  const writer = new LineWriter(async (text) => void blocks.push(text));
  for (const line of lines) await writer.write(line);
  await writer.flush();
  return blocks;
}

describe("LineWriter", () => {
  it("ends every line with a line break and nothing else", async () => {
    expect(await written(["a", "b\r", " c \r\r", ""])).toEqual(["a\nb\n c \r\n\n"]);
  });

  it("writes nothing for no lines", async () => {
    expect(await written([])).toEqual([]);
  });

  it("hands over large files in blocks, in order", async () => {
    // 600 lines of 1,000 characters and a line break: more than two blocks of 262,144.
    const lines = Array.from({ length: 600 }, (_, i) => String(i).padStart(1000));
    const blocks = await written(lines);
    expect(blocks).toHaveLength(3);
    expect(blocks.join("")).toBe(`${lines.join("\n")}\n`);
  });
});
